// What the command line asks of a replay, checked before anything is loaded.
import { NearfieldError } from '../../core/errors.js';
import type { PenetrationOptions } from '../../penetration/options.js';
import type { DistanceOptions, VolumeChoice } from '../../proximity/options.js';
import { PROXIMITY_DEFAULTS } from '../../proximity/options.js';
import { takeLength, takePositionals, takeString } from '../arguments.js';
import { extensionOf } from '../load-model.js';
import { DISTANCE_OPTIONS, takeDistanceOptions, takeVolume, VOLUME_OPTION } from '../load-proximity.js';
import { refusePenetrationOptions, takePenetrationOptions } from '../penetration-options.js';
import type { VerbInput } from '../verb.js';
import { REPLAY_QUERIES, type ReplayQuery } from './replay-frames.js';

export interface ReplayRequest {
  readonly pathA: string;
  readonly pathB: string;
  readonly pathFrames: string;
  readonly query: ReplayQuery;
  /** Null if it was not given. */
  readonly tolerance: number | null;
  readonly distanceOptions: DistanceOptions;
  readonly penetrationOptions: PenetrationOptions;
  readonly volume: VolumeChoice;
  /** Whether state is kept from one frame to the next. */
  readonly coherence: boolean;
  /** Whether queries are timed in passes of their own. */
  readonly timed: boolean;
  /** Whether the frames go to a cluster. */
  readonly onCluster: boolean;
  /** The plot to write. */
  readonly plot: { readonly path: string; readonly kind: 'svg' | 'html' } | null;
  /** The name of the unit of length. */
  readonly unit: string;
}

export function takeReplayRequest(input: VerbInput): ReplayRequest {
  const [pathA, pathB, pathFrames] = takePositionals(input, 'replay', ['A', 'B', 'FRAMES']);
  const query = takeQuery(input);
  const tolerance = takeLength(input, 'tolerance');
  if (tolerance === null && (query === 'within' || query === 'contacts')) {
    throw new NearfieldError('bad-argument', `--query ${query} needs --tolerance T, the largest distance`);
  }
  const distanceOptions = takeDistanceOptions(input);
  if (query !== 'penetration') refusePenetrationOptions(input);
  const penetrationOptions = takePenetrationOptions(input);
  const onCluster = refuseWithCluster(input);
  const coherence = !input.values['no-coherence'] && !onCluster;
  const volume = takeVolume(input, coherence ? PROXIMITY_DEFAULTS.volume : PROXIMITY_DEFAULTS.statelessVolume);
  const output = takeString(input, 'output');
  if (query === 'penetration' && output === null) refuseDistanceOptions(input);
  return {
    ...{ pathA, pathB, pathFrames, query, tolerance, distanceOptions, penetrationOptions, volume, coherence },
    timed: input.values.timed === true,
    onCluster,
    plot: output === null ? null : { path: output, kind: plotKind(output) },
    unit: takeString(input, 'unit') ?? 'units',
  };
}

function takeQuery(input: VerbInput): ReplayQuery {
  const asked = takeString(input, 'query');
  const query = REPLAY_QUERIES.find((candidate) => candidate === asked);
  if (query !== undefined) return query;
  const what = asked === null ? 'replay needs --query' : `there is no query "${asked}"`;
  throw new NearfieldError('bad-argument', `${what}; give --query ${REPLAY_QUERIES.join(', ')}`);
}

function plotKind(path: string): 'svg' | 'html' {
  const ending = extensionOf(path);
  if (ending === 'svg') return 'svg';
  if (ending === 'html' || ending === 'htm') return 'html';
  throw new NearfieldError('bad-argument', `${path}: a plot is an SVG or HTML file; use the extension .svg or .html`);
}

/** Throws if options of distances are given: depths need them only for a plot. */
function refuseDistanceOptions(input: VerbInput): void {
  for (const name of [...Object.keys(DISTANCE_OPTIONS), ...Object.keys(VOLUME_OPTION)]) {
    if (input.values[name] !== undefined) {
      throw new NearfieldError(
        'bad-argument',
        `--${name} is for distances, which --query penetration measures only for a plot; add -o PLOT, or leave it out`,
      );
    }
  }
}

/** Whether the frames go to a cluster. Refuses options that mean nothing there. */
function refuseWithCluster(input: VerbInput): boolean {
  if (takeString(input, 'cluster') === null) return false;
  const reasons = {
    timed: 'times of single queries mean nothing on a cluster',
    'hulls-a': 'workers make hulls themselves',
    'hulls-b': 'workers make hulls themselves',
  };
  for (const [name, reason] of Object.entries(reasons)) {
    if (input.values[name] === undefined) continue;
    throw new NearfieldError('bad-argument', `--${name}: ${reason}; leave it or --cluster out`);
  }
  return true;
}
