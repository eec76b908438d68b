// The clashes of an assembly as one HTML page: a summary, a table, and a picture of each. All pictures together have a
// limited number of triangles, so that a page of thousands of clashes stays below twenty megabytes.
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { writeHtmlReport } from '../../io/report/html-report.js';
import type { GradedClash } from '../../penetration/clash/grade-clashes.js';
import type { AssemblyPart } from '../../proximity/assembly/assembly.js';
import type { ClashGroup } from '../../proximity/assembly/group-clashes.js';
import { readable, readableVector } from '../table.js';
import { drawClash, PICTURE_STYLE } from './clash-picture.js';
import { describeClash } from './describe-clash.js';

export interface ReportedClashes {
  readonly files: readonly string[];
  readonly parts: readonly AssemblyPart[];
  readonly clearance: number;
  readonly clashes: readonly GradedClash[];
  readonly groups: readonly ClashGroup[];
  readonly pairsTested: number;
  readonly pairsIgnored: number;
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
  const { files, parts, clearance, clashes, groups, pairsTested, pairsIgnored, milliseconds, unit } = report;
  const triangleLimit = Math.min(
    MOST_TRIANGLES,
    Math.max(FEWEST_TRIANGLES, Math.floor(TRIANGLES / (2 * Math.max(1, clashes.length)))),
  );
  const count = (grade: string): string => readable(clashes.filter((clash) => clash.grade === grade).length);
  const number = (clash: number): { text: string; value: number; link: string } => ({
    text: String(clash + 1),
    value: clash + 1,
    link: `clash-${clash + 1}`,
  });
  return writeHtmlReport({
    title: 'Clash report',
    lead: `${files.join(', ')}: parts that intersect or are within ${readable(clearance)} ${unit} of each other.`,
    figures: [
      ['parts', readable(parts.length)],
      ['pairs tested', readable(pairsTested)],
      ...(pairsIgnored === 0 ? [] : [['pairs ignored', readable(pairsIgnored)] as const]),
      ['interfere', count('interference')],
      ['touch', count('touch')],
      ['too close', count('clearance')],
      ['seconds', (milliseconds / 1000).toFixed(2)],
    ],
    sections:
      clashes.length === 0
        ? []
        : [
            ...(groups.length === clashes.length
              ? []
              : [
                  {
                    kind: 'table' as const,
                    title: 'Clashes of equal parts, the worst of each',
                    headings: ['worst', 'times', 'grade', 'part A', 'part B', `depth or distance (${unit})`],
                    rows: groups.map(({ clashes: [first], clashes: { length } }) => [
                      number(first),
                      { text: readable(length), value: length },
                      clashes[first].grade,
                      parts[clashes[first].a].name,
                      parts[clashes[first].b].name,
                      { text: describeClash(clashes[first]), value: depthOrDistance(clashes[first]) },
                    ]),
                  },
                ]),
            {
              kind: 'table',
              title: 'All clashes',
              headings: [
                '#',
                'grade',
                'part A',
                'part B',
                `depth or distance (${unit})`,
                'move A by',
                'point on A',
                'point on B',
              ],
              rows: clashes.map((clash, i) => [
                number(i),
                clash.grade,
                parts[clash.a].name,
                parts[clash.b].name,
                { text: describeClash(clash), value: depthOrDistance(clash) },
                clash.vector === null ? '' : readableVector(clash.vector),
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
                    [clash.grade, `${describeClash(clash)} ${unit}`],
                    ...(clash.vector === null ? [] : [['move A by', readableVector(clash.vector)] as const]),
                    ...(clash.reason === null ? [] : [['no depth', clash.reason] as const]),
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

/** Sorts overlaps, the deepest first, before gaps. */
function depthOrDistance({ intersects, upper, distance }: GradedClash): number {
  return intersects ? -(upper ?? 0) : distance;
}
