// Clashes as a table of comma-separated values (RFC 4180), for spreadsheets.

import type { AssemblyPart } from '../../clash/assembly.js';
import type { GradedClash } from '../../clash/graded-clash.js';
import type { EqualClashes } from './equal-clashes.js';

const HEADINGS = [
  'clash',
  'id',
  'kind',
  'grade',
  'certain',
  'part A',
  'part B',
  'depth at least',
  'depth at most',
  'distance',
  'thickness',
  'thickness at least',
  'touching up to',
  'length of the curves',
  'size of the overlap',
  'volume at least',
  'volume at most',
  ...['move A by', 'way out', 'point on A', 'point on B'].flatMap((name) =>
    ['x', 'y', 'z'].map((axis) => `${name} ${axis}`),
  ),
  'equal clashes',
  'first of these',
  'depth unknown because',
  ...['A', 'B'].flatMap((part) => ['id', 'class', 'storey'].map((fact) => `${fact} of ${part}`)),
];

/** One row a clash, worst first; depths and distances in the unit of the files. */
export function writeClashCsv(
  parts: readonly AssemblyPart[],
  clashes: readonly GradedClash[],
  equal: readonly EqualClashes[],
  ids: readonly string[],
): string {
  const groupOf = new Map(equal.flatMap((group) => group.clashes.map((clash) => [clash, group] as const)));
  const rows = clashes.map((clash, index) => {
    const group = groupOf.get(index)!.clashes;
    const triple = (vector: readonly number[] | null): (number | string)[] =>
      vector === null ? ['', '', ''] : [...vector];
    return [
      index + 1,
      ids[index],
      clash.kind,
      clash.grade,
      clash.certain ? 'yes' : 'no',
      parts[clash.a].name,
      parts[clash.b].name,
      clash.lower ?? '',
      clash.upper ?? '',
      clash.distance,
      clash.thickness ?? '',
      clash.thicknessLower ?? '',
      clash.floor,
      clash.crossingLength,
      clash.crossingSize,
      clash.volume?.lower ?? '',
      clash.volume?.upper ?? '',
      ...triple(clash.vector),
      ...triple(clash.wayOut),
      ...triple(clash.pointA),
      ...triple(clash.pointB),
      group.length,
      group[0] + 1,
      clash.reason ?? '',
      ...[clash.a, clash.b].flatMap((part) => {
        const { id, kind, storey } = parts[part].about ?? {};
        return [id ?? '', kind ?? '', storey ?? ''];
      }),
    ];
  });
  return [HEADINGS, ...rows].map((row) => `${row.map(writeCell).join(',')}\r\n`).join('');
}

/** A spreadsheet would run a name that begins like a formula, so it gets an apostrophe. */
function writeCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
