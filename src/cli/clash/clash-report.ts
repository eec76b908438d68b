// The clashes of an assembly as one HTML page: a summary, a table, and a picture of each. All pictures together have a
// limited number of triangles, so that a page of thousands of clashes stays below twenty megabytes.
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { writeHtmlReport } from '../../io/report/html-report.js';
import type { AssemblyPart } from '../../proximity/assembly/assembly.js';
import type { Clash } from '../../proximity/assembly/find-clashes.js';
import { readable, readableVector } from '../table.js';
import { drawClash, PICTURE_STYLE } from './clash-picture.js';

export interface ReportedClashes {
  readonly files: readonly string[];
  readonly parts: readonly AssemblyPart[];
  readonly clearance: number;
  readonly clashes: readonly Clash[];
  readonly pairsTested: number;
  readonly milliseconds: number;
  /** The name of the unit of length. */
  readonly unit: string;
}

/** The most triangles of all pictures together. */
const TRIANGLES = 200_000;
/** Triangles of each part in one picture. */
const MOST_TRIANGLES = 160;
const FEWEST_TRIANGLES = 24;

export function writeClashReport(report: ReportedClashes, progress: ProgressOptions = {}): string {
  const { files, parts, clearance, clashes, pairsTested, milliseconds, unit } = report;
  const triangleLimit = Math.min(
    MOST_TRIANGLES,
    Math.max(FEWEST_TRIANGLES, Math.floor(TRIANGLES / (2 * Math.max(1, clashes.length)))),
  );
  const intersecting = clashes.filter(({ intersects }) => intersects).length;
  const gap = ({ intersects, distance }: Clash): string =>
    intersects ? 'intersects' : `${readable(distance)} ${unit}`;
  return writeHtmlReport({
    title: 'Clash report',
    lead: `${files.join(', ')}: parts that intersect or are within ${readable(clearance)} ${unit} of each other.`,
    figures: [
      ['parts', readable(parts.length)],
      ['pairs tested', readable(pairsTested)],
      ['clashes', readable(clashes.length)],
      ['intersecting', readable(intersecting)],
      ['too close', readable(clashes.length - intersecting)],
      ['seconds', (milliseconds / 1000).toFixed(2)],
    ],
    sections:
      clashes.length === 0
        ? []
        : [
            {
              kind: 'table',
              title: 'Clashes',
              headings: ['#', 'part A', 'part B', `distance (${unit})`, 'point on A', 'point on B'],
              rows: clashes.map((clash, i) => [
                { text: String(i + 1), value: i + 1, link: `clash-${i + 1}` },
                parts[clash.a].name,
                parts[clash.b].name,
                { text: clash.intersects ? 'intersects' : readable(clash.distance), value: clash.distance },
                readableVector(clash.pointA),
                readableVector(clash.pointB),
              ]),
            },
            {
              kind: 'gallery',
              title: 'Pictures: part A blue, part B orange',
              cards: clashes.map((clash, i) => {
                if (i % 16 === 0) reportProgress(progress, i / clashes.length, 'pictures');
                return {
                  id: `clash-${i + 1}`,
                  title: `${i + 1}. ${parts[clash.a].name} – ${parts[clash.b].name}`,
                  svg: drawClash(parts, clash, triangleLimit),
                  lines: [
                    ['distance', gap(clash)],
                    ['point on A', readableVector(clash.pointA)],
                    ['point on B', readableVector(clash.pointB)],
                  ],
                };
              }),
            },
          ],
    style: PICTURE_STYLE,
  });
}
