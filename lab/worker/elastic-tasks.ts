// Tasks of the chapter Elastic bodies: a scene, opened once and stepped as the page asks, and its fields on a plane.
import { type Box, box as boxes, type ProgressOptions, reportProgress, type Vec3 } from 'nearfield/core';
import { type Mesh, MeshQuery } from 'nearfield/mesh';
import { findElasticScene } from '../../bench/scenarios/elastic/catalogue.js';
import { type ElasticParts, elementCount, meanEdgeOf } from '../../bench/scenarios/elastic/elastic-scene.js';
import type { Picture } from '../viewer/picture.js';
import { cutElements, isolinesOf, type Plane, pictureOf } from './element-cut.js';
import { SLICE_AXES } from './field-slice.js';
import { LiveElastic, type Pull } from './live-elastic.js';
import { median } from './recent-times.js';

/** Which scene, and how it is simulated. */
export interface ElasticQuestion {
  readonly scene: string;
  /** The approximate count of elements. */
  readonly elements: number;
  readonly mode: 'real-time' | 'converged';
  /** Counts how often the scene was begun anew. */
  readonly run: number;
}

/** What does not change while a scene runs. */
export interface OpenedElastic {
  readonly box: Box;
  readonly bodies: readonly string[];
  readonly rigidMeshes: readonly Mesh[];
  /** Whether each rigid body is free to move. */
  readonly rigidMoves: readonly boolean[];
  readonly elements: number;
  readonly nodes: number;
  /** The mean length of the edges of surfaces, in meters. */
  readonly edge: number;
  readonly keyframes: readonly number[];
  readonly milliseconds: number;
}

/** A scene at a step. */
export interface ElasticAt {
  /** The surface of each elastic body. */
  readonly surfaces: readonly Mesh[];
  /** Seven numbers a rigid body. */
  readonly poses: Float64Array;
  readonly time: number;
  readonly lastStep: number;
  /** One number a step, up to the last that was simulated. */
  readonly kinetic: Float64Array;
  readonly elastic: Float64Array;
  readonly contact: Float64Array;
  readonly total: Float64Array;
  readonly inverted: number;
  readonly measures: readonly { readonly id: string; readonly label: string; readonly value: number }[];
  readonly milliseconds: number;
  readonly median: number;
  /** Of the last step simulated, where it was asked for. */
  readonly contacts: number | null;
  readonly penetration: number | null;
  readonly pulled: { readonly from: Vec3; readonly to: Vec3 } | null;
  readonly cut: ElasticCut | null;
}

/** Deformed distance fields on a plane. */
export interface ElasticCut {
  readonly picture: Picture;
  readonly isolines: Float64Array;
  /** The largest depth that is shown, in meters. */
  readonly largest: number;
  /** Of the estimate against exact distances, over samples of the plane; null where they were not measured. */
  readonly meanError: number | null;
  readonly maxError: number | null;
  readonly samples: number;
}

const RECENT = 60;
/** Samples along the longer side of a cut. */
const CUT_SAMPLES = 240;
const ISOLINES = 10;
/** Points at which the estimate is compared with exact distances. */
const COMPARED = 2000;

let live: { readonly key: string; readonly bodies: LiveElastic } | null = null;

export const elasticTasks = {
  /** Builds the scene. */
  openElastic(question: ElasticQuestion, options: ProgressOptions): OpenedElastic {
    const begin = performance.now();
    reportProgress(options, 0, 'making elements');
    const { setting } = liveOf(question, true);
    const { box, bodies, rigid, rigidMeshes, keyframes } = setting;
    return {
      ...{ box, rigidMeshes, keyframes, elements: elementCount(setting), edge: meanEdgeOf(setting) },
      bodies: bodies.map(({ name }) => name),
      rigidMoves: (rigid?.bodies ?? []).map((id) => Number.isFinite(rigid!.massOf(id))),
      nodes: bodies.reduce((sum, { body }) => sum + body.mesh.positions.length / 3, 0),
      milliseconds: performance.now() - begin,
    };
  },

  /**
   * The scene at a step: simulated to there, or as it was. `exact`: measures the deepest overlap and, where a plane is given, the
   * error of its field, in a second or so.
   */
  stepElastic(
    question: ElasticQuestion & { step: number; exact: boolean; axis: 0 | 1 | 2; at: number | null; pulls: number },
    options: ProgressOptions,
  ): ElasticAt {
    const bodies = liveOf(question, false);
    const { step, exact, axis, at } = question;
    bodies.advanceTo(step, (fraction) => reportProgress(options, fraction, 'simulating'));
    const { record, setting, steps } = bodies;
    const recent = record.milliseconds.slice(1).slice(-RECENT);
    const isLast = step === steps;
    return {
      surfaces: surfacesAt(bodies, step),
      poses: record.poses[step],
      time: step * setting.world.timestep,
      lastStep: steps,
      kinetic: Float64Array.from(record.kinetic),
      elastic: Float64Array.from(record.elastic),
      contact: Float64Array.from(record.contact),
      total: Float64Array.from(record.total),
      inverted: record.inverted[step],
      measures: setting.measures.map(({ id, label }, i) => ({ id, label, value: record.measures[i][step] })),
      milliseconds: record.milliseconds[step],
      median: recent.length === 0 ? 0 : median(recent),
      contacts: isLast ? setting.world.contactCount : null,
      penetration: isLast && exact ? setting.world.worstPenetration() : null,
      pulled: bodies.pulled,
      cut: at === null ? null : cutAt(bodies, step, { axis, at }, exact),
    };
  },

  /** What the world of a scene is made of. */
  elasticParts({ scene, elements, mode, run }: ElasticQuestion): ElasticParts {
    if (live?.key === keyOf({ scene, elements, mode, run })) return live.bodies.setting.parts;
    return findElasticScene(scene).build(elements, { mode }).parts;
  },

  /** Takes a body in the last step, moves what is taken, or lets go. */
  pullElastic({ pull }: { pull: Pull | null }): void {
    live?.bodies.pull(pull);
  },
};

/** The simulation of a question; `anew`: from its start. */
function liveOf(question: ElasticQuestion, anew: boolean): LiveElastic {
  const { scene, elements, mode } = question;
  const key = keyOf(question);
  if (live?.key === key && !(anew && live.bodies.steps > 0)) return live.bodies;
  live = { key, bodies: new LiveElastic(findElasticScene(scene).build(elements, { mode })) };
  return live.bodies;
}

function keyOf({ scene, elements, mode, run }: ElasticQuestion): string {
  return JSON.stringify([scene, elements, mode, run]);
}

function surfacesAt({ surfaces, record }: LiveElastic, step: number): Mesh[] {
  return surfaces.map(({ nodes, indices }, i) => {
    const all = record.positions[step][i];
    const positions = new Float64Array(3 * nodes.length);
    nodes.forEach((node, n) => {
      for (let k = 0; k < 3; k++) positions[3 * n + k] = all[3 * node + k];
    });
    return { positions, indices };
  });
}

function cutAt(bodies: LiveElastic, step: number, plane: Plane, exact: boolean): ElasticCut {
  const { setting, record } = bodies;
  const triangles: number[] = [];
  let largest = 0;
  let [sum, most, count] = [0, 0, 0];
  const surfaces = exact ? surfacesAt(bodies, step) : [];
  const [u, v] = SLICE_AXES[plane.axis];
  setting.bodies.forEach(({ body }, i) => {
    const own: number[] = [];
    cutElements(body.mesh, record.positions[step][i], setting.world.depthsOf(body), plane, own);
    for (let t = 2; t < own.length; t += 3) largest = Math.max(largest, own[t]);
    for (const value of own) triangles.push(value);
    if (!exact || own.length === 0) return;
    const query = new MeshQuery(surfaces[i]);
    const stride = 9 * Math.max(1, Math.ceil((own.length / 9) * (setting.bodies.length / COMPARED)));
    for (let t = 0; t + 8 < own.length; t += stride) {
      const point: Vec3 = [0, 0, 0];
      point[plane.axis] = plane.at;
      point[u] = (own[t] + own[t + 3] + own[t + 6]) / 3;
      point[v] = (own[t + 1] + own[t + 4] + own[t + 7]) / 3;
      const error = Math.abs((own[t + 2] + own[t + 5] + own[t + 8]) / 3 - query.closestPoint(point)!.distance);
      sum += error;
      most = Math.max(most, error);
      count++;
    }
  });
  const all = boxes.ofPositions(record.positions[step].flatMap((positions) => [...positions]));
  const measured = count > 0;
  return {
    picture: pictureOf(triangles, plane, all, CUT_SAMPLES, largest > 0 ? largest : 1),
    isolines: largest > 0 ? isolinesOf(triangles, plane, largest / ISOLINES) : new Float64Array(0),
    largest,
    meanError: measured ? sum / count : null,
    maxError: measured ? most : null,
    samples: count,
  };
}
