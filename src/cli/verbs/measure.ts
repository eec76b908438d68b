import * as box from '../../core/box.js';
import { PROXIMITY_DEFAULTS } from '../../proximity/defaults.js';
import type { Pair } from '../../proximity/pair.js';
import type { Contact, Witness } from '../../proximity/result.js';
import { takeLength, takePose, takePositionals } from '../arguments.js';
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
import { columns, labeled, readable, readableFeature, readableVector } from '../table.js';
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
    const inexact = (options.relativeError ?? 0) > 0 || (options.absoluteError ?? 0) > 0;
    const volume = takeVolume(input, PROXIMITY_DEFAULTS.statelessVolume);
    const { pair, preprocessMs } = await loadPair(
      pathA,
      pathB,
      // One placement: nothing is to be remembered.
      { volume, hulls: takeHullFiles(input), queries: 1, coherence: false },
      input.progress,
    );

    const start = performance.now();
    const { intersects, distance, error, witness, counters } = pair.distance(poseA, poseB, options);
    const milliseconds = performance.now() - start;
    const within = tolerance === null ? null : pair.within(poseA, poseB, tolerance).within;
    const contactTolerance = tolerance ?? (distance === null ? options.cutoff! : distance + contactMargin(pair));
    const found = input.values.contacts ? pair.contacts(poseA, poseB, { tolerance: contactTolerance }) : null;
    const contacts = found?.contacts ?? null;
    return {
      json: {
        intersects,
        distance,
        error,
        ...(within !== null && { within }),
        pointA: witness?.pointA ?? null,
        pointB: witness?.pointB ?? null,
        normal: witness?.normal ?? null,
        featureA: witness?.featureA ?? null,
        featureB: witness?.featureB ?? null,
        contacts: contacts ?? [],
        ...(found !== null && { contactTolerance, contactCounters: found.counters }),
        counters,
        preprocessMs,
        milliseconds,
      },
      text: [
        labeled([
          ['A', pathA],
          ['B', pathB],
          ['intersects', intersects ? 'yes' : 'no'],
          ['distance', distance === null ? `more than ${readable(options.cutoff!)}` : readable(distance)],
          ...(inexact ? [['too large by at most', readable(error)] as const] : []),
          ...(tolerance === null ? [] : [[`within ${readable(tolerance)}`, within ? 'yes' : 'no'] as const]),
          ...describeWitness(witness),
          [
            'tested',
            `${readable(counters.volumePairs)} pairs of ${pair.volume}, ${readable(counters.trianglePairs)} of triangles`,
          ],
          ['milliseconds', `${milliseconds.toFixed(2)}, after ${preprocessMs.toFixed(1)} to prepare`],
          ...(contacts === null
            ? []
            : [
                [
                  'contacts',
                  intersects
                    ? '– (the models intersect)'
                    : `${readable(contacts.length)} up to ${readable(contactTolerance)}`,
                ] as const,
              ]),
        ]),
        ...(contacts === null || contacts.length === 0 ? [] : ['', contactTable(contacts)]),
      ].join('\n'),
    };
  },
};

function contactMargin({ a, b }: Pair): number {
  const size = (positions: Float64Array): number => box.diagonal(box.ofPositions(positions));
  return CONTACT_MARGIN * Math.min(size(a.mesh.positions), size(b.mesh.positions));
}

function describeWitness(witness: Witness | null): [string, string][] {
  if (witness === null) return [];
  return [
    ['point on A', `${readableVector(witness.pointA)} ${readableFeature(witness.featureA)}`],
    ['point on B', `${readableVector(witness.pointB)} ${readableFeature(witness.featureB)}`],
    ['normal', readableVector(witness.normal)],
  ];
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
