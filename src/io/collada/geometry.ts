// The triangles of a COLLADA geometry: triangles, polygons, strips and fans over one list of positions. Polygons are
// triangulated as in other files. Normals, texture coordinates and colors are ignored.
import { MAX_COORDINATE } from '../../core/tolerances.js';
import type { Mesh } from '../../mesh/mesh.js';
import { TriangleList } from '../formats/growing-lists.js';
import { PolygonCuts } from '../formats/polygon-cuts.js';
import type { MeshGroup } from '../model/model-file.js';
import type { XmlElement } from '../xml/xml-tree.js';

/** Elements of a mesh that have triangles. */
const PRIMITIVES = ['triangles', 'polylist', 'polygons', 'trifans', 'tristrips'];

/** A geometry as a mesh; null if it has lines only, or splines. */
export interface ColladaGeometry {
  readonly mesh: Mesh;
  /** A run of triangles for each primitive, named after its material. */
  readonly groups: MeshGroup[];
  readonly warnings: string[];
}

/** Reads a <geometry>. Vertex ids are those of its positions in the file. */
export function readGeometry(geometry: XmlElement): ColladaGeometry | null {
  const definition = geometry.child('mesh');
  if (definition === undefined) return null;
  const primitives = definition.children.filter(({ name }) => PRIMITIVES.includes(name));
  if (primitives.length === 0) return null;
  const positions = readPositions(definition);
  const triangles = new TriangleList();
  const polygons = new PolygonCuts();
  const warnings: string[] = [];
  const groups = primitives.map((primitive) => {
    const firstTriangle = triangles.count;
    readPrimitive(primitive, positions.length / 3, triangles, polygons, warnings);
    const name = primitive.attributes.material ?? '';
    return { name, firstTriangle, triangleCount: triangles.count - firstTriangle };
  });
  if (triangles.count === 0) return null;
  const mesh = { positions, indices: triangles.toArray() };
  warnings.push(...polygons.finish(mesh.positions, mesh.indices));
  return { mesh, groups, warnings };
}

/** The source of the positions, by way of <vertices>. */
function readPositions(definition: XmlElement): Float64Array {
  const vertices = definition.need('vertices');
  const input = vertices.all('input').find(({ attributes }) => attributes.semantic === 'POSITION');
  if (input === undefined) return vertices.fail('file-format', '<vertices> has no input with the semantic POSITION');
  const id = input.attribute('source').slice(1);
  const source = definition.all('source').find(({ attributes }) => attributes.id === id);
  if (source === undefined) return input.fail('file-format', `there is no <source> with the id "${id}"`);
  const accessor = source.need('technique_common').need('accessor');
  const array = source.need('float_array');
  const values = array.numbers();
  const count = accessor.count('count');
  const stride = accessor.count('stride', 1);
  const offset = accessor.count('offset', 0);
  if (stride < 3) accessor.fail('file-format', `positions have ${stride} numbers each; three are needed`);
  if (count > 0 && offset + (count - 1) * stride + 3 > values.length) {
    array.fail('file-truncated', `${count} positions are announced, but there are only ${values.length} numbers`);
  }
  const positions = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) {
      const value = values[offset + stride * i + k];
      if (!(Math.abs(value) <= MAX_COORDINATE)) {
        array.fail('non-finite', `position ${i} has the coordinate ${value}; at most ${MAX_COORDINATE} is allowed`);
      }
      positions[3 * i + k] = value;
    }
  }
  return positions;
}

function readPrimitive(
  primitive: XmlElement,
  vertexCount: number,
  triangles: TriangleList,
  polygons: PolygonCuts,
  warnings: string[],
): void {
  const corners = cornerReader(primitive, vertexCount);
  const addPolygon = (ids: Uint32Array, from: number, count: number): void => {
    const first = triangles.count;
    for (let k = 1; k + 1 < count; k++) triangles.push(ids[from], ids[from + k], ids[from + k + 1]);
    polygons.add(first, triangles.count - first);
  };
  switch (primitive.name) {
    case 'triangles':
      for (const p of primitive.all('p')) {
        const ids = corners(p);
        for (let i = 0; i + 2 < ids.length; i += 3) triangles.push(ids[i], ids[i + 1], ids[i + 2]);
      }
      break;
    case 'polylist':
      readPolylist(primitive, corners, addPolygon);
      break;
    case 'polygons': {
      const holes = primitive.all('ph');
      if (holes.length > 0) {
        warnings.push(`line ${holes[0].line}: ${holes.length} polygons have holes, which are ignored; check them.`);
      }
      for (const p of [...primitive.all('p'), ...holes.map((hole) => hole.need('p'))]) {
        const ids = corners(p);
        addPolygon(ids, 0, ids.length);
      }
      break;
    }
    case 'trifans':
      for (const p of primitive.all('p')) {
        const ids = corners(p);
        for (let k = 1; k + 1 < ids.length; k++) triangles.push(ids[0], ids[k], ids[k + 1]);
      }
      break;
    default:
      for (const p of primitive.all('p')) {
        const ids = corners(p);
        // Every second triangle of a strip runs the other way.
        for (let k = 0; k + 2 < ids.length; k++) {
          if (k % 2 === 0) triangles.push(ids[k], ids[k + 1], ids[k + 2]);
          else triangles.push(ids[k + 1], ids[k], ids[k + 2]);
        }
      }
  }
}

/** Reads the vertices of one <p> of a primitive, without those of other inputs. */
function cornerReader(primitive: XmlElement, vertexCount: number): (p: XmlElement) => Uint32Array {
  let stride = 1;
  let offset = -1;
  for (const input of primitive.all('input')) {
    const at = input.count('offset', 0);
    stride = Math.max(stride, at + 1);
    if (input.attributes.semantic === 'VERTEX') offset = at;
  }
  if (offset < 0) primitive.fail('file-format', `<${primitive.name}> has no input with the semantic VERTEX`);
  return (p) => {
    const values = p.numbers();
    const ids = new Uint32Array(Math.floor(values.length / stride));
    for (let i = 0; i < ids.length; i++) {
      const id = values[stride * i + offset];
      if (!(Number.isInteger(id) && id >= 0 && id < vertexCount)) {
        p.fail('index-out-of-range', `vertex ${id} does not exist; there are vertices 0 to ${vertexCount - 1}`);
      }
      ids[i] = id;
    }
    return ids;
  };
}

function readPolylist(
  primitive: XmlElement,
  corners: (p: XmlElement) => Uint32Array,
  addPolygon: (ids: Uint32Array, from: number, count: number) => void,
): void {
  const p = primitive.child('p');
  if (p === undefined) return;
  const ids = corners(p);
  const counts = primitive.need('vcount').numbers();
  let from = 0;
  for (const count of counts) {
    if (!(Number.isInteger(count) && count >= 0)) primitive.fail('file-format', `a polygon has ${count} corners`);
    if (from + count > ids.length) {
      p.fail('file-truncated', `the polygons have more corners than the ${ids.length} in <p>; copy the file again`);
    }
    addPolygon(ids, from, count);
    from += count;
  }
}
