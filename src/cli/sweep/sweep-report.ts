// A sweep as one HTML page: the motion in 3D, the gap of critical pairs with what is proven of it, maps over two joints, and a
// table of all pairs.
import { basename } from 'node:path';
import * as pose from '../../core/pose.js';
import { writeHtmlReport } from '../../io/report/html-report.js';
import type { MotionStudy } from '../../sweep/motion-study.js';
import type { SweepPlace, SweepResult, SweptPairResult } from '../../sweep/sweep-result.js';
import { VIEW_STYLE } from '../report/clash-style.js';
import viewScript from '../report/model-view.page.js?raw';
import playerScript from '../report/motion-player.page.js?raw';
import { packShapes } from '../report/pack-shapes.js';
import sweepScript from '../report/sweep-page.page.js?raw';
import { readable } from '../table.js';
import { CHART_STYLE, drawGapCurve } from './gap-curve.js';
import { drawGapMap } from './gap-map.js';

/** Chosen: pairs that have a curve or a map. */
const MAX_CHARTS = 6;

/** Chosen: places that the view moves through, along each axis of a pair that is shown. */
const FRAMES = 181;

const STYLE = `${VIEW_STYLE}${CHART_STYLE}
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: 1rem; align-items: start; }
.charts svg { width: 100%; height: auto; border: 1px solid var(--line); border-radius: 6px; cursor: pointer; }
.charts svg.current { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
#place { flex: 1 1 12rem; accent-color: var(--accent); }
.verdict { font-weight: 600; }
`;

export async function writeSweepReport(file: string, study: MotionStudy, result: SweepResult): Promise<string> {
  const { verdict, clearance, least, pairs, culled, axes } = result;
  const shown = pairs.slice(0, MAX_CHARTS);
  const sentences = {
    holds: `Every pair is proven to keep ${clearance > 0 ? `a gap of ${readable(clearance)}` : 'apart'} everywhere.`,
    violated: `${pairs.filter((pair) => pair.verdict === 'violated').length} of ${pairs.length} pairs come too near.`,
    undecided: 'No pair is seen to come too near, but not all are proven.',
  };
  const charts = shown.map((pair, i) => drawPair(study, pair, clearance, i));
  return writeHtmlReport({
    title: `Clearance in motion: ${basename(file)}`,
    lead: sentences[verdict],
    figures: [
      ['verdict', verdict],
      ['clearance wanted', readable(clearance)],
      ['least gap', least === null ? '–' : `${readable(least.lower)} to ${readable(least.upper)}`],
      ['pairs near', readable(pairs.length)],
      ['pairs farther apart', readable(culled.pairs)],
      ...axes.map(({ name, low, high }) => [name, `${readable(low)} to ${readable(high)}`] as const),
    ],
    sections: [
      { kind: 'markup', title: 'The motion', markup: writeView() },
      { kind: 'markup', title: 'Critical pairs', markup: `<div class="charts">${charts.join('')}</div>` },
      {
        kind: 'table',
        title: 'Pairs',
        headings: ['a', 'b', 'verdict', 'gap, at least', 'gap, at most', 'depth', 'at'],
        rows: pairs.map((pair) => [
          pair.a,
          pair.b,
          pair.verdict,
          { text: readable(pair.lower), value: pair.lower },
          { text: readable(pair.upper), value: pair.upper },
          { text: pair.depth === null ? '' : readable(pair.depth.upper), value: pair.depth?.upper ?? 0 },
          describe(pair.at),
        ]),
      },
    ],
    style: STYLE,
    data: { sweep: await describeMotion(study, shown) },
    scripts: [viewScript, playerScript, sweepScript],
  });
}

function writeView(): string {
  return (
    '<div class="view" id="view"></div>' +
    '<p class="bar"><button type="button" id="play">Play</button>' +
    '<input type="range" id="place" min="0" max="1" step="1" value="0" aria-label="Place in the motion"/><span id="shown"></span></p>' +
    '<p id="view-help">Choose a pair by its chart: its parts are blue and orange, red where they come too near. Drag in the view to turn it.</p>'
  );
}

/** The axis that a pair is shown along: the first that its place names and that moves it. */
function axisOf(study: MotionStudy, { violated }: SweptPairResult): string {
  const [first] = violated;
  const names = first === undefined || typeof first.from === 'number' ? [] : Object.keys(first.from);
  return names[0] ?? study.axes[0].name;
}

function drawPair(study: MotionStudy, pair: SweptPairResult, clearance: number, index: number): string {
  const title = `${pair.a} – ${pair.b}`;
  const byBoxes = pair.violated.some(({ from }) => typeof from !== 'number' && Object.keys(from).length > 1);
  if (study.axes.length > 1 && (byBoxes || pair.violated.length === 0)) {
    return drawGapMap({
      id: `pair-${index}`,
      title,
      map: study.map(pair.a, pair.b, pair.at),
      clearance,
      axes: study.axes,
    });
  }
  const axis = axisOf(study, pair);
  const samples = study.curve(pair.a, pair.b, pair.at, axis);
  const stretches = pair.violated.map(({ from, to }) => ({ from: valueAt(from, axis), to: valueAt(to, axis) }));
  return drawGapCurve({ id: `pair-${index}`, title, axis, samples, clearance, proven: pair.lower, stretches });
}

function valueAt(place: SweepPlace, axis: string): number {
  return typeof place === 'number' ? place : place[axis];
}

function describe(place: SweepPlace): string {
  if (typeof place === 'number') return readable(place);
  return Object.entries(place)
    .map(([name, value]) => `${name} ${readable(value)}`)
    .join(', ');
}

/** For each pair that has a chart, the poses of all bodies along its axis. */
async function describeMotion(study: MotionStudy, shown: readonly SweptPairResult[]) {
  const { bodies } = study;
  const short = (values: readonly number[]): number[] => values.map((value) => Number(value.toPrecision(7)));
  const runs = shown.map((pair) => {
    const axis = axisOf(study, pair);
    const { low, high } = study.axes.find(({ name }) => name === axis)!;
    const places = Array.from({ length: FRAMES }, (_, i) => low + ((high - low) * i) / (FRAMES - 1));
    const placeOf = (value: number): SweepPlace =>
      typeof pair.at === 'number' ? value : { ...pair.at, [axis]: value };
    const poses = places.map((value) => study.posesAt(placeOf(value)));
    const gaps = study.curve(pair.a, pair.b, pair.at, axis, FRAMES).map(({ gap }) => gap);
    const at = valueAt(pair.at, axis);
    const worst = places.reduce((best, value, i) => (Math.abs(value - at) < Math.abs(places[best] - at) ? i : best), 0);
    const moving = bodies.map((_, body) =>
      poses.some((all) => all[body].some((v, k) => Math.abs(v - poses[0][body][k]) > 1e-9)),
    );
    return {
      a: bodies.findIndex(({ name }) => name === pair.a),
      b: bodies.findIndex(({ name }) => name === pair.b),
      names: [pair.a, pair.b],
      axis,
      places: short(places),
      gaps: short(gaps),
      worst,
      points: [pair.pointA, pair.pointB],
      // Bodies at rest have one pose.
      poses: bodies.map((_, body) => (moving[body] ? poses.map((all) => short(all[body])) : [short(poses[0][body])])),
    };
  });
  const placed = study.posesAt(shown[0]?.at ?? {});
  const { scene } = await packShapes(bodies.map(({ mesh }, i) => ({ mesh, pose: placed[i] })));
  return { scene, runs, ball: ballAround(study, placed) };
}

function ballAround(study: MotionStudy, poses: readonly pose.Pose[]): { center: number[]; radius: number } {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const [i, { mesh }] of study.bodies.entries()) {
    for (let v = 0; v < mesh.positions.length; v += 3) {
      const at = pose.transformPoint(poses[i], [mesh.positions[v], mesh.positions[v + 1], mesh.positions[v + 2]]);
      for (let k = 0; k < 3; k++) {
        low[k] = Math.min(low[k], at[k]);
        high[k] = Math.max(high[k], at[k]);
      }
    }
  }
  return {
    center: low.map((value, k) => (value + high[k]) / 2),
    radius: Math.hypot(...low.map((value, k) => (high[k] - value) / 2)) || 1,
  };
}
