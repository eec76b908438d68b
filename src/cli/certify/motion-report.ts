// What a trajectory keeps as one HTML page: the clearance over time with its proven band, the robots played beside it, and the
// verdict on each segment.
import * as pose from '../../core/pose.js';
import { type ReportCell, type ReportTable, writeHtmlReport } from '../../io/report/html-report.js';
import type { CertifyResult } from '../../sweep/trajectory/certify-trajectory.js';
import type { MotionProblem } from '../../sweep/trajectory/motion-problem.js';
import type { MotionTrajectory } from '../../sweep/trajectory/motion-trajectory.js';
import {
  type SampledTrajectory,
  type SampleTrajectoryOptions,
  sampleTrajectory,
} from '../../sweep/trajectory/sample-trajectory.js';
import certifyScript from '../report/certify-page.page.js?raw';
import { VIEW_STYLE } from '../report/clash-style.js';
import viewScript from '../report/model-view.page.js?raw';
import playerScript from '../report/motion-player.page.js?raw';
import { packShapes } from '../report/pack-shapes.js';
import { readable } from '../table.js';
import { BAND_AREA, BAND_STYLE, drawProvenBand } from './proven-band.js';

/** Chosen: frames that the page plays. */
const FRAMES_SHOWN = 400;

/** Chosen: segments that the page lists. */
const SEGMENTS_LISTED = 500;

const STYLE = `${VIEW_STYLE}${BAND_STYLE}
.beside { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); gap: 1rem; align-items: start; }
.beside .view { aspect-ratio: 960 / 420; }
.beside svg { cursor: ew-resize; touch-action: none; border: 1px solid var(--line); border-radius: 6px; }
.nf-cursor { stroke: var(--text); stroke-width: 2; }
#frame { flex: 1 1 12rem; accent-color: var(--accent); }
#play { flex: none; white-space: nowrap; }
body { max-width: 100rem; }
@media print { .beside { display: block; } .beside .view { display: none; } }
`;

/** The page of a certificate. */
export async function writeMotionReport(
  problem: MotionProblem,
  trajectories: readonly MotionTrajectory[],
  result: CertifyResult,
  options: SampleTrajectoryOptions,
): Promise<string> {
  const { verdict, wanted, clearance, segments, limits, duration } = result;
  const sampled = sampleTrajectory(problem, trajectories, { ...options, frames: FRAMES_SHOWN });
  const count = (what: string): number => segments.filter((segment) => segment.verdict === what).length;
  return writeHtmlReport({
    title: 'Clearance of a trajectory',
    lead: leadOf(result),
    figures: [
      ['verdict', verdict],
      ['wanted', wanted === 0 ? 'never touch' : `${readable(wanted)} m`],
      ['proven at least', clearance === null ? '–' : `${readable(clearance.lower)} m`],
      ['had', clearance === null ? '–' : `${readable(clearance.upper)} m at ${readable(clearance.time)} s`],
      ['segments', `${segments.length}, ${count('violated')} violated, ${count('undecided')} undecided`],
      ['duration', `${readable(duration)} s`],
      ['limits broken', readable(limits.length)],
    ],
    sections: [
      { kind: 'markup', title: 'Motion and clearance', markup: beside(drawProvenBand(result, sampled.frames)) },
      ...(limits.length === 0 ? [] : [limitTable(limits)]),
      segmentTable(segments),
    ],
    style: STYLE,
    data: { motion: await describeMotion(result, sampled) },
    scripts: [viewScript, playerScript, certifyScript],
  });
}

function limitTable(limits: CertifyResult['limits']): ReportTable {
  return {
    kind: 'table',
    title: 'Limits that are broken',
    headings: ['robot', 'joint', 'limit of', 'limit', 'value', 'time (s)'],
    rows: limits.map(({ robot, joint, kind, limit, value, time }) => {
      return [robot, joint ?? '', kind, cell(limit), cell(value), cell(time)];
    }),
  };
}

function segmentTable(segments: CertifyResult['segments']): ReportTable {
  const listed = segments.slice(0, SEGMENTS_LISTED);
  return {
    kind: 'table',
    title: listed.length < segments.length ? `The first ${listed.length} of ${segments.length} segments` : 'Segments',
    headings: ['from (s)', 'to (s)', 'verdict', 'at least (m)', 'had (m)', 'at (s)', 'between', 'depth (m)'],
    rows: listed.map(({ from, to, verdict, lower, upper, time, a, b, depth }) => [
      cell(from),
      cell(to),
      verdict,
      cell(lower),
      cell(upper),
      cell(time),
      a === null ? '' : `${a}, ${b}`,
      depth === null ? '' : `${readable(depth.lower)} to ${readable(depth.upper)}`,
    ]),
  };
}

function cell(value: number | null): ReportCell | string {
  return value === null || value === Infinity ? '–' : { text: readable(value), value };
}

function leadOf({ verdict, wanted, segments }: CertifyResult): string {
  const what = wanted === 0 ? 'nothing touches' : `everything stays ${readable(wanted)} m apart`;
  if (verdict === 'holds') return `It is proven for all times, not only where it was sampled, that ${what}.`;
  const first = segments.find((segment) => segment.verdict === verdict)!;
  if (verdict === 'undecided')
    return `It is not proven that ${what}: the first open segment begins at ${readable(first.from)} s.`;
  const how = first.upper === 0 ? 'meet' : 'come too near';
  return `${first.a} and ${first.b} ${how} at ${readable(first.time)} s.`;
}

function beside(plot: string): string {
  return (
    `<div class="beside"><div class="view" id="view"></div><div>${plot}</div></div>` +
    '<p class="bar"><button type="button" id="play">Play</button>' +
    `<input type="range" id="frame" min="0" max="${FRAMES_SHOWN - 1}" step="1" value="0" aria-label="Time"/><span id="shown"></span></p>` +
    '<p id="view-help">Robots are blue, what stands around them orange. The line in the plot is the clearance at sampled times, the band below it is proven. Drag in the plot or move the slider to choose a time; drag in the view to turn it.</p>'
  );
}

async function describeMotion({ clearance, wanted }: CertifyResult, { bodies, frames }: SampledTrajectory) {
  const placeOf = (frame: Float64Array, i: number): number[] => [...frame.subarray(7 * i, 7 * i + 7)];
  const { scene } = await packShapes(bodies.map(({ mesh }, i) => ({ mesh, pose: placeOf(frames[0].poses, i) })));
  const worst = clearance?.time ?? frames[0].time;
  const nearest = frames.reduce((best, { time }, i) => {
    return Math.abs(time - worst) < Math.abs(frames[best].time - worst) ? i : best;
  }, 0);
  return {
    scene,
    robots: bodies.map(({ isRobot }) => isRobot),
    poses: frames.map(({ poses }) => Array.from(poses, (value) => Number(value.toPrecision(7)))),
    times: frames.map(({ time }) => Number(time.toPrecision(6))),
    clearance: frames.map((frame) => (frame.clearance === Infinity ? null : Number(frame.clearance.toPrecision(5)))),
    wanted,
    worstFrame: nearest,
    ball: ballAround(bodies, frames),
    plot: BAND_AREA,
  };
}

/** Contains all robots at all times; what stands around them may reach farther. */
function ballAround(bodies: SampledTrajectory['bodies'], frames: SampledTrajectory['frames']) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const { poses } of frames) {
    for (const [i, { mesh, isRobot }] of bodies.entries()) {
      if (!isRobot) continue;
      const placed = [...poses.subarray(7 * i, 7 * i + 7)] as pose.Pose;
      // A few vertices are enough to see where it is.
      const step = 3 * Math.max(1, Math.floor(mesh.positions.length / 3 / 16));
      for (let at = 0; at < mesh.positions.length; at += step) {
        const [x, y, z] = mesh.positions.subarray(at, at + 3);
        const p = pose.transformPoint(placed, [x, y, z]);
        for (let k = 0; k < 3; k++) {
          low[k] = Math.min(low[k], p[k]);
          high[k] = Math.max(high[k], p[k]);
        }
      }
    }
  }
  return {
    center: low.map((value, k) => (value + high[k]) / 2),
    radius: Math.hypot(...low.map((value, k) => (high[k] - value) / 2)) || 1,
  };
}
