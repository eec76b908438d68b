import type { MeshFeature } from '../mesh/triangle/triangle-region.js';

/** Text without line breaks and control characters. Names in files may contain some, and a terminal would obey them. */
export function onOneLine(text: string): string {
  return text.replace(/[\n\r\t\u2028\u2029]+/g, ' ').replace(/\p{Cc}/gu, '\ufffd');
}

/** Rows of a label and a value, with the values aligned. */
export function labeled(rows: readonly (readonly [label: string, value: string])[]): string {
  const width = Math.max(...rows.map(([label]) => label.length)) + 2;
  return rows.map(([label, value]) => `${label.padEnd(width)}${onOneLine(value)}`.trimEnd()).join('\n');
}

/** Columns of text under headings. Numbers (text that starts with a digit or minus) are right-aligned. */
export function columns(headings: readonly string[], cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map(onOneLine));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const right = headings.map(
    (_, column) => rows.length > 0 && rows.every((row) => /^(-?[\d.]|–|$)/.test(row[column] ?? '')),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (right[column] ? cell.padStart(widths[column]) : cell.padEnd(widths[column])))
      .join('  ')
      .trimEnd();
  return [line(headings), ...rows.map(line)].join('\n');
}

/** A number for people: six significant digits, thousands grouped in whole numbers. */
export function readable(value: number): string {
  if (value === 0) return '0';
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return value.toLocaleString('en-US');
  return String(Number(value.toPrecision(6)));
}

export function readableVector(vector: readonly number[] | null): string {
  return vector === null ? '–' : `(${vector.map(readable).join(', ')})`;
}

/** A feature for people; null means a point inside a solid. */
export function readableFeature(feature: MeshFeature | null): string {
  return feature === null ? 'inside' : `${feature.kind} ${feature.vertices.join('-')}`;
}
