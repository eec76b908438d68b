// The clearance over time as one HTML page: its figures, the motion beside the plot, and the frames of least clearance.
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import { writeHtmlReport } from '../../io/report/html-report.js';
import type { Mesh } from '../../mesh/mesh.js';
import { VIEW_STYLE } from '../report/clash-style.js';
import viewScript from '../report/model-view.page.js?raw';
import motionScript from '../report/motion-page.page.js?raw';
import playerScript from '../report/motion-player.page.js?raw';
import { packShapes } from '../report/pack-shapes.js';
import { readable } from '../table.js';
import { type ClearanceSeries, describeSpans, summarizeClearance } from './clearance.js';
import { PLOT_AREA } from './clearance-plot.js';
import type { Frame } from './frames-file.js';

/** The two models and how they move. */
export interface ShownMotion {
  readonly a: ShownModel;
  readonly b: ShownModel;
  readonly frames: readonly Frame[];
}

interface ShownModel {
  readonly mesh: Mesh;
  readonly center: Vec3;
  readonly radius: number;
}

/** Chosen: frames that the page lists. */
const FRAMES_LISTED = 100;
/** Chosen: frames that the view moves through; longer motions are thinned. */
const FRAMES_SHOWN = 3000;

const MOTION_STYLE = `${VIEW_STYLE}
.beside { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); gap: 1rem; align-items: start; }
.beside .view { aspect-ratio: 960 / 420; }
.beside svg { cursor: ew-resize; touch-action: none; border: 1px solid var(--line); border-radius: 6px; }
.nf-cursor { stroke: var(--text); stroke-width: 2; }
#frame { flex: 1 1 12rem; accent-color: var(--accent); }
body { max-width: 100rem; }
@media print { .beside { display: block; } .beside .view { display: none; } }
`;

/** The page around a plot drawn by `drawClearancePlot`. */
export async function writeClearanceReport(
  plot: string,
  clearance: ClearanceSeries,
  unit: string,
  motion: ShownMotion,
): Promise<string> {
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
      { kind: 'markup', title: 'Motion and clearance', markup: writeMotion(plot, clearance.length) },
      {
        kind: 'table',
        title:
          clearance.length > FRAMES_LISTED ? `The ${FRAMES_LISTED} frames of least clearance` : 'Frames by clearance',
        headings: ['frame', `clearance (${unit})`],
        rows: nearest.map(({ value, frame }) => [
          { text: String(frame), value: frame, link: `frame-${frame}` },
          { text: value < 0 ? `${readable(-value)} deep` : value === 0 ? 'intersects' : readable(value), value },
        ]),
      },
    ],
    style: MOTION_STYLE,
    data: { motion: await describeMotion(clearance, worstFrame, unit, motion) },
    scripts: [viewScript, playerScript, motionScript],
  });
}

function writeMotion(plot: string, frameCount: number): string {
  return (
    `<div class="beside"><div class="view" id="view"></div><div>${plot}</div></div>` +
    '<p class="bar"><button type="button" id="play">Play</button>' +
    `<input type="range" id="frame" min="0" max="${Math.max(0, frameCount - 1)}" step="1" value="0" aria-label="Frame"/><span id="shown"></span></p>` +
    '<p id="view-help">A is blue, B orange, and red where they intersect. Drag in the plot or move the slider to choose a frame; drag in the view to turn it.</p>'
  );
}

async function describeMotion(
  clearance: ClearanceSeries,
  worstFrame: number | null,
  unit: string,
  { a, b, frames }: ShownMotion,
) {
  const kept = Math.min(FRAMES_SHOWN, frames.length);
  const shown = Array.from(
    { length: kept },
    (_, i) => frames[Math.round((i * (frames.length - 1)) / Math.max(1, kept - 1))],
  );
  const short = (pose: readonly number[]): number[] => pose.map((value) => Number(value.toPrecision(9)));
  const [first] = frames;
  const { scene } = await packShapes([
    { mesh: a.mesh, pose: first.a },
    { mesh: b.mesh, pose: first.b },
  ]);
  return {
    scene,
    poses: shown.map((frame) => [short(frame.a), short(frame.b)]),
    clearance: clearance.map((value) => (value === null ? null : Number(value.toPrecision(5)))),
    worstFrame,
    unit,
    ball: ballAround(a, b, shown),
    plot: { ...PLOT_AREA, frameCount: clearance.length },
  };
}

/** Contains both models in every frame. */
function ballAround(a: ShownModel, b: ShownModel, frames: readonly Frame[]): { center: number[]; radius: number } {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const frame of frames) {
    for (const [{ center, radius }, placement] of [
      [a, frame.a],
      [b, frame.b],
    ] as const) {
      const at = pose.transformPoint(placement, center);
      for (let k = 0; k < 3; k++) {
        low[k] = Math.min(low[k], at[k] - radius);
        high[k] = Math.max(high[k], at[k] + radius);
      }
    }
  }
  return {
    center: low.map((value, k) => (value + high[k]) / 2),
    radius: Math.hypot(...low.map((value, k) => (high[k] - value) / 2)) || 1,
  };
}
