// The nearest site of every node by distance meshes (Hoff et al. 1999), drawn slice by slice in software.
import { type ProgressOptions, reportProgress } from '../../../core/progress.js';
import { fillSpans } from '../../../raster/software/fill-spans.js';
import { PixelTestCache } from '../../../raster/software/pixel-tests.js';
import { SPAN_BATCH, SpanList } from '../../../raster/software/span-list.js';
import { CULL_NONE, TriangleScanner } from '../../../raster/software/triangle-scan.js';
import type { SpaceVoronoiCounters } from '../../space/space-voronoi.js';
import type { DistanceMesh } from './distance-mesh.js';
import { MeshSlabs, type MeshTask, SLAB_SLICES } from './mesh-slabs.js';

/** Chosen: triangles that are drawn at once. */
const DRAWN_TRIANGLES = 4096;

/** Rounding: corners are those of double precision; depths are rounded to single precision. */
const PRECISION = { overlap: 1e-7, thinnest: 0, depths: 2 ** -23 };

/**
 * Writes the nearest site and its distance for all nodes; those beyond `maxDistance` keep their values. Returns what it
 * cost and a bound on the error.
 */
export function fillByMeshes(
  task: MeshTask,
  ids: Int32Array,
  distances: Float64Array,
  progress: ProgressOptions,
): SpaceVoronoiCounters & { readonly error: number } {
  const [width, height, depth] = task.frame.size;
  const slabs = new MeshSlabs(task, PRECISION);
  const drawing = new SliceDrawing(width, height);
  for (let first = 0; first < depth; first += SLAB_SLICES) {
    reportProgress(progress, first / depth, 'distance meshes');
    const last = Math.min(first + SLAB_SLICES, depth) - 1;
    const depths = slabs.begin(first, last);
    if (depths === null) continue;
    for (let k = first; k <= last; k++) {
      drawing.clear();
      slabs.addSlice(k, () => {
        if (slabs.mesh.count > DRAWN_TRIANGLES) drawing.draw(slabs.mesh);
      });
      drawing.draw(slabs.mesh);
      slabs.store(k, depths, drawing.images, 0, ids, distances);
    }
  }
  return slabs.cost(drawing.drawn);
}

/** The images of one slice. */
class SliceDrawing {
  readonly images: { color: Uint32Array; depth: Float32Array; stencil: Uint8Array };
  drawn = 0;
  readonly #scanner: TriangleScanner;
  readonly #spans = new SpanList();
  readonly #tests = new PixelTestCache().prepare({});

  constructor(width: number, height: number) {
    const pixels = width * height;
    this.images = {
      color: new Uint32Array(pixels),
      depth: new Float32Array(pixels),
      stencil: new Uint8Array(pixels),
    };
    this.#scanner = new TriangleScanner(width, height);
    this.#spans.reset(SPAN_BATCH + height);
  }

  clear(): void {
    this.images.depth.fill(1);
    this.images.color.fill(0);
  }

  /** Draws the triangles of the mesh, and empties it. */
  draw(mesh: DistanceMesh): void {
    const spans = this.#spans;
    spans.count = 0;
    for (let triangle = 0; triangle < mesh.count; triangle++) {
      const at = 3 * triangle;
      this.#scanner.scan(spans, mesh.corners, at, at + 1, at + 2, CULL_NONE, mesh.colors[triangle], 0);
      if (spans.count < SPAN_BATCH) continue;
      fillSpans(this.images, spans, this.#tests);
      spans.count = 0;
    }
    if (spans.count > 0) fillSpans(this.images, spans, this.#tests);
    this.drawn += mesh.count;
    mesh.count = 0;
  }
}
