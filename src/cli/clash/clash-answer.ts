// What a clash check found, as facts for people and for programs.
import type { AssemblyPart } from '../../clash/assembly.js';
import type { ClashCheck } from '../../clash/clash-check.js';
import type { ClashGrade, GradedClash } from '../../clash/graded-clash.js';
import type { ClashGroup } from '../../clash/group-clashes.js';
import type { Fact } from '../facts.js';
import { columns, readable, readableVector } from '../table.js';
import type { ClashRequest } from './clash-request.js';
import { describeClash } from './describe-clash.js';

/** Chosen: groups of clashes that are printed without --json, about one screen. */
const GROUPS_SHOWN = 30;

/** Counts of clashes by their grade. */
export type GradeCounts = Record<ClashGrade, number>;

/** What a check has looked at, and how long it took. */
export interface CheckedParts {
  readonly parts: readonly AssemblyPart[];
  readonly check: ClashCheck;
  readonly milliseconds: number;
  /** Lines about jobs that no machine could answer. */
  readonly failures: readonly string[];
}

/** The facts of a check whose clashes are all at hand. */
export function describeClashes(
  request: ClashRequest,
  checked: CheckedParts,
  clashes: readonly GradedClash[],
  groups: readonly ClashGroup[],
): Fact[] {
  const { parts, check, milliseconds, failures } = checked;
  const names = parts.map(({ name }) => name);
  const grades = countGrades(clashes);
  return [
    countParts(parts),
    { row: ['pairs tested', readable(check.pairsTested)], json: { pairsTested: check.pairsTested } },
    countIgnored(check),
    {
      row: ['clashes', describeGrades(grades)],
      json: {
        clashes: clashes.map((clash) => nameParts(clash, parts)),
        groups: groups.map((group) => ({ a: names[group.a], b: names[group.b], clashes: group.clashes })),
        grades,
        clearance: request.clearance,
        intersecting: clashes.filter(({ intersects }) => intersects).length,
        names,
      },
    },
    { row: ['milliseconds', milliseconds.toFixed(1)], json: { milliseconds } },
    tellFailures(failures),
    ...request.written.map(([name, path]) => ({ row: [name, path] as const, json: { [name]: path } })),
  ];
}

/** The facts of a check whose clashes were written one by one. */
export function describeStream(
  { clearance, stream }: ClashRequest,
  { parts, check, milliseconds, failures }: CheckedParts,
  grades: GradeCounts,
  intersecting: number,
): Fact[] {
  const { pairsTested, questionCount: questions } = check;
  const clashCount = grades.interference + grades.touch + grades.clearance;
  return [
    countParts(parts),
    {
      row: ['pairs tested', `${readable(pairsTested)}, ${readable(questions)} of them different`],
      json: { pairsTested },
    },
    countIgnored(check),
    { row: ['clashes', describeGrades(grades)], json: { questions, clashCount, grades, clearance, intersecting } },
    { row: ['milliseconds', milliseconds.toFixed(1)], json: { milliseconds } },
    { row: ['output', stream ?? ''], json: { output: stream } },
    tellFailures(failures),
  ];
}

/** The table of the worst clash of each group, with an empty line above it; no lines without clashes. */
export function tabulateGroups(
  parts: readonly AssemblyPart[],
  clashes: readonly GradedClash[],
  groups: readonly ClashGroup[],
): string[] {
  if (clashes.length === 0) return [];
  const rowOf = (group: ClashGroup): string[] => {
    const worst = clashes[group.clashes[0]];
    return [
      worst.grade,
      describeClash(worst),
      readable(group.clashes.length),
      parts[worst.a].name,
      parts[worst.b].name,
      readableVector(worst.pointA),
      readableVector(worst.pointB),
    ];
  };
  const headings = ['grade', 'depth or distance', 'times', 'part A', 'part B', 'point on A', 'point on B'];
  const hidden = groups.length - GROUPS_SHOWN;
  return [
    '',
    columns(headings, groups.slice(0, GROUPS_SHOWN).map(rowOf)),
    ...(hidden > 0 ? [`… and ${readable(hidden)} more rows: --json or --report has them all`] : []),
  ];
}

export function nameParts({ a, b, ...clash }: GradedClash, parts: readonly AssemblyPart[]): object {
  return { a: parts[a].name, b: parts[b].name, indexA: a, indexB: b, ...clash };
}

/** Says how many depths are missing, and why the first of them is. */
export function warnUnknown(clashes: readonly GradedClash[], depthSeconds: number): string[] {
  const unknown = clashes.filter(({ reason }) => reason !== null);
  if (unknown.length === 0 || depthSeconds === 0) return [];
  return [`${readable(unknown.length)} clashes have no depth, the first because: ${unknown[0].reason}`];
}

function countParts(parts: readonly AssemblyPart[]): Fact {
  return { row: ['parts', readable(parts.length)], json: { parts: parts.length } };
}

function countIgnored({ pairsIgnored }: ClashCheck): Fact {
  return { row: pairsIgnored === 0 ? undefined : ['pairs ignored', readable(pairsIgnored)], json: { pairsIgnored } };
}

function tellFailures(failures: readonly string[]): Fact {
  return { json: failures.length === 0 ? {} : { failures } };
}

function describeGrades({ interference, touch, clearance }: GradeCounts): string {
  const all = readable(interference + touch + clearance);
  return `${all}: ${readable(interference)} interfere, ${readable(touch)} touch, ${readable(clearance)} too close`;
}

function countGrades(clashes: readonly GradedClash[]): GradeCounts {
  const counts: GradeCounts = { interference: 0, touch: 0, clearance: 0 };
  for (const { grade } of clashes) counts[grade]++;
  return counts;
}
