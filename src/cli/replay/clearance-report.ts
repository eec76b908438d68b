// The clearance over time as one HTML page: its figures, the plot, and the frames of least clearance.
import { writeHtmlReport } from '../../io/report/html-report.js';
import { readable } from '../table.js';
import { type ClearanceSeries, describeSpans, summarizeClearance } from './clearance.js';

/** The most frames that the page lists. */
const FRAMES_LISTED = 100;

/** The page around a plot drawn by `drawClearancePlot`. */
export function writeClearanceReport(plot: string, clearance: ClearanceSeries, unit: string): string {
  const { worstFrame, min, mean, max, intersectingFrames, intersecting } = summarizeClearance(clearance);
  const figure = (value: number | null): string => (value === null ? '–' : `${readable(value)} ${unit}`);
  const deep = min !== null && min < 0;
  const nearest = clearance
    .map((value, frame) => ({ value, frame }))
    .filter((entry): entry is { value: number; frame: number } => entry.value !== null)
    .sort((a, b) => a.value - b.value || a.frame - b.frame)
    .slice(0, FRAMES_LISTED);
  return writeHtmlReport({
    title: 'Clearance over time',
    lead:
      intersectingFrames === 0
        ? 'The models do not intersect in any frame.'
        : `The models intersect in frames ${describeSpans(intersecting)}.`,
    figures: [
      ['frames', readable(clearance.length)],
      ['worst frame', worstFrame === null ? '–' : String(worstFrame)],
      ...(deep
        ? ([['greatest depth', figure(-min)]] as const)
        : ([
            ['least clearance', figure(min)],
            ['mean clearance', figure(mean)],
          ] as const)),
      ['greatest clearance', figure(max !== null && max < 0 ? null : max)],
      ['frames that intersect', readable(intersectingFrames)],
    ],
    sections: [
      { kind: 'picture', title: 'Clearance', svg: plot },
      {
        kind: 'table',
        title:
          clearance.length > FRAMES_LISTED ? `The ${FRAMES_LISTED} frames of least clearance` : 'Frames by clearance',
        headings: ['frame', `clearance (${unit})`],
        rows: nearest.map(({ value, frame }) => [
          { text: String(frame), value: frame },
          { text: value < 0 ? `${readable(-value)} deep` : value === 0 ? 'intersects' : readable(value), value },
        ]),
      },
    ],
  });
}
