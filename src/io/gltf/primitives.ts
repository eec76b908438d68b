// Merges the primitives of a glTF mesh into one Mesh: triangles, strips and fans, indexed or not. glTF repeats a vertex
// wherever its normal, texture coordinate or material changes; exactly equal positions are welded into one vertex, so
// that a closed model is closed. Unused vertices are left out. O(indices).
import type { Mesh } from '../../mesh/mesh.js';
import { ExactWelder } from '../formats/exact-welder.js';
import { TriangleList } from '../formats/growing-lists.js';
import type { LinearColor, MeshGroup } from '../model/model-file.js';
import type { AccessorData, AccessorDecoder } from './accessors.js';
import type { GltfAsset } from './gltf-asset.js';
import type { JsonView } from './json-view.js';

/** Format: the mode of separate triangles. */
const TRIANGLES = 4;

/** Format: the mode of a strip. */
const TRIANGLE_STRIP = 5;

/** Format: the mode of a fan. */
const TRIANGLE_FAN = 6;

export interface Primitive {
  readonly definition: JsonView;
  readonly mode: number;
  readonly positions: JsonView;
  readonly indices: JsonView | null;
  readonly materialName: string;
  readonly color: LinearColor | null;
}

/** The primitives of a mesh that are surfaces; points and lines are ignored. */
export async function listPrimitives(
  meshDefinition: JsonView,
  asset: GltfAsset,
  decoder: AccessorDecoder,
): Promise<Primitive[]> {
  const primitives: Primitive[] = [];
  for (const definition of meshDefinition.at('primitives').items()) {
    const mode = definition.at('mode').integer(0, 7, TRIANGLES);
    if (mode < TRIANGLES) continue;
    const position = definition.at('attributes').at('POSITION');
    if (!position.exists) definition.fail(`${definition.name} has no POSITION attribute`);
    const material = definition.at('material').exists ? definition.at('material').itemOf(asset.materials) : null;
    const accessor = position.itemOf(asset.accessors);
    const draco = definition.at('extensions').at('KHR_draco_mesh_compression');
    // An accessor with data of its own is a fallback, which is read without the package.
    const isCompressed = draco.exists && !accessor.at('bufferView').exists;
    const indices = definition.at('indices');
    primitives.push({
      definition,
      ...(isCompressed
        ? { mode: TRIANGLES, ...(await decoder.wantDraco(draco, accessor)) }
        : {
            mode,
            positions: await decoder.want(position, 'positions'),
            indices: indices.exists ? await decoder.want(indices, 'indices') : null,
          }),
      materialName: material?.at('name').string() ?? '',
      color: material && !isPlain(material) ? readColor(material) : null,
    });
  }
  return primitives;
}

/** In the extras of a material that the writer gave a mesh without a color. */
export const PLAIN_MARK = 'nearfieldPlain';

function isPlain(material: JsonView): boolean {
  const extras = material.at('extras');
  return extras.isObject && extras.at(PLAIN_MARK).exists;
}

function readColor(material: JsonView): LinearColor {
  const [r, g, b, a] = material.at('pbrMetallicRoughness').at('baseColorFactor').numbers(4, [1, 1, 1, 1]);
  return [r, g, b, a];
}

/** Merges primitives into meshes. Meshes of the same accessors are built once. */
export class MeshAssembler {
  readonly #asset: GltfAsset;
  readonly #data: ReadonlyMap<JsonView, AccessorData>;
  readonly #made = new Map<string, { mesh: Mesh; triangleCounts: number[] }>();
  readonly #keys = new Map<JsonView, number>();
  /** For each accessor of positions, the welded id of each vertex, valid where `stamps` equals the mesh's number. */
  readonly #vertexIds = new Map<JsonView, { ids: Uint32Array; stamps: Uint32Array }>();

  constructor(asset: GltfAsset, data: ReadonlyMap<JsonView, AccessorData>) {
    this.#asset = asset;
    this.#data = data;
  }

  assemble(primitives: readonly Primitive[]): { mesh: Mesh; groups: MeshGroup[] } {
    const key = primitives
      .map(({ mode, positions, indices }) =>
        [mode, this.#keyOf(positions), indices ? this.#keyOf(indices) : ''].join(' '),
      )
      .join(';');
    let made = this.#made.get(key);
    if (made === undefined) {
      made = this.#merge(primitives);
      this.#made.set(key, made);
    }
    let firstTriangle = 0;
    const groups = primitives.map(({ materialName, color }, i) => {
      const triangleCount = made.triangleCounts[i];
      const group = { name: materialName, firstTriangle, triangleCount, ...(color && { color }) };
      firstTriangle += triangleCount;
      return group;
    });
    return { mesh: made.mesh, groups };
  }

  #keyOf(accessor: JsonView): number {
    const known = this.#keys.get(accessor) ?? this.#keys.size;
    this.#keys.set(accessor, known);
    return known;
  }

  #merge(primitives: readonly Primitive[]): { mesh: Mesh; triangleCounts: number[] } {
    const number = this.#made.size + 1;
    const welder = new ExactWelder();
    const triangles = new TriangleList();
    const triangleCounts: number[] = [];
    for (const primitive of primitives) {
      const before = triangles.count;
      this.#addTriangles(primitive, triangles, this.#vertexLookup(primitive, welder, number));
      triangleCounts.push(triangles.count - before);
    }
    return { mesh: { positions: welder.toPositions(), indices: triangles.toArray() }, triangleCounts };
  }

  #addTriangles(
    { definition, mode, positions, indices }: Primitive,
    triangles: TriangleList,
    idOf: (v: number) => number,
  ): void {
    const ids = indices && this.#data.get(indices)!.values;
    const count = ids?.length ?? this.#data.get(positions)!.count;
    if (count < 3 || (mode === TRIANGLES && count % 3 !== 0)) {
      definition.fail(`${definition.name} has ${count} corners, which is not a multiple of three`);
    }
    this.#asset.takeMemory(4 * count * (mode === TRIANGLES ? 1 : 3), definition);
    const corner = (i: number): number => (ids === null ? i : ids[i]);
    if (mode === TRIANGLES) {
      for (let i = 0; i < count; i += 3) triangles.push(idOf(corner(i)), idOf(corner(i + 1)), idOf(corner(i + 2)));
      return;
    }
    for (let i = 0; i + 2 < count; i++) {
      const fan = mode === TRIANGLE_FAN;
      const a = corner(fan ? 0 : i);
      const b = corner(i + 1);
      const c = corner(i + 2);
      // Equal ids in a strip are not a triangle. Every second triangle of a strip is reversed.
      if (!fan && (a === b || b === c || c === a)) continue;
      const turned = mode === TRIANGLE_STRIP && i % 2 === 1;
      triangles.push(idOf(turned ? b : a), idOf(turned ? a : b), idOf(c));
    }
  }

  #vertexLookup({ definition, positions }: Primitive, welder: ExactWelder, number: number): (v: number) => number {
    const { count, values } = this.#data.get(positions)!;
    let table = this.#vertexIds.get(positions);
    if (table === undefined) {
      table = { ids: new Uint32Array(count), stamps: new Uint32Array(count) };
      this.#vertexIds.set(positions, table);
    }
    const { ids, stamps } = table;
    return (vertex) => {
      if (vertex >= count) {
        definition.fail(`${definition.name} uses vertex ${vertex}, but there are ${count}`, 'index-out-of-range');
      }
      if (stamps[vertex] !== number) {
        const x = values[3 * vertex];
        const y = values[3 * vertex + 1];
        const z = values[3 * vertex + 2];
        if (!Number.isFinite(x + y + z)) {
          positions.fail(
            `vertex ${vertex} of ${positions.name} is ${x}, ${y}, ${z}; coordinates must be finite`,
            'non-finite',
          );
        }
        stamps[vertex] = number;
        ids[vertex] = welder.add(x, y, z);
      }
      return ids[vertex];
    };
  }
}
