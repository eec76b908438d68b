// What a clash check found, as facts for people and for programs.
import type { AssemblyPart } from '../../clash/assembly.js';
import type { ClashCheck } from '../../clash/clash-check.js';
import type { ClashReview } from '../../clash/clash-identity.js';
import type { ClashGrade, GradedClash } from '../../clash/graded-clash.js';
import { type ClashGroup, groupClashesByPlace, groupClashesByType } from '../../clash/group-clashes.js';
import type { InsideOpen } from '../../clash/inside-open.js';
import type { MovingReport } from '../../clash/moving-clashes.js';
import type { TouchCause } from '../../clash/touch-floors.js';
import { transformPoint } from '../../core/pose.js';
import type { ReadTopic } from '../../io/bcf/read-bcf.js';
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
  readonly lengths: CheckLengths;
  /** Clashes that the rules left out: pairs to be ignored, and overlaps that are wanted. */
  readonly ignored: number;
  readonly allowed: number;
  /** Null where parts do not move. */
  readonly moving: MovingReport | null;
  /** Parts that seem to be inside of open ones. */
  readonly inside: readonly InsideOpen[];
}

/** The lengths of a check in the unit of its answer. */
export interface CheckLengths {
  readonly clearance: number;
  readonly touchTolerance: number | undefined;
  /** The name of the unit. */
  readonly unit: string;
  /** The unit in meters; null if nobody knows it. */
  readonly meters: number | null;
}

/** What tells clashes apart from one check to the next. */
export interface ReviewedIds {
  readonly ids: readonly string[];
  /** Null without an earlier check. */
  readonly review: ClashReview | null;
  /** The topics of an earlier BCF file. */
  readonly topics: readonly ReadTopic[];
}

/** Chosen: clashes within this share of the assembly's size are in one place. */
const PLACE_SHARE = 0.02;

/** Chosen: parts that a warning names. */
const PARTS_NAMED = 3;

/** The facts of a check whose clashes are all at hand. */
export function describeClashes(
  request: ClashRequest,
  checked: CheckedParts,
  clashes: readonly GradedClash[],
  groups: readonly ClashGroup[],
  { ids, review, topics }: ReviewedIds,
): Fact[] {
  const topicOf = new Map(topics.map((topic) => [topic.guid, topic]));
  const { parts, check, milliseconds, failures, lengths, inside } = checked;
  const names = parts.map(({ name }) => name);
  const grades = countGrades(clashes);
  return [
    countParts(parts),
    { row: ['pairs tested', readable(check.pairsTested)], json: { pairsTested: check.pairsTested } },
    countIgnored(checked),
    {
      row: ['clashes', describeGrades(grades)],
      json: {
        clashes: clashes.map((clash, i) => ({
          ...{ id: ids[i], ...(review !== null && { state: review.states[i] }), ...wordsOf(topicOf.get(ids[i])) },
          ...nameParts(clash, parts),
        })),
        ...(review !== null && { solved: review.solved }),
        byType: groupClashesByType(parts, clashes),
        byPlace: groupClashesByPlace(clashes, PLACE_SHARE * sizeOf(parts)),
        groups: groups.map((group) => ({ a: names[group.a], b: names[group.b], clashes: group.clashes })),
        grades,
        clearance: lengths.clearance,
        unit: lengths.meters === null ? null : lengths.unit,
        intersecting: clashes.filter(({ intersects }) => intersects).length,
        names,
      },
    },
    tellTouches(clashes),
    ...(review === null ? [] : [{ row: ['since the last check', describeReview(review)] as const }]),
    ...tellMoving(checked),
    {
      json:
        inside.length === 0
          ? {}
          : { inside: inside.map(({ inner, outer }) => ({ inner: names[inner], outer: names[outer] })) },
    },
    { row: ['unit', lengths.unit] },
    ...tellParts(parts),
    { row: ['milliseconds', milliseconds.toFixed(1)], json: { milliseconds } },
    tellFailures(failures),
    ...request.written.map(([name, path]) => ({ row: [name, path] as const, json: { [name]: path } })),
  ];
}

/** What people have made of the topic of a clash. */
function wordsOf(topic: ReadTopic | undefined): object {
  if (topic === undefined) return {};
  const { status, assignedTo, comments } = topic;
  return { topic: { status, assignedTo: assignedTo ?? null, comments } };
}

/** The facts of a check whose clashes were written one by one. */
export function describeStream(
  { stream }: ClashRequest,
  checked: CheckedParts,
  grades: GradeCounts,
  intersecting: number,
): Fact[] {
  const { parts, check, milliseconds, failures, lengths } = checked;
  const { clearance, meters } = lengths;
  const unit = meters === null ? null : lengths.unit;
  const { pairsTested, questionCount: questions } = check;
  const clashCount = grades.interference + grades.touch + grades.clearance;
  return [
    countParts(parts),
    {
      row: ['pairs tested', `${readable(pairsTested)}, ${readable(questions)} of them different`],
      json: { pairsTested },
    },
    countIgnored(checked),
    {
      row: ['clashes', describeGrades(grades)],
      json: { questions, clashCount, grades, clearance, unit, intersecting },
    },
    ...tellParts(parts),
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
      worst.kind,
      worst.thickness === null ? '–' : readable(worst.thickness),
      describeClash(worst),
      readable(group.clashes.length),
      parts[worst.a].name,
      parts[worst.b].name,
      readableVector(worst.pointA),
      readableVector(worst.pointB),
    ];
  };
  const headings = ['kind', 'thickness', 'depth or distance', 'times', 'part A', 'part B', 'point on A', 'point on B'];
  const hidden = groups.length - GROUPS_SHOWN;
  return [
    '',
    columns(headings, groups.slice(0, GROUPS_SHOWN).map(rowOf)),
    ...(hidden > 0 ? [`… and ${readable(hidden)} more rows: --json or --report has them all`] : []),
  ];
}

/** The table of pairs that meet while they move, or come nearest. */
export function tabulateMoving(parts: readonly AssemblyPart[], moving: MovingReport | null): string[] {
  if (moving === null || moving.pairs.length === 0) return [];
  const rows = moving.pairs
    .slice(0, GROUPS_SHOWN)
    .map(({ a, b, status, time, lower, upper }) => [
      status === 'impact' ? 'meet' : status === 'clear' ? 'stay apart' : 'not decided',
      readable(time),
      status === 'clear' ? `${readable(lower)} to ${readable(upper)}` : '–',
      parts[a].name,
      parts[b].name,
    ]);
  const hidden = moving.pairs.length - rows.length;
  return [
    '',
    columns(['in motion', 'time', 'least distance', 'part A', 'part B'], rows),
    ...(hidden > 0 ? [`… and ${readable(hidden)} more rows: --json has them all`] : []),
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

function countIgnored({ check, ignored, allowed }: CheckedParts): Fact {
  const pairsIgnored = check.pairsIgnored + ignored;
  const words = [
    ...(pairsIgnored > 0 ? [`${readable(pairsIgnored)} ignored`] : []),
    ...(allowed > 0 ? [`${readable(allowed)} allowed overlaps`] : []),
  ];
  return {
    row: words.length === 0 ? undefined : ['pairs left out', words.join(', ')],
    json: { pairsIgnored, ...(allowed > 0 && { overlapsAllowed: allowed }) },
  };
}

function tellMoving({ parts, moving }: CheckedParts): Fact[] {
  if (moving === null) return [];
  const { pairs, atRest, pairsTested } = moving;
  const count = (wanted: string): string => readable(pairs.filter(({ status }) => status === wanted).length);
  const words = [`${count('impact')} pairs meet`, `${count('clear')} stay apart`, `${readable(atRest)} meet at rest`];
  return [
    {
      row: ['in motion', words.join(', ')],
      json: {
        moving: {
          pairs: pairs.map(({ a, b, ...pair }) => ({
            a: parts[a].name,
            b: parts[b].name,
            indexA: a,
            indexB: b,
            ...pair,
          })),
          ...{ atRest, pairsTested },
        },
      },
    },
  ];
}

/** Says which parts seem to be inside of open ones. */
export function warnInside(parts: readonly AssemblyPart[], inside: readonly InsideOpen[]): string[] {
  if (inside.length === 0) return [];
  const some = inside
    .slice(0, PARTS_NAMED)
    .map(({ inner, outer }) => `"${parts[inner].name}" in "${parts[outer].name}"`);
  const more = inside.length > PARTS_NAMED ? `, and ${readable(inside.length - PARTS_NAMED)} more` : '';
  return [`parts that seem to be inside of open ones, and are not counted as clashes: ${some.join(', ')}${more}`];
}

/** The diagonal of the box around the balls of all parts. */
function sizeOf(parts: readonly AssemblyPart[]): number {
  const sides = [0, 1, 2].map((k) => {
    const [low, high] = [-1, 1].map((sign) =>
      parts.map(({ model, pose: place }) => transformPoint(place, model.center)[k] + sign * model.radius),
    );
    return high.reduce((p, q) => Math.max(p, q)) - low.reduce((p, q) => Math.min(p, q));
  });
  return Math.hypot(...sides);
}

/** What was done to parts, and which are not solids. */
function tellParts(parts: readonly AssemblyPart[]): Fact[] {
  const cleaned = parts.flatMap(({ name, cleaning }) =>
    cleaning === undefined || cleaning.done.length === 0
      ? []
      : [{ name, done: cleaning.done, tolerance: cleaning.tolerance }],
  );
  const open = listOpen(parts).map(({ name, cleaning }) => ({ name, openEdges: cleaning!.openEdges }));
  const flat = parts.filter(({ cleaning }) => cleaning?.flat).map(({ name }) => name);
  return [
    {
      row: cleaned.length === 0 ? undefined : ['parts made sound', readable(cleaned.length)],
      json: { ...(cleaned.length > 0 && { cleaned }) },
    },
    {
      row: open.length === 0 ? undefined : ['open parts', `${readable(open.length)}; nothing inside them is seen`],
      json: { ...(open.length > 0 && { open }), ...(flat.length > 0 && { flat }) },
    },
  ];
}

/** The parts that bound no solid although they have faces. */
function listOpen(parts: readonly AssemblyPart[]): readonly AssemblyPart[] {
  return parts.filter(({ cleaning }) => cleaning !== undefined && !cleaning.closed && !cleaning.flat);
}

/** Says which parts a check sees only the surface of, or nothing at all. */
export function warnUnseen(parts: readonly AssemblyPart[]): string[] {
  const nameSome = (listed: readonly AssemblyPart[]): string => {
    const some = listed.slice(0, PARTS_NAMED).map(({ name }) => `"${name}"`);
    return `${some.join(', ')}${listed.length > PARTS_NAMED ? `, and ${readable(listed.length - PARTS_NAMED)} more` : ''}`;
  };
  const open = listOpen(parts);
  const flat = parts.filter(({ cleaning }) => cleaning?.flat);
  return [
    ...(open.length === 0
      ? []
      : [`parts that are open, so that nothing inside them is seen (${readable(open.length)}): ${nameSome(open)}`]),
    ...(flat.length === 0
      ? []
      : [`parts whose faces are all without area (${readable(flat.length)}): ${nameSome(flat)}`]),
  ];
}

function describeReview({ states, solved }: ClashReview): string {
  const known = states.filter((state) => state === 'known').length;
  return `${readable(states.length - known)} new, ${readable(known)} known, ${readable(solved.length)} solved`;
}

/** The words for what makes pairs touch. */
const CAUSES: Readonly<Record<TouchCause, string>> = {
  tolerance: 'by the tolerance',
  rounding: 'by rounding in the files',
  chord: 'by the chord error',
  facets: 'by facets',
};

/** How many pairs only touch because of which floor, and how large that is at most: none of them is hidden. */
function tellTouches(clashes: readonly GradedClash[]): Fact {
  const touches: Partial<Record<TouchCause, { clashes: number; largest: number }>> = {};
  for (const { touchBy, floors } of clashes) {
    if (touchBy === null) continue;
    const known = (touches[touchBy] ??= { clashes: 0, largest: 0 });
    known.clashes++;
    known.largest = Math.max(known.largest, floors[touchBy]);
  }
  const causes = (Object.keys(CAUSES) as TouchCause[]).filter((cause) => touches[cause] !== undefined);
  const words = causes.map((cause) => {
    const { clashes: count, largest } = touches[cause]!;
    return `${readable(count)} ${CAUSES[cause]} (up to ${readable(largest)})`;
  });
  return { row: words.length === 0 ? undefined : ['touches only', words.join(', ')], json: { touches } };
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
