import * as box from '../../core/box.js';
import type { DistanceOptions } from '../../proximity/options.js';
import { PROXIMITY_DEFAULTS } from '../../proximity/options.js';
import type { Pair } from '../../proximity/pair.js';
import type { Contact, DistanceResult, QueryCounters, Witness } from '../../proximity/result.js';
import { takeLength, takePose, takePositionals } from '../arguments.js';
import { type Fact, factsAsJson, factsAsText } from '../facts.js';
import {
  DISTANCE_HELP,
  DISTANCE_OPTIONS,
  loadPair,
  takeDistanceOptions,
  takeHullFiles,
  takeVolume,
  VOLUME_HELP,
  VOLUME_OPTION,
} from '../load-proximity.js';
import { columns, readable, readableFeature, readableVector } from '../table.js';
import type { Verb } from '../verb.js';

/**
 * Chosen: without --tolerance, contacts reach up to the distance plus this fraction of the smaller model's box
 * diagonal.
 */
const CONTACT_MARGIN = 0.01;

export const measure: Verb = {
  name: 'measure',
  summary: 'measures the distance of two models, with the nearest points, and whether they intersect',
  usage: 'measure A B [--pose-a P] [--pose-b P] [--tolerance T] [--contacts]',
  help: `Closed models are solids: a model inside another intersects it. Open models are surfaces. Touching models intersect.
The distance is exact up to rounding unless an error is allowed. Points are in the world frame.
  --pose-a P, --pose-b P   poses of the models: tx,ty,tz,qx,qy,qz,qw (default: as in their files)
  --tolerance T        also test whether the distance is at most T (within)
  --contacts           also list every local minimum of the distance up to T, nearest first
                       (without --tolerance: up to the distance plus 1 % of the smaller model's box diagonal)
${DISTANCE_HELP}
${VOLUME_HELP}

  nearfield measure bolt.stl bracket.stl
  nearfield measure a.obj b.obj --pose-b 0.2,0,0,0,0,0,1 --tolerance 0.05 --contacts
  nearfield measure a.obj b.obj --relative-error 0.1 --json | jq .distance`,
  options: {
    'pose-a': { type: 'string' },
    'pose-b': { type: 'string' },
    tolerance: { type: 'string' },
    contacts: { type: 'boolean' },
    ...DISTANCE_OPTIONS,
    ...VOLUME_OPTION,
  },
  async run(input) {
    const [pathA, pathB] = takePositionals(input, 'measure', ['A', 'B']);
    const poseA = takePose(input, 'pose-a');
    const poseB = takePose(input, 'pose-b');
    const tolerance = takeLength(input, 'tolerance');
    const options = takeDistanceOptions(input);
    const volume = takeVolume(input, PROXIMITY_DEFAULTS.statelessVolume);
    const { pair, preprocessMs } = await loadPair(
      pathA,
      pathB,
      // One placement: nothing is to be remembered.
      { volume, hulls: takeHullFiles(input), queries: 1, coherence: false },
      input.progress,
    );

    const start = performance.now();
    const measured = pair.distance(poseA, poseB, options);
    const milliseconds = performance.now() - start;
    const { distance } = measured;
    const within = tolerance === null ? null : pair.within(poseA, poseB, tolerance).within;
    const contactTolerance = tolerance ?? (distance === null ? options.cutoff! : distance + contactMargin(pair));
    const found = input.values.contacts ? pair.contacts(poseA, poseB, { tolerance: contactTolerance }) : null;
    const facts: Fact[] = [
      { row: ['A', pathA] },
      { row: ['B', pathB] },
      ...describeDistance(measured, options),
      ...(within === null
        ? []
        : [{ row: [`within ${readable(tolerance!)}`, within ? 'yes' : 'no'] as const, json: { within } }]),
      ...describeWitness(measured.witness),
      { json: { contacts: found?.contacts ?? [] } },
      { json: found === null ? {} : { contactTolerance, contactCounters: found.counters } },
      describeCost(measured.counters, pair.volume),
      {
        row: ['milliseconds', `${milliseconds.toFixed(2)}, after ${preprocessMs.toFixed(1)} to prepare`],
        json: { preprocessMs, milliseconds },
      },
      ...(found === null
        ? []
        : [{ row: ['contacts', describeContacts(found.contacts, measured.intersects, contactTolerance)] as const }]),
    ];
    const table = found === null || found.contacts.length === 0 ? [] : ['', contactTable(found.contacts)];
    return { json: factsAsJson(facts), text: [factsAsText(facts), ...table].join('\n') };
  },
};

function contactMargin({ a, b }: Pair): number {
  const size = (positions: Float64Array): number => box.diagonal(box.ofPositions(positions));
  return CONTACT_MARGIN * Math.min(size(a.mesh.positions), size(b.mesh.positions));
}

function describeDistance({ intersects, distance, error }: DistanceResult, options: DistanceOptions): Fact[] {
  const inexact = (options.relativeError ?? 0) > 0 || (options.absoluteError ?? 0) > 0;
  const shown = distance === null ? `more than ${readable(options.cutoff!)}` : readable(distance);
  return [
    { row: ['intersects', intersects ? 'yes' : 'no'], json: { intersects } },
    { row: ['distance', shown], json: { distance } },
    { row: inexact ? ['too large by at most', readable(error)] : undefined, json: { error } },
  ];
}

function describeWitness(witness: Witness | null): Fact[] {
  if (witness === null) return [{ json: { pointA: null, pointB: null, normal: null, featureA: null, featureB: null } }];
  const { pointA, pointB, normal, featureA, featureB } = witness;
  return [
    { json: { pointA, pointB, normal, featureA, featureB } },
    { row: ['point on A', `${readableVector(pointA)} ${readableFeature(featureA)}`] },
    { row: ['point on B', `${readableVector(pointB)} ${readableFeature(featureB)}`] },
    { row: ['normal', readableVector(normal)] },
  ];
}

function describeCost(counters: QueryCounters, volume: string): Fact {
  const { volumePairs, trianglePairs } = counters;
  return {
    row: ['tested', `${readable(volumePairs)} pairs of ${volume}, ${readable(trianglePairs)} of triangles`],
    json: { counters },
  };
}

function describeContacts(contacts: readonly Contact[], intersects: boolean, tolerance: number): string {
  return intersects ? '– (the models intersect)' : `${readable(contacts.length)} up to ${readable(tolerance)}`;
}

function contactTable(contacts: readonly Contact[]): string {
  return columns(
    ['distance', 'point on A', 'on', 'point on B', 'on'],
    contacts.map(({ distance, pointA, pointB, featureA, featureB }) => [
      readable(distance),
      readableVector(pointA),
      readableFeature(featureA),
      readableVector(pointB),
      readableFeature(featureB),
    ]),
  );
}
