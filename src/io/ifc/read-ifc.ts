// Reads IFC by the optional package web-ifc: every product with a shape is a part, in meters with z up, with its GlobalId,
// class and storey. Products of one shape share its mesh. Spaces and openings are left out. Loaded only when a file needs it.
import { invertAffine, multiplyMatrices, transformPositions } from '../../core/affine.js';
import { NearfieldError } from '../../core/errors.js';
import { reportProgress } from '../../core/progress.js';
import { ExactWelder } from '../formats/exact-welder.js';
import { TriangleList } from '../formats/growing-lists.js';
import type { LinearColor, MeshGroup, ModelFile, ModelMesh, ModelPart } from '../model/model-file.js';
import type { ReadOptions } from '../model/read-options.js';
import { loadPeer, type PeerImports } from '../peer/load-peer.js';
import { SpatialTree } from './spatial-tree.js';
import type { FlatMesh, PlacedGeometry, WebIfcApi, WebIfcPackage } from './web-ifc.js';

/** Chosen: sides of a polygon that stands for a circle: within 0.5 % of its radius. The package's own 12 leave 3.4 %. */
const CIRCLE_SEGMENTS = 32;

/** The package turns files, which have z up, to y up; this turns back. Row-major. */
const Z_UP = Float64Array.of(1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1);

/** Format of the package: numbers of a vertex, a place and a normal. */
const VERTEX_NUMBERS = 6;

/** Rounding: products whose pieces have equal places, rounded to this count of digits, have one shape. */
const PLACE_DIGITS = 9;

/** Reads an IFC file. @throws NearfieldError, `unsupported` without the package. */
export async function readIfc(
  bytes: Uint8Array,
  options: ReadOptions & { readonly packages?: PeerImports | undefined },
): Promise<ModelFile> {
  if (!/END-ISO-10303-21\s*;/.test(new TextDecoder('latin1').decode(bytes.slice(-4096)))) {
    throw new NearfieldError(
      'file-truncated',
      `byte ${bytes.length}: the IFC file does not end with END-ISO-10303-21; it is truncated, so copy it again.`,
      { byte: bytes.length },
    );
  }
  reportProgress(options, 0, 'loading the IFC kernel');
  const ifc = await loadPeer<WebIfcPackage>('web-ifc', 'An IFC file', options.packages);
  const api = new ifc.IfcAPI();
  await api.Init();
  api.SetLogLevel(ifc.LogLevel.LOG_LEVEL_OFF);
  reportProgress(options, 0.1, 'reading IFC');
  try {
    return new IfcReader(ifc, api, openModel(api, bytes)).read(options);
  } catch (error) {
    if (error instanceof NearfieldError) throw error;
    throw damaged(` (${error instanceof Error ? error.message : error})`);
  } finally {
    api.Dispose();
  }
}

function openModel(api: WebIfcApi, bytes: Uint8Array): number {
  const model = api.OpenModel(bytes, { COORDINATE_TO_ORIGIN: false, CIRCLE_SEGMENTS });
  if (model < 0 || !api.IsModelOpen(model)) throw damaged('');
  return model;
}

function damaged(reason: string): NearfieldError {
  return new NearfieldError(
    'file-format',
    `byte 0: the file is not one that the IFC kernel can read${reason}; export it again.`,
    { byte: 0 },
  );
}

class IfcReader {
  readonly #ifc: WebIfcPackage;
  readonly #api: WebIfcApi;
  readonly #model: number;
  readonly #meshes: ModelMesh[] = [];
  /** By the pieces of a product and how they lie to each other: the index of the mesh, −1 for one without triangles. */
  readonly #known = new Map<string, number>();
  readonly #parts: ModelPart[] = [];
  #omitted = 0;

  constructor(ifc: WebIfcPackage, api: WebIfcApi, model: number) {
    this.#ifc = ifc;
    this.#api = api;
    this.#model = model;
  }

  read(options: ReadOptions): ModelFile {
    const tree = new SpatialTree(this.#ifc, this.#api, this.#model);
    this.#api.StreamAllMeshes(this.#model, (product, index, total) => {
      reportProgress(options, 0.2 + (0.8 * (index ?? 0)) / (total || 1), 'reading IFC');
      this.#addProduct(product, tree);
    });
    if (this.#parts.length === 0) {
      throw new NearfieldError('empty-mesh', 'the scene of the file has no products with a shape.');
    }
    const warnings =
      this.#omitted > 0
        ? [`products are left out because the kernel made no triangles of them (${this.#omitted} in the file).`]
        : [];
    return {
      ...{ format: 'ifc' as const, meshes: this.#meshes, parts: this.#parts, unit: 1 },
      ...(warnings.length > 0 && { warnings }),
    };
  }

  #addProduct(product: FlatMesh, tree: SpatialTree): void {
    const pieces = Array.from({ length: product.geometries.size() }, (_, i) => product.geometries.get(i));
    if (pieces.length === 0) return;
    const { name, id, kind, storey, path } = tree.describe(product.expressID);
    const place = placementOf(pieces[0]);
    const toFirst = invertAffine(place);
    const places = pieces.map((piece) => multiplyMatrices(toFirst, placementOf(piece)));
    const key = pieces
      .map(({ geometryExpressID, color }, i) =>
        [geometryExpressID, ...Array.from(places[i], (x) => x.toFixed(PLACE_DIGITS)), ...Object.values(color)].join(
          ' ',
        ),
      )
      .join(';');
    let meshIndex = this.#known.get(key);
    if (meshIndex === undefined) {
      const mesh = this.#merge(pieces, places, name);
      meshIndex = mesh === null ? -1 : this.#meshes.push(mesh) - 1;
      this.#known.set(key, meshIndex);
    }
    if (meshIndex < 0) {
      this.#omitted++;
      return;
    }
    const transform = multiplyMatrices(Z_UP, place);
    this.#parts.push({ name, meshIndex, transform, ...(path.length > 0 && { path }), about: { id, kind, storey } });
  }

  /** The pieces of a product as one mesh, in the frame of the first. */
  #merge(pieces: readonly PlacedGeometry[], places: readonly Float64Array[], name: string): ModelMesh | null {
    const welder = new ExactWelder();
    const triangles = new TriangleList();
    const groups: MeshGroup[] = [];
    for (const [i, piece] of pieces.entries()) {
      const firstTriangle = triangles.count;
      const geometry = this.#api.GetGeometry(this.#model, piece.geometryExpressID);
      const vertices = this.#api.GetVertexArray(geometry.GetVertexData(), geometry.GetVertexDataSize());
      const indices = this.#api.GetIndexArray(geometry.GetIndexData(), geometry.GetIndexDataSize());
      const count = vertices.length / VERTEX_NUMBERS;
      const own = new Float64Array(3 * count);
      for (let v = 0; v < count; v++) own.set(vertices.subarray(VERTEX_NUMBERS * v, VERTEX_NUMBERS * v + 3), 3 * v);
      const placed = transformPositions(places[i], own);
      const ids = Uint32Array.from({ length: count }, (_, v) =>
        welder.add(placed[3 * v], placed[3 * v + 1], placed[3 * v + 2]),
      );
      for (let k = 0; k + 2 < indices.length; k += 3) {
        triangles.push(ids[indices[k]], ids[indices[k + 1]], ids[indices[k + 2]]);
      }
      geometry.delete();
      const triangleCount = triangles.count - firstTriangle;
      if (triangleCount > 0) groups.push({ name: '', firstTriangle, triangleCount, color: colorOf(piece) });
    }
    if (groups.length === 0) return null;
    const mesh = { positions: welder.toPositions(), indices: triangles.toArray() };
    return groups.length === 1 ? { name, mesh, color: groups[0].color! } : { name, mesh, groups };
  }
}

/** The package gives 16 numbers by columns. */
function placementOf({ flatTransformation: m }: PlacedGeometry): Float64Array {
  return Float64Array.from({ length: 16 }, (_, i) => m[4 * (i & 3) + (i >> 2)]);
}

/** Colors of IFC are those of screens: sRGB (IEC 61966-2-1). */
function colorOf({ color: { x, y, z, w } }: PlacedGeometry): LinearColor {
  const linear = (c: number): number => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return [linear(x), linear(y), linear(z), w];
}
