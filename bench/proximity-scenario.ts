// One scenario with every contestant: all the figures that the tables of the proximity suite are made of.
import { bytesPerTriangle } from 'nearfield/decomposition';
import { type Mesh, triangleCount } from 'nearfield/mesh';
import { type CoherenceOptions, hullsOf, ProximityModel, prepareModel } from 'nearfield/proximity';
import { buildFclDriver, type FclDriver, FclScene, listMeshes } from './peers/fcl.js';
import { type PairAnswer, type PeerModel, peerContestant } from './peers/peer.js';
import { loadRapier, type Rapier } from './peers/rapier.js';
import { loadThreeMeshBvh, type ThreeMeshBvh } from './peers/three-mesh-bvh.js';
import { type FrameContestant, type FrameTiming, timeFrames } from './proximity-contest.js';
import {
  coherentContestant,
  type PreparedScenario,
  prepareScenario,
  type Question,
  statelessContestant,
} from './proximity-ours.js';
import { fclContestant } from './proximity-quick.js';
import type { Scenario } from './scenarios/scenario.js';
import { slabs } from './scenarios/slabs.js';

export interface Peers {
  readonly fcl: FclDriver;
  readonly threeMeshBvh: ThreeMeshBvh | null;
  readonly rapier: Rapier | null;
}

export async function loadPeers(): Promise<Peers> {
  return { fcl: buildFclDriver(), threeMeshBvh: await loadThreeMeshBvh(), rapier: await loadRapier() };
}

/** What it took to make a mesh ready; null where the contestant is missing. */
export interface Preparation {
  readonly name: string;
  readonly triangles: number;
  readonly boxes: PeerModel;
  readonly hulls: PeerModel;
  readonly fcl: PeerModel | null;
  readonly threeMeshBvh: PeerModel | null;
}

export interface ScenarioOutcome {
  readonly title: string;
  readonly name: string;
  readonly pairs: number;
  readonly preparations: readonly Preparation[];
  /** The median over the frames of the nearest pair's distance: tolerance and contacts are asked with this. */
  readonly tolerance: number;
  readonly intersection: readonly FrameTiming[];
  readonly distance: readonly FrameTiming[];
  readonly hullDistance: readonly FrameTiming[];
  readonly approximate: readonly FrameTiming[];
  readonly within: readonly FrameTiming[];
  readonly contacts: readonly FrameTiming[];
}

/** Every combination of the three techniques of Ehmann and Lin 2001, in the order of their Table 4. */
export const HULL_COMBINATIONS: readonly { readonly name: string; readonly coherence: CoherenceOptions }[] = [
  combination('CH'),
  combination('CH (PC)', 'pieceCaching'),
  combination('CH (PD)', 'prioritySearch'),
  combination('CH (FT)', 'frontTracking'),
  combination('CH (PC, PD)', 'pieceCaching', 'prioritySearch'),
  combination('CH (PC, FT)', 'pieceCaching', 'frontTracking'),
  combination('CH (PD, FT)', 'prioritySearch', 'frontTracking'),
  combination('CH (PC, PD, FT)', 'pieceCaching', 'prioritySearch', 'frontTracking'),
];

function combination(name: string, ...on: (keyof CoherenceOptions)[]) {
  const off = { pieceCaching: false, prioritySearch: false, frontTracking: false, motionBounds: false };
  return { name, coherence: { ...off, ...Object.fromEntries(on.map((key) => [key, true])) } };
}

const PASSES = 3;

export async function runScenario(
  scenario: Scenario,
  peers: Peers,
  stage: (name: string) => void,
): Promise<ScenarioOutcome> {
  const prepared = prepareScenario(scenario);
  const fcl = 'file' in peers.fcl ? new FclScene(peers.fcl.file, scenario) : null;
  const preparations = await prepareModels(prepared, fcl, peers);
  const contest = (contestants: readonly (FrameContestant | null)[]) =>
    timeFrames(
      contestants.filter((each) => each !== null),
      { pairs: scenario.pairs.length, passes: PASSES },
    );
  const ours = (question: Question): FrameContestant[] => [
    statelessContestant('stateless', prepared, question),
    coherentContestant('boxes', prepared, question, { volume: 'boxes' }),
    coherentContestant('coherent', prepared, question),
  ];
  const hull = (name: string, question: Question, coherence: CoherenceOptions | boolean) =>
    coherentContestant(name, prepared, question, { volume: 'hulls', coherence });
  const peer = (name: string, answer: PairAnswer | undefined) =>
    answer === undefined ? null : peerContestant(name, prepared, answer);
  const fclTurn = (question: Question) => (fcl ? fclContestant(fcl, scenario, question) : null);

  stage('intersection');
  const intersects: Question = { query: 'intersects' };
  const intersection = await contest([
    ...ours(intersects),
    hull('CH', intersects, HULL_COMBINATIONS[0].coherence),
    hull('CH (FT)', intersects, HULL_COMBINATIONS[3].coherence),
    fclTurn(intersects),
    peer('three-mesh-bvh', peers.threeMeshBvh?.intersects),
    peer('Rapier', peers.rapier?.intersects),
  ]);

  stage('exact distance');
  const exact: Question = { query: 'distance' };
  const distance = await contest([
    ...ours(exact),
    coherentContestant('coherent, no motion bounds', prepared, exact, { coherence: { motionBounds: false } }),
    fclTurn(exact),
  ]);
  const known = distance[0].answers;
  const atDistance = (frame: number, pair: number) => known[frame * scenario.pairs.length + pair];
  distance.push(
    ...(await contest([
      peer('three-mesh-bvh', peers.threeMeshBvh?.distance),
      peer('Rapier', peers.rapier?.distance(atDistance)),
    ])),
  );

  stage('exact distance by hulls');
  // Eight times half a minute on the slabs, which Ehmann and Lin 2001 do not have.
  const combinations = scenario.name === slabs.name ? [] : HULL_COMBINATIONS;
  const hullDistance = await contest(combinations.map(({ name, coherence }) => hull(name, exact, coherence)));

  stage('approximate distance');
  const rough: Question = { query: 'distance', relativeError: 0.1 };
  const approximate = await contest([
    ...ours(rough),
    hull('CH (PC, PD, FT)', rough, HULL_COMBINATIONS[7].coherence),
    fclTurn(rough),
  ]);

  stage('tolerance');
  const tolerance = medianClearance(known, scenario.pairs.length);
  const within = await contest(ours({ query: 'within', tolerance }));
  stage('contacts');
  const contacts = await contest(ours({ query: 'contacts', tolerance }));
  fcl?.close();
  return {
    title: scenario.title,
    name: scenario.name,
    pairs: scenario.pairs.length,
    preparations,
    tolerance,
    intersection,
    distance,
    hullDistance,
    approximate,
    within,
    contacts,
  };
}

async function prepareModels(
  { scenario, models }: PreparedScenario,
  fcl: FclScene | null,
  peers: Peers,
): Promise<Preparation[]> {
  const theirs = await fcl?.models;
  return listMeshes(scenario.bodies).map((mesh, index): Preparation => {
    peers.rapier?.build(mesh);
    return {
      name: scenario.bodies.find((body) => body.mesh === mesh)!.name,
      triangles: triangleCount(mesh),
      boxes: timeModel(mesh, models.get(mesh)!, 'boxes'),
      hulls: timeModel(mesh, models.get(mesh)!, 'hulls'),
      fcl: theirs?.[index] ?? null,
      threeMeshBvh: peers.threeMeshBvh?.build(mesh) ?? null,
    };
  });
}

/** Builds a model twice, the second time for the clock, and readies the one that the queries use. */
function timeModel(mesh: Mesh, model: ProximityModel, volume: 'boxes' | 'hulls'): PeerModel {
  prepareModel(model, volume);
  const start = performance.now();
  prepareModel(new ProximityModel(mesh), volume);
  return { buildMilliseconds: performance.now() - start, bytes: bytesOf(model, volume) };
}

/** Bytes of the mesh and of what a bounding volume keeps. */
function bytesOf(model: ProximityModel, volume: 'boxes' | 'hulls'): number {
  const { mesh } = model;
  if (volume === 'hulls') return bytesPerTriangle(hullsOf(model)) * triangleCount(mesh);
  return mesh.positions.byteLength + mesh.indices.byteLength + model.boxes.bytes;
}

/** The median over the frames of the distance of a frame's nearest pair. */
function medianClearance(distances: Float64Array, pairs: number): number {
  const clearances = Float64Array.from({ length: distances.length / pairs }, (_, frame) =>
    Math.min(...distances.subarray(frame * pairs, (frame + 1) * pairs)),
  );
  return clearances.sort()[clearances.length >> 1];
}
