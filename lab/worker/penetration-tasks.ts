// Tasks of the chapter Penetration. Models are kept with their meshes, and what the levels of the last query saw.
import { type Pose, type ProgressOptions, partOfProgress, pose, quat, type Vec3, vec3 } from 'nearfield/core';
import type { Mesh } from 'nearfield/mesh';
import {
  type GeneralizedPenetration,
  measureGeneralizedPenetration,
  measurePenetration,
  PENETRATION_DEFAULTS,
  type PenetrationDescent,
  type PenetrationImageQuery,
  type PenetrationMethod,
  type PenetrationResult,
  preparePenetration,
} from 'nearfield/penetration';
import { findCrossingCurves, hullsOf, Pair, ProximityModel, testIntersection, type Witness } from 'nearfield/proximity';
import { localAgainstGlobal, penetrationBenchmarks, wrinkledTori } from '../../bench/scenarios/penetration.js';
import { shiftPose } from '../hand.js';
import { type CertificateRecord, type IntervalPart, recordCertificate } from './certificate-record.js';
import { convexDistances, type SeenSurface, surfaceSeen } from './depth-surface.js';
import { buildHeap, untangleHeap } from './letter-heap.js';
import { type LocalAnswer, pushLocally } from './local-push.js';
import { drawSums, type KeptSums, rootSums, type ShownSums, type SumColors } from './shown-sums.js';

interface PairInput {
  readonly meshA: Mesh;
  readonly meshB: Mesh;
  /** Seven numbers, separated by blanks. */
  readonly poseA: string;
  readonly poseB: string;
}

interface TraceInput extends PairInput {
  readonly query: PenetrationImageQuery;
  readonly resolution: number;
}

interface PenetrationInput extends TraceInput {
  readonly method: PenetrationMethod;
  readonly relativeGap: number;
  readonly descent: PenetrationDescent;
}

/** One level of the last query. */
interface KeptLevel extends KeptSums {
  readonly level: number;
  readonly distances: Float32Array | null;
  readonly resolution: number;
  /** In A's frame. */
  readonly vector: Vec3;
  readonly estimate: number;
}

interface Traced {
  readonly input: TraceInput;
  readonly result: PenetrationResult;
  readonly levels: readonly KeptLevel[];
}

/** How two solids stand to each other. */
export interface PairRelation {
  /** 0 where they overlap. */
  readonly distance: number;
  readonly witness: Witness | null;
  /** Three numbers each. */
  readonly contacts: readonly number[];
  /** The proven bounds of the depth; 0 where they do not overlap. */
  readonly lower: number;
  readonly upper: number;
  /** The shortest way out for A, and the point of A that leaves last. */
  readonly vector: Vec3;
  readonly pointA: Vec3 | null;
  /** Where the surfaces cross: six numbers a segment. */
  readonly curves: Float64Array;
}

/** What the origin sees at a level, in the axes of the world. */
export interface DepthImages extends SeenSurface {
  readonly level: number;
  readonly estimate: number;
  readonly vector: Vec3;
  /** Null where the query made no images. */
  readonly distances: Float32Array | null;
  readonly resolution: number;
}

/** The share of a certificate's time that goes into preparing the models, of which `prepareModels` tells one half. */
const PREPARE_SHARE = 0.7;
/** Pixels along a side of the images of level 0. */
const ROOT_RESOLUTION = 128;
const models = new WeakMap<Mesh, ProximityModel>();
let traced: Traced | null = null;
let related: Pair | null = null;

function modelOf(mesh: Mesh): ProximityModel {
  const model = models.get(mesh) ?? new ProximityModel(mesh);
  models.set(mesh, model);
  return model;
}

export const penetrationTasks = {
  buildPair({ pair }: { pair: string }) {
    const all = [...penetrationBenchmarks, wrinkledTori, localAgainstGlobal];
    const { meshA, meshB, poseA, poseB } = all.find(({ name }) => name === pair) ?? all[0];
    return { meshA, meshB, poseA, poseB };
  },

  measurePair(
    { method, relativeGap, descent, query, resolution, ...pair }: PenetrationInput,
    options: ProgressOptions,
  ): Promise<PenetrationResult> {
    const [a, b] = prepareModels(pair, options);
    const [poseA, poseB] = posesOf(pair);
    const how = { method, relativeGap, descent, query, resolution };
    return measurePenetration(a, b, poseA, poseB, { ...how, ...partOfProgress(options, 0.5, 1) });
  },

  /** How two solids stand to each other: distance, contacts, and the certified depth where they overlap. */
  async relatePair(
    { tolerance, relativeGap, ...pair }: PairInput & { tolerance: number; relativeGap: number },
    options: ProgressOptions,
  ): Promise<PairRelation> {
    const [a, b] = prepareModels(pair, options);
    const [poseA, poseB] = posesOf(pair);
    const asked = related?.a === a && related.b === b ? related : new Pair(a, b);
    related = asked;
    const { distance, witness } = asked.distance(poseA, poseB);
    const { contacts } = asked.contacts(poseA, poseB, { tolerance });
    const { lower, upper, vector, pointA } = await measurePenetration(a, b, poseA, poseB, { relativeGap });
    const points = contacts.map((contact) => vec3.scale(vec3.add(contact.pointA, contact.pointB), 0.5));
    const curves = upper > 0 ? findCrossingCurves(a, b, poseA, poseB) : new Float64Array(0);
    return { distance: distance ?? 0, witness, contacts: points.flat(), lower, upper, vector, pointA, curves };
  },

  /** Where the surfaces of the two cross: six numbers a segment. */
  crossPair(pair: PairInput): Float64Array {
    const [poseA, poseB] = posesOf(pair);
    return findCrossingCurves(modelOf(pair.meshA), modelOf(pair.meshB), poseA, poseB);
  },

  /** The depth when A may also rotate. */
  measureTurned(
    { relativeGap, ...pair }: PairInput & { relativeGap: number },
    options: ProgressOptions,
  ): GeneralizedPenetration {
    const [a, b] = prepareModels(pair, options);
    const [poseA, poseB] = posesOf(pair);
    return measureGeneralizedPenetration(a, b, poseA, poseB, { relativeGap, ...partOfProgress(options, 0.5, 1) });
  },

  /** A certificate with the steps on the way to it; the page hears of the interval meanwhile. */
  certifyPair(
    { relativeGap, ...pair }: PairInput & { relativeGap: number },
    options: ProgressOptions,
    onPart: (part: IntervalPart) => void,
  ): Promise<CertificateRecord> {
    const models = prepareModels(pair, partOfProgress(options, 0, 2 * PREPARE_SHARE));
    return recordCertificate(models, posesOf(pair), relativeGap, partOfProgress(options, PREPARE_SHARE, 1), onPart);
  },

  /** The descent of Kim, Otaduy, Lin and Manocha 2002, level by level; keeps each level for the two tasks below. */
  async tracePair(input: TraceInput, options: ProgressOptions): Promise<PenetrationResult> {
    return (await traceOf(input, options)).result;
  },

  /** The Minkowski sums of a level around the origin. */
  async showSums(
    { level, colors, ...input }: TraceInput & { level: number; colors: SumColors },
    options: ProgressOptions,
  ): Promise<ShownSums & { vector: Vec3; estimate: number }> {
    const { levels } = await traceOf(input, partOfProgress(options, 0, 0.5));
    const kept = levelAt(levels, level);
    const [a, b] = [modelOf(input.meshA), modelOf(input.meshB)];
    const [poseA] = posesOf(input);
    const shown = drawSums(
      kept,
      hullsOf(a),
      hullsOf(b),
      placementOf(input),
      colors,
      poseA,
      partOfProgress(options, 0.5, 1),
    );
    return { ...shown, vector: pose.transformVector(poseA, kept.vector), estimate: kept.estimate };
  },

  /** The six images of a level, and the same as a surface around the origin. */
  async showDepthImages(
    { level, ...input }: TraceInput & { level: number },
    options: ProgressOptions,
  ): Promise<DepthImages> {
    const { levels } = await traceOf(input, options);
    const { distances, resolution, vector, estimate, level: shown } = levelAt(levels, level);
    const [poseA] = posesOf(input);
    const turn = pose.create([0, 0, 0], quat.normalize([poseA[3], poseA[4], poseA[5], poseA[6]]));
    return {
      level: shown,
      estimate,
      vector: pose.transformVector(poseA, vector),
      distances,
      resolution,
      ...surfaceSeen(distances, resolution, turn),
    };
  },

  buildHeap,
  untangleHeap,

  /** What a local method would do. */
  pushLocally(pair: PairInput, options: ProgressOptions): LocalAnswer {
    const [a, b] = prepareModels(pair, options);
    const [poseA, poseB] = posesOf(pair);
    return pushLocally(a, b, poseA, poseB);
  },

  /** Whether the two have no point in common once A is moved by a vector, three numbers separated by blanks. */
  testApart({ moved, ...pair }: PairInput & { moved: string }): boolean {
    const [poseA, poseB] = posesOf(pair);
    const by = moved.split(' ').map(Number) as Vec3;
    return !testIntersection(modelOf(pair.meshA), modelOf(pair.meshB), shiftPose(poseA, by), poseB).intersects;
  },
};

/** Prepares the models before the query, so that the shown time is the query's alone. */
function prepareModels({ meshA, meshB }: PairInput, options: ProgressOptions): [ProximityModel, ProximityModel] {
  const [a, b] = [modelOf(meshA), modelOf(meshB)];
  preparePenetration(a, partOfProgress(options, 0, 0.25));
  preparePenetration(b, partOfProgress(options, 0.25, 0.5));
  return [a, b];
}

function posesOf({ poseA, poseB }: PairInput): [Pose, Pose] {
  return [pose.parse(poseA.split(' ').map(Number)), pose.parse(poseB.split(' ').map(Number))];
}

async function traceOf(input: TraceInput, options: ProgressOptions): Promise<Traced> {
  const names = Object.keys(input) as (keyof TraceInput)[];
  if (traced !== null && names.every((name) => traced?.input[name] === input[name])) return traced;
  const { query, resolution, ...pair } = input;
  const [a, b] = prepareModels(pair, options);
  const [poseA, poseB] = posesOf(pair);
  const levels: KeptLevel[] = [];
  const result = await measurePenetration(a, b, poseA, poseB, {
    method: 'image-space',
    descent: 'levels',
    query,
    resolution,
    coarseResolution: Math.min(PENETRATION_DEFAULTS.coarseResolution, resolution),
    ...partOfProgress(options, 0.5, 1),
    trace: ({ level, sums, nodes, distances, resolution: side, vector, estimate }) => {
      const { count, planeStart, planes, spheres } = sums;
      levels.push({
        level,
        count,
        nodes: nodes.slice(0, 2 * count),
        planeStart: planeStart.slice(0, count + 1),
        planes: planes.slice(0, 4 * planeStart[count]),
        spheres: spheres.slice(0, 4 * count),
        distances: distances === null ? null : distances.slice(0, 6 * side * side),
        resolution: side,
        vector: [...vector],
        estimate,
      });
    },
  });
  // The roots are measured without images.
  if (levels[0]?.level !== 0) levels.unshift(rootLevel(a, b, placementOf(pair)));
  traced = { input, result, levels };
  return traced;
}

function rootLevel(a: ProximityModel, b: ProximityModel, placement: Float64Array): KeptLevel {
  const root = rootSums(hullsOf(a), hullsOf(b), placement);
  const distances = root.estimate > 0 ? convexDistances(root.planes, ROOT_RESOLUTION) : null;
  return { ...root, level: 0, distances, resolution: ROOT_RESOLUTION };
}

/** Where B is in A's frame: three rows of a matrix. */
function placementOf(pair: PairInput): Float64Array {
  const [poseA, poseB] = posesOf(pair);
  return pose.toMatrix4(pose.bInA(poseA, poseB)).slice(0, 12);
}

/** The requested level, or the last one before it. */
function levelAt(levels: readonly KeptLevel[], wanted: number): KeptLevel {
  return levels.findLast(({ level }) => level <= wanted) ?? levels[0];
}
