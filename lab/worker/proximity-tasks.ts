// Tasks of the chapter Proximity. The models of a scenario, and the pairs that hold what coherence leaves between
// frames, stay here while the scenario is the last one opened.
import {
  type Box,
  type Pose,
  type ProgressOptions,
  partOfProgress,
  pose,
  reportProgress,
  type Vec3,
} from 'nearfield/core';
import type { Mesh } from 'nearfield/mesh';
import { findCrossingCurves, Pair, ProximityModel, prepareModel, type QueryCounters } from 'nearfield/proximity';
import { findScenario } from '../../bench/scenarios/catalogue.js';
import type { Scenario } from '../../bench/scenarios/scenario.js';
import {
  leastDistance,
  type OpenedScenario,
  type PairAnswer,
  type ProximityQuery,
  type ScenarioAnswer,
  type ScenarioQuestion,
} from './proximity-answer.js';
import { median } from './recent-times.js';

/** How many of the last queries the median time is taken of. */
const RECENT = 60;
const APPROXIMATE_ERROR = 0.1;
/** In every frame of a motion: few enough to draw at once. */
const CURVES = { maxSegments: 2000 };

type Asked = Omit<PairAnswer, 'a' | 'b'> & { readonly counters: QueryCounters };

const NOTHING_TOLD = { intersects: null, within: null, distance: null, error: 0, witnesses: [] } as const;

interface Session {
  readonly scenario: Scenario;
  /** One for each body; bodies of one mesh share theirs. */
  readonly models: readonly ProximityModel[];
  settings: string;
  pairs: Pair[];
  /** Times of the last queries with these settings, microseconds. */
  recent: number[];
  /** Clearance by frame, NaN where it was not asked for; one for each query that tells it. */
  readonly clearances: Map<ProximityQuery, Float64Array>;
}

let session: Session | null = null;

function sessionOf(name: string): Session {
  if (session?.scenario.name === name) return session;
  const scenario = findScenario(name).build();
  const models = new Map<Mesh, ProximityModel>();
  for (const { mesh } of scenario.bodies) if (!models.has(mesh)) models.set(mesh, new ProximityModel(mesh));
  session = {
    scenario,
    models: scenario.bodies.map(({ mesh }) => models.get(mesh) as ProximityModel),
    settings: '',
    pairs: [],
    recent: [],
    clearances: new Map(),
  };
  return session;
}

export const proximityTasks = {
  openScenario({ scenario: name }: { scenario: string }, options: ProgressOptions): OpenedScenario {
    reportProgress(options, 0, 'working out the motion');
    const { scenario, models } = sessionOf(name);
    const { bodies, pairs, frameCount, poses } = scenario;
    return {
      bodies,
      pairs,
      frameCount,
      poses,
      centers: models.map(({ center }) => center),
      bounds: sweptBox(scenario, models),
    };
  },

  /** One query for each pair of the scenario. */
  askScenario(question: ScenarioQuestion, options: ProgressOptions): ScenarioAnswer {
    const held = sessionOf(question.scenario);
    preparePairs(held, question, options);
    const { pairs: numbers } = held.scenario;
    const poses = held.models.map((_, body) => [...question.poses.subarray(7 * body, 7 * body + 7)] as Pose);
    const start = performance.now();
    const results = held.pairs.map((pair, i) => askPair(pair, poses[numbers[i][0]], poses[numbers[i][1]], question));
    const microseconds = 1000 * (performance.now() - start);
    held.recent = [...held.recent.slice(1 - RECENT), microseconds];
    const clearance = held.clearances.get(question.query) ?? new Float64Array(held.scenario.frameCount).fill(NaN);
    held.clearances.set(question.query, clearance);
    const pairs = results.map(({ counters: _, ...result }, i) => ({ ...result, a: numbers[i][0], b: numbers[i][1] }));
    if (question.frame >= 0) clearance[question.frame] = leastDistance(pairs) ?? NaN;
    return {
      pairs,
      counters: sumCounters(results.map(({ counters }) => counters)),
      microseconds,
      medianMicroseconds: median(held.recent),
      framesTimed: held.recent.length,
      clearance,
      curves: Float64Array.from(
        pairs
          .filter(({ intersects }) => intersects === true)
          .flatMap(({ a, b }) => [...findCrossingCurves(held.models[a], held.models[b], poses[a], poses[b], CURVES)]),
      ),
    };
  },
};

/** Pairs are created again, without state, when their options change. */
function preparePairs(held: Session, question: ScenarioQuestion, options: ProgressOptions): void {
  const { query, volume, pieceCaching, prioritySearch, frontTracking, motionBounds } = question;
  const coherence = { pieceCaching, prioritySearch, frontTracking, motionBounds };
  const settings = JSON.stringify({ query, volume, ...coherence });
  if (settings === held.settings) return;
  const models = [...new Set(held.models)];
  for (const [i, model] of models.entries()) {
    prepareModel(model, volume, partOfProgress(options, i / models.length, (i + 1) / models.length));
    // Prepared here and not in the first query that needs it, whose time is shown.
    model.isInside(model.center);
  }
  held.pairs = held.scenario.pairs.map(([a, b]) => new Pair(held.models[a], held.models[b], { volume, coherence }));
  held.recent = [];
  held.settings = settings;
}

function askPair(pair: Pair, poseA: Pose, poseB: Pose, { query, tolerance }: ScenarioQuestion): Asked {
  switch (query) {
    case 'intersection': {
      const { intersects, counters } = pair.intersects(poseA, poseB);
      return { ...NOTHING_TOLD, intersects, counters };
    }
    case 'tolerance': {
      const { within, counters } = pair.within(poseA, poseB, tolerance);
      return { ...NOTHING_TOLD, within, counters };
    }
    case 'contacts': {
      const { intersects, contacts, counters } = pair.contacts(poseA, poseB, { tolerance });
      return { ...NOTHING_TOLD, intersects, within: intersects || contacts.length > 0, witnesses: contacts, counters };
    }
    default: {
      const relativeError = query === 'approximate' ? APPROXIMATE_ERROR : 0;
      const { intersects, distance, error, witness, counters } = pair.distance(poseA, poseB, { relativeError });
      return { ...NOTHING_TOLD, intersects, distance, error, witnesses: witness === null ? [] : [witness], counters };
    }
  }
}

function sumCounters(all: readonly QueryCounters[]): QueryCounters {
  const sum = (of: (counters: QueryCounters) => number): number => all.reduce((total, one) => total + of(one), 0);
  return {
    volumePairs: sum((counters) => counters.volumePairs),
    trianglePairs: sum((counters) => counters.trianglePairs),
    marchSteps: sum((counters) => counters.marchSteps),
    frontSize: sum((counters) => counters.frontSize),
    frontSkipped: sum((counters) => counters.frontSkipped),
    insideTests: sum((counters) => counters.insideTests),
  };
}

/** Around the boxes of all bodies in all frames. */
function sweptBox({ bodies, poses, frameCount }: Scenario, models: readonly ProximityModel[]): Box {
  const min: Vec3 = [Infinity, Infinity, Infinity];
  const max: Vec3 = [-Infinity, -Infinity, -Infinity];
  for (let frame = 0; frame < frameCount; frame++) {
    for (const [body, { boxMin, boxMax }] of models.entries()) {
      const start = 7 * (frame * bodies.length + body);
      const placed = poses.subarray(start, start + 7);
      for (let corner = 0; corner < 8; corner++) {
        const local = [0, 1, 2].map((k) => ((corner >> k) & 1 ? boxMax : boxMin)[k]) as Vec3;
        for (const [k, value] of pose.transformPoint(placed, local).entries()) {
          min[k] = Math.min(min[k], value);
          max[k] = Math.max(max[k], value);
        }
      }
    }
  }
  return { min, max };
}
