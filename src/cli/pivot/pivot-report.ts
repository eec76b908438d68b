// What `nearfield pivot` prints, the same for drawings and for meshes.
import { NearfieldError } from '../../core/errors.js';
import { columns, labeled, readable, readableVector } from '../table.js';
import type { Answer } from '../verb.js';

/** Chosen: points that are listed without --json. */
const POINTS_SHOWN = 20;
/** Proven: points of a list; as JSON they take half of the longest string. */
const MAX_POINTS = 2 ** 20;

export interface PivotPoint {
  /** The object whose boundary has the point. */
  readonly object: 'A' | 'B';
  readonly point: readonly number[];
  readonly depth: number;
  /** Unit, out of the other solid. */
  readonly direction: readonly number[];
  /** The length or area of boundary it stands for. */
  readonly measure: number;
}

export interface PivotContact {
  readonly point: readonly number[];
  /** Unit, from A to B. */
  readonly normal: readonly number[];
  /** Negative inside B. */
  readonly distance: number;
}

/** An answer about two drawings or two meshes. */
export interface PivotReport {
  readonly pathA: string;
  readonly pathB: string;
  readonly intersects: boolean;
  readonly separation: number;
  readonly pointA: readonly number[] | null;
  readonly pointB: readonly number[] | null;
  readonly penetrating: readonly PivotPoint[];
  readonly contacts: readonly PivotContact[];
  readonly threshold: number;
  readonly error: number;
  /** What `measure` of a point is. */
  readonly measure: 'length' | 'area';
  readonly counters: unknown;
  readonly milliseconds: number;
  readonly warnings: readonly string[];
}

/** Options of the verb that both parts take. */
export interface PivotRequest {
  readonly pathA: string;
  readonly pathB: string;
  readonly poseA: readonly number[] | null;
  readonly poseB: readonly number[] | null;
  readonly error: number | undefined;
  /** Default: twice the error. */
  readonly threshold: number | null;
}

/** Refuses lists whose JSON would not fit a string, before they are made. */
export function assertPointCount(count: number, what: string, error: number): void {
  if (count <= MAX_POINTS) return;
  throw new NearfieldError(
    'too-large',
    `Within ${readable(error)} there are ${count} ${what}, more than ${MAX_POINTS}; give a larger --error`,
  );
}

export function describePivot(report: PivotReport): Answer {
  const { penetrating, contacts, error, threshold, milliseconds, measure } = report;
  const deepest = penetrating.reduce((most, { depth }) => Math.max(most, depth), 0);
  return {
    json: {
      intersects: report.intersects,
      separation: report.separation,
      pointA: report.pointA,
      pointB: report.pointB,
      penetrating: penetrating.map(({ object, point, depth, direction, measure: size }) => ({
        object,
        point,
        depth,
        direction,
        [measure]: size,
      })),
      contacts,
      threshold,
      error,
      counters: report.counters,
      milliseconds,
    },
    text: [
      labeled([
        ['A', report.pathA],
        ['B', report.pathB],
        ['intersects', report.intersects ? 'yes' : 'no'],
        ['separation', readable(report.separation)],
        ...(report.pointA === null ? [] : [['point on A', readableVector(report.pointA)] as const]),
        ...(report.pointB === null ? [] : [['point on B', readableVector(report.pointB)] as const]),
        [
          'penetrating',
          penetrating.length === 0
            ? 'none'
            : `${readable(penetrating.length)} points, ${readable(deepest)} at the deepest`,
        ],
        ['contacts', `${readable(contacts.length)} within ${readable(threshold)}`],
        ['error', readable(error)],
        ['milliseconds', milliseconds.toFixed(2)],
      ]),
      ...(penetrating.length === 0 ? [] : ['', pointTable(penetrating, measure)]),
      ...(penetrating.length > POINTS_SHOWN
        ? [`… ${readable(penetrating.length - POINTS_SHOWN)} more; --json lists all`]
        : []),
    ].join('\n'),
    warnings: report.warnings,
  };
}

function pointTable(points: readonly PivotPoint[], measure: string): string {
  return columns(
    ['depth', 'of', 'point', 'way out', measure],
    [...points]
      .sort((a, b) => b.depth - a.depth)
      .slice(0, POINTS_SHOWN)
      .map(({ object, point, depth, direction, measure: size }) => [
        readable(depth),
        object,
        readableVector(point),
        readableVector(direction),
        readable(size),
      ]),
  );
}
