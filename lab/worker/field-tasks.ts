// Tasks of the chapter Fields. The last few fields of a mesh are kept with it, so that slices and probes cost nothing.
import { box as boxes, type ProgressOptions, partOfProgress, type Vec3 } from 'nearfield/core';
import {
  compareFields,
  computeField,
  type DistanceField,
  extractIsosurface,
  type Field,
  type FieldCounters,
  type FieldDifference,
  type FieldError,
  type FieldMethod,
  type FieldOptions,
  type FieldSides,
  type GridFrame,
  gridNodeCount,
  type InitialBand,
  nodePosition,
  sampleField,
  sampleGradient,
  sliceField,
} from 'nearfield/field';
import type { Mesh } from 'nearfield/mesh';
import { gridAround } from '../field-view.js';
import { moveBump } from './bump-field.js';
import { drawSlice, rangeOf, type ShownSlice, SLICE_AXES, type SliceInput } from './field-slice.js';
import { queryOf } from './mesh-tasks.js';
import { marchPlane } from './plane-march.js';
import { takeDevice } from './worker-device.js';

/** How a field is made, in plain values. */
export interface FieldInput {
  readonly mesh: Mesh;
  readonly method: FieldMethod;
  readonly order: 1 | 2;
  readonly band: InitialBand;
  readonly bandWidth: number;
  readonly sides: FieldSides;
  readonly gpu: boolean;
  readonly resolution: number;
  /** How far the grid reaches beyond the model, as a share of its longest side. */
  readonly room: number;
}

/** What the panel tells of a field. */
export interface FieldSummary {
  readonly frame: GridFrame;
  readonly nodes: number;
  readonly backend: string;
  readonly closed: boolean;
  readonly error: FieldError;
  readonly counters: FieldCounters;
  readonly milliseconds: number;
  /** The least and the largest of the finite values. */
  readonly low: number;
  readonly high: number;
  readonly againstExact: FieldDifference;
}

interface Kept {
  readonly field: DistanceField;
  readonly milliseconds: number;
}

/** Fields kept with a mesh; the least recently used goes first. */
const FIELDS_KEPT = 4;
/** About this many nodes are queried one by one to check an exact field. */
const NODES_QUERIED = 8192;
const kept = new WeakMap<Mesh, Map<string, Kept>>();

export const fieldTasks = {
  async makeField(input: FieldInput, options: ProgressOptions): Promise<FieldSummary> {
    const { field, milliseconds } = await fieldOf(input, partOfProgress(options, 0, 0.5));
    const truth = await truthOf(input, partOfProgress(options, 0.5, 1));
    const [low, high] = rangeOf(field.values);
    const { origin, spacing, size, backend, closed, error, counters } = field;
    return {
      frame: { origin, spacing, size },
      nodes: gridNodeCount(field),
      backend,
      closed,
      error,
      counters,
      milliseconds,
      low,
      high,
      againstExact: compareFields(field, truth),
    };
  },

  /** The field, or its error, on a plane across the grid. */
  async showFieldSlice(
    { slice, ...input }: FieldInput & { slice: string },
    options: ProgressOptions,
  ): Promise<ShownSlice> {
    const wanted = JSON.parse(slice) as SliceInput;
    const { field } = await fieldOf(input, partOfProgress(options, 0, 0.5));
    if (input.method === 'exact')
      return drawSlice(field, (plane) => queryPlane(input.mesh, plane, wanted.axis), wanted);
    const truth = await truthOf(input, partOfProgress(options, 0.5, 1));
    return drawSlice(field, (_, position) => sliceField(truth, wanted.axis, position).values, wanted);
  },

  async showIsosurface({ offset, ...input }: FieldInput & { offset: number }, options: ProgressOptions): Promise<Mesh> {
    const { field } = await fieldOf(input, options);
    return extractIsosurface(field, offset);
  },

  /** The field's value at a point, and the true distance there. */
  async probeField({ x, y, z, ...input }: FieldInput & { x: number; y: number; z: number }, options: ProgressOptions) {
    const { field } = await fieldOf(input, options);
    const point: Vec3 = [x, y, z];
    const query = queryOf(input.mesh);
    return {
      value: sampleField(field, point, { outside: 'clamp' }),
      gradient: sampleGradient(field, point),
      distance: query.signedDistance(point),
      closest: query.closestPoint(point),
    };
  },

  /** A front that starts at a disc and goes around walls. */
  marchPlane,

  /** A field that follows a bump dragged over a surface, recomputed where it changed. */
  moveBump,
};

async function fieldOf(input: FieldInput, options: ProgressOptions): Promise<Kept> {
  const { mesh, resolution, room, ...how } = input;
  const ofMesh = kept.get(mesh) ?? new Map<string, Kept>();
  kept.set(mesh, ofMesh);
  const key = JSON.stringify({ resolution, room, ...how });
  const known = ofMesh.get(key);
  if (known !== undefined) {
    ofMesh.delete(key);
    ofMesh.set(key, known);
    return known;
  }
  const frame = gridAround(boxes.ofPositions(mesh.positions), resolution, room);
  const howToCompute = { ...(await optionsOf(input)), ...options };
  const start = performance.now();
  const field = await computeField(mesh, frame, howToCompute);
  const made = { field, milliseconds: performance.now() - start };
  ofMesh.set(key, made);
  for (const oldest of ofMesh.keys()) {
    if (ofMesh.size <= FIELDS_KEPT) break;
    ofMesh.delete(oldest);
  }
  return made;
}

/**
 * What a field is compared with: the exact one of the same grid, or for that itself the answers of a query at some of the
 * nodes, Infinity at the others.
 */
async function truthOf(input: FieldInput, options: ProgressOptions): Promise<Field> {
  const { mesh, resolution, room } = input;
  const how = { method: 'exact', order: 2, band: 'exact', bandWidth: 2, sides: 'both', gpu: false } as const;
  const { field } = await fieldOf({ mesh, resolution, room, ...how }, options);
  return input.method === 'exact' ? queryNodes(mesh, field) : field;
}

function queryNodes(mesh: Mesh, field: Field): Field {
  const [nx, ny] = field.size;
  const every = Math.ceil(gridNodeCount(field) / NODES_QUERIED);
  const values = new Float64Array(gridNodeCount(field)).fill(Infinity);
  const query = queryOf(mesh);
  for (let node = 0; node < values.length; node += every) {
    const [i, j, k] = [node % nx, Math.floor(node / nx) % ny, Math.floor(node / (nx * ny))];
    values[node] = query.signedDistance(nodePosition(field, i, j, k));
  }
  return { ...field, values };
}

/** Signed distances at the nodes of a slice. */
function queryPlane(mesh: Mesh, plane: Field, axis: number): Float64Array {
  const [columns, rows] = plane.size;
  const [u, v] = SLICE_AXES[axis];
  const points = new Float64Array(3 * columns * rows);
  for (let i = 0; i < columns * rows; i++) {
    points[3 * i + u] = plane.origin[0] + plane.spacing * (i % columns);
    points[3 * i + v] = plane.origin[1] + plane.spacing * Math.floor(i / columns);
    points[3 * i + axis] = plane.origin[2];
  }
  return queryOf(mesh).signedDistances(points);
}

/** Only the options that the method uses. */
async function optionsOf({ method, order, band, bandWidth, sides, gpu }: FieldInput): Promise<FieldOptions> {
  if (method === 'fast-marching') return { method, sides, order, band, ...(band === 'exact' && { bandWidth }) };
  if (!gpu || method === 'distance-transform') return { method, sides, backend: 'cpu' };
  return { method, sides, backend: 'webgpu', device: await takeDevice() };
}
