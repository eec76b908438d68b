import { basename } from 'node:path';
import type { Cluster } from '../../cluster/cluster.js';
import { type ProgressOptions, partOfProgress } from '../../core/progress.js';
import { preparePenetration } from '../../penetration/prepare-penetration.js';
import type { Pair } from '../../proximity/pair.js';
import { CLUSTER_HELP, CLUSTER_OPTIONS, withCluster } from '../cluster/open-cluster.js';
import { factsAsJson, factsAsText } from '../facts.js';
import { saveBytes } from '../load-model.js';
import {
  DISTANCE_HELP,
  DISTANCE_OPTIONS,
  type LoadedPair,
  loadPair,
  takeHullFiles,
  VOLUME_HELP,
  VOLUME_OPTION,
} from '../load-proximity.js';
import { PENETRATION_HELP, PENETRATION_OPTIONS } from '../penetration-options.js';
import type { ClearanceSeries } from '../replay/clearance.js';
import { drawClearancePlot } from '../replay/clearance-plot.js';
import { type ShownMotion, writeClearanceReport } from '../replay/clearance-report.js';
import { type Frame, loadFrames } from '../replay/frames-file.js';
import { describeReplay, type ReplayOutcome } from '../replay/replay-answer.js';
import { type FrameDepth, measureClearance, replayFrames, signClearance } from '../replay/replay-frames.js';
import { clearanceOnCluster, replayOnCluster } from '../replay/replay-on-cluster.js';
import { type ReplayRequest, takeReplayRequest } from '../replay/replay-request.js';
import type { Verb, VerbInput } from '../verb.js';

export const replay: Verb = {
  name: 'replay',
  summary: 'runs one query for every frame of a motion; shows the motion and its clearance over time',
  usage:
    'replay A B FRAMES --query intersects|within|distance|contacts|penetration [--tolerance T] [-o PLOT.svg|PLOT.html]',
  help: `FRAMES is {"frames":[{"A":[…],"B":[…]}, …]}: poses tx,ty,tz,qx,qy,qz,qw, or rigid matrices of 16 numbers, row by row.
Every frame is asked once. Only the queries are timed, not what surrounds them.
  --query Q            intersects, within, distance, contacts or penetration (how deep two solids overlap)
  --tolerance T        for within and contacts; the plot shows it as a line
  --no-coherence       keep no state from one frame to the next
  --timed              times to compare: one warm-up pass, then three passes that each start without state; the
                       median pass counts
${DISTANCE_HELP}
${VOLUME_HELP}
${CLUSTER_HELP}
                       (frames are asked there as with --no-coherence; single queries have no times)
  -o, --output PLOT    plot the clearance over time with the worst frame marked, as .svg, or as .html
                       with the motion in 3D beside it
  --unit NAME          the name of the unit of length in the plot (default: units)
for --query penetration, which runs on the CPU and starts each frame from the translation of the previous one:
${PENETRATION_HELP}

  nearfield replay door.obj frame.obj swing.json --query distance -o clearance.html
  nearfield replay a.obj b.obj frames.json --query within --tolerance 0.01 --timed --json | jq .meanMicroseconds
  nearfield replay a.obj b.obj shift.json --query penetration --cluster redis://queue.local:6379`,
  options: {
    query: { type: 'string' },
    tolerance: { type: 'string' },
    'no-coherence': { type: 'boolean' },
    timed: { type: 'boolean' },
    output: { type: 'string', short: 'o' },
    unit: { type: 'string' },
    ...DISTANCE_OPTIONS,
    ...VOLUME_OPTION,
    ...PENETRATION_OPTIONS,
    ...CLUSTER_OPTIONS,
  },
  async run(input) {
    const request = takeReplayRequest(input);
    const frames = await loadFrames(request.pathFrames);
    const { pair, preprocessMs } = await loadModelsOf(request, input, frames.length);
    const start = performance.now();
    const measured = await withCluster(input, (cluster) =>
      measureFrames({ request, pair, frames, cluster }, input.progress),
    );
    const milliseconds = performance.now() - start;
    const { clearance } = measured;
    if (clearance !== null) await savePlot(request, { a: pair.a, b: pair.b, frames }, clearance);
    const volume = request.onCluster ? request.volume : pair.volume;
    const facts = describeReplay(request, { ...measured, volume, preprocessMs, milliseconds });
    return { json: factsAsJson(facts), text: factsAsText(facts) };
  },
};

/** The models, ready for as many queries as there are frames. On a cluster the workers make what they need themselves. */
function loadModelsOf(request: ReplayRequest, input: VerbInput, frameCount: number): Promise<LoadedPair> {
  const { pathA, pathB, query, onCluster, volume, coherence } = request;
  const here = { volume, queries: frameCount, prepare: query === 'penetration' ? preparePenetration : undefined };
  const prepared = onCluster ? ({ volume: 'boxes', queries: 0 } as const) : here;
  const options = { ...prepared, coherence, hulls: takeHullFiles(input) };
  return loadPair(pathA, pathB, options, partOfProgress(input.progress, 0, 0.3));
}

/** What frames are measured with: here, or on a cluster. */
interface Measurement {
  readonly request: ReplayRequest;
  readonly pair: Pair;
  readonly frames: readonly Frame[];
  readonly cluster: Cluster | null;
}

type Measured = Pick<ReplayOutcome, 'results' | 'clearance' | 'meanMicroseconds' | 'medianMicroseconds'>;

/** Asks every frame; measures the clearance too if it is plotted. */
async function measureFrames(measurement: Measurement, progress: ProgressOptions): Promise<Measured> {
  const { request, pair, frames, cluster } = measurement;
  const { query, volume, plot, timed } = request;
  const asked = { ...request, tolerance: request.tolerance ?? 0 };
  const part = partOfProgress(progress, 0.3, plot === null ? 1 : 0.8);
  const lastPart = partOfProgress(progress, 0.8, 1);
  const measured =
    cluster === null
      ? replayFrames(pair, frames, asked, timed, part)
      : {
          results: await replayOnCluster(cluster, pair, frames, { ...asked, volume }, part),
          meanMicroseconds: null,
          medianMicroseconds: null,
        };
  const measure = (some: readonly Frame[]): ClearanceSeries | Promise<ClearanceSeries> =>
    cluster === null
      ? measureClearance(pair, some, request.distanceOptions, lastPart)
      : clearanceOnCluster(cluster, pair, some, { ...request.distanceOptions, volume }, lastPart);
  let clearance: ClearanceSeries | null = null;
  if (query === 'distance') clearance = measured.results as ClearanceSeries;
  else if (plot !== null && query === 'penetration') {
    clearance = await signClearance(frames, measured.results as FrameDepth[], measure);
  } else if (plot !== null) clearance = await measure(frames);
  return { ...measured, clearance };
}

/** Writes the plot that the request asks for. */
async function savePlot(request: ReplayRequest, motion: ShownMotion, series: ClearanceSeries): Promise<void> {
  const { plot, query, pathA, pathB, tolerance, distanceOptions, unit } = request;
  if (plot === null) return;
  const what = query === 'penetration' ? 'Clearance and depth' : 'Clearance';
  const title = `${what} of ${basename(pathA)} and ${basename(pathB)}`;
  const drawing = drawClearancePlot({ title, series, tolerance, cutoff: distanceOptions.cutoff ?? null, unit });
  const page = plot.kind === 'svg' ? `${drawing}\n` : await writeClearanceReport(drawing, series, unit, motion);
  await saveBytes(plot.path, new TextEncoder().encode(page));
}
