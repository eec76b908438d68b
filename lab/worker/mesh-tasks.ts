// Tasks of the chapter Meshes.
import {
  type Box,
  box as boxes,
  type ProgressOptions,
  partOfProgress,
  reportProgress,
  type Vec3,
} from 'nearfield/core';
import { mergeModel, type OutputFormat, writeModel } from 'nearfield/io';
import {
  buildAdjacency,
  findModel,
  findSelfIntersections,
  inspectMesh,
  type Mesh,
  MeshQuery,
  type MeshReport,
  repairMesh,
} from 'nearfield/mesh';
import { faultyModels } from '../samples/faulty-models.js';
import type { Slice } from '../viewer/slice.js';
import { readOpened } from './read-file.js';

const queries = new WeakMap<Mesh, MeshQuery>();

/** What points are asked against a mesh, kept with it. */
export function queryOf(mesh: Mesh): MeshQuery {
  const query = queries.get(mesh) ?? new MeshQuery(mesh);
  queries.set(mesh, query);
  return query;
}

export const meshTasks = {
  buildModel({ model, ...parameters }: { model: string } & Record<string, unknown>, options: ProgressOptions): Mesh {
    reportProgress(options, 0, 'building the model');
    return findModel(model).build(parameters as Record<string, number>);
  },

  buildFaultyModel({ sample }: { sample: string }, options: ProgressOptions): Mesh {
    reportProgress(options, 0, 'building the model');
    return (faultyModels.find(({ name }) => name === sample) ?? faultyModels[0]).build();
  },

  async readFile({ name, bytes }: { name: string; bytes: Uint8Array }, options: ProgressOptions) {
    const model = await readOpened(bytes, { fileName: name, ...options });
    return { format: model.format, parts: model.parts.length, unit: model.unit, mesh: mergeModel(model) };
  },

  /** The report on a mesh, and what can be drawn of its faults. */
  inspect({ mesh }: { mesh: Mesh }, options: ProgressOptions): Inspection {
    // The crossing pairs are wanted themselves, so they are counted here instead of being looked for twice.
    const report = inspectMesh(mesh, { ...partOfProgress(options, 0, 0.3), selfIntersections: false });
    const { count, pairs } = findSelfIntersections(mesh, partOfProgress(options, 0.3, 1));
    const { edgeCount, edgeStart, edgeVertices } = buildAdjacency(mesh);
    const edgesOf = (wanted: (faces: number) => boolean): Float64Array => {
      const segments: number[] = [];
      for (let edge = 0; edge < edgeCount; edge++) {
        if (!wanted(edgeStart[edge + 1] - edgeStart[edge])) continue;
        for (const vertex of edgeVertices.subarray(2 * edge, 2 * edge + 2)) {
          segments.push(...mesh.positions.subarray(3 * vertex, 3 * vertex + 3));
        }
      }
      return Float64Array.from(segments);
    };
    return {
      report: { ...report, selfIntersections: count },
      openEdges: edgesOf((faces) => faces === 1),
      nonManifoldEdges: edgesOf((faces) => faces > 2),
      crossing: count === 0 ? null : trianglesOf(mesh, pairs),
    };
  },

  /** Winding numbers and signed distances on the plane at `share` of the box along an axis. */
  slice({ mesh, axis, share, resolution }: SliceInput, options: ProgressOptions): Slice {
    reportProgress(options, 0, 'preparing the queries');
    const query = queryOf(mesh);
    const bounds = boxes.ofPositions(mesh.positions);
    const plane = slicePlane(bounds, axis, share, resolution);
    const { corner, across, up, columns, rows } = plane;
    const points = new Float64Array(3 * columns * rows);
    for (let i = 0; i < columns * rows; i++) {
      const s = (i % columns) / (columns - 1);
      const t = Math.floor(i / columns) / (rows - 1);
      for (let k = 0; k < 3; k++) points[3 * i + k] = corner[k] + s * across[k] + t * up[k];
    }
    const distances = query.signedDistances(points, undefined, partOfProgress(options, 0, 0.7));
    const windingNumbers = query.windingNumbers(points, undefined, partOfProgress(options, 0.7, 1));
    return { ...plane, distances: Float32Array.from(distances), windingNumbers: Float32Array.from(windingNumbers) };
  },

  /** One point against the mesh. */
  probe({ mesh, x, y, z }: { mesh: Mesh; x: number; y: number; z: number }) {
    const query = queryOf(mesh);
    return {
      windingNumber: query.windingNumber([x, y, z]),
      inside: query.isInside([x, y, z]),
      signedDistance: query.signedDistance([x, y, z]),
      closest: query.closestPoint([x, y, z]),
    };
  },

  repair({ mesh, fillHoles }: { mesh: Mesh; fillHoles: boolean }, options: ProgressOptions) {
    return repairMesh(mesh, { ...options, fillHoles });
  },

  writeFile({ mesh, format }: { mesh: Mesh; format: OutputFormat }): Promise<Uint8Array> {
    return writeModel(mesh, format);
  },
};

export interface Inspection {
  readonly report: MeshReport;
  /** Segments, six numbers each. */
  readonly openEdges: Float64Array;
  readonly nonManifoldEdges: Float64Array;
  /** The triangles that cross another, as a mesh of their own. */
  readonly crossing: Mesh | null;
}

interface SliceInput {
  readonly mesh: Mesh;
  readonly axis: number;
  readonly share: number;
  /** Samples along the longer side. */
  readonly resolution: number;
}

/** How far the slice reaches beyond the box, as a share of its diagonal. */
const SLICE_MARGIN = 0.12;

function slicePlane(bounds: Box, axis: number, share: number, resolution: number) {
  const margin = SLICE_MARGIN * boxes.diagonal(bounds);
  const { min, max } = boxes.grow(bounds, margin);
  const [u, v] = [
    [2, 1],
    [0, 2],
    [0, 1],
  ][axis];
  const corner: Vec3 = [min[0], min[1], min[2]];
  corner[axis] = bounds.min[axis] + share * (bounds.max[axis] - bounds.min[axis]);
  const across: Vec3 = [0, 0, 0];
  across[u] = max[u] - min[u];
  const up: Vec3 = [0, 0, 0];
  up[v] = max[v] - min[v];
  const longest = Math.max(across[u], up[v]);
  const columns = Math.max(2, Math.round((resolution * across[u]) / longest));
  const rows = Math.max(2, Math.round((resolution * up[v]) / longest));
  return { corner, across, up, columns, rows };
}

function trianglesOf(mesh: Mesh, triangles: Iterable<number>): Mesh {
  const indices: number[] = [];
  for (const triangle of new Set(triangles)) indices.push(...mesh.indices.subarray(3 * triangle, 3 * triangle + 3));
  return { positions: mesh.positions, indices: Uint32Array.from(indices) };
}
