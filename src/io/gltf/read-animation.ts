// The motion of the parts of a glTF file: the channels of its first animation that move nodes, as placements of all parts at
// common times. Linear, stepped and cubic samplers. Between two times a part is taken to move evenly; a node below one that
// turns does not quite, so that there are samples between the keys.
import { multiplyMatrices } from '../../core/affine.js';
import * as quat from '../../core/quat.js';
import type { ModelMotion } from '../model/model-file.js';
import type { AccessorData, AccessorDecoder } from './accessors.js';
import type { GltfAsset } from './gltf-asset.js';
import type { JsonView } from './json-view.js';
import { localMatrix, type Moved, type Placement } from './scene.js';

/** Chosen: samples from one key to the next. */
const SAMPLES = 4;

/** Chosen: times of one motion; beyond that, samples between keys are left out, and then keys. */
const MAX_TIMES = 2000;

const PATHS = ['translation', 'rotation', 'scale'] as const;
type Path = (typeof PATHS)[number];

/** One channel of an animation. */
export interface Channel {
  readonly node: JsonView;
  readonly path: Path;
  readonly times: JsonView;
  readonly values: JsonView;
  readonly interpolation: string;
}

/** The channels of the first animation that move nodes; asks for their data. */
export async function listChannels(asset: GltfAsset, decoder: AccessorDecoder): Promise<Channel[]> {
  const [animation] = asset.root.at('animations').items();
  if (animation === undefined) return [];
  const nodes = asset.root.at('nodes').items();
  const samplers = animation.at('samplers').items();
  const channels: Channel[] = [];
  for (const channel of animation.at('channels').items()) {
    const target = channel.at('target');
    const path = target.at('path').string() as Path;
    if (!PATHS.includes(path) || !target.at('node').exists) continue;
    const sampler = channel.at('sampler').itemOf(samplers);
    channels.push({
      node: target.at('node').itemOf(nodes),
      path,
      times: await decoder.want(sampler.at('input'), 'times'),
      values: await decoder.want(sampler.at('output'), `${path}s`),
      interpolation: sampler.at('interpolation').string() || 'LINEAR',
    });
  }
  return channels;
}

/** The motion of placements; undefined without channels. */
export function sampleMotion(
  channels: readonly Channel[],
  placements: readonly Placement[],
  data: ReadonlyMap<JsonView, AccessorData>,
): ModelMotion | undefined {
  if (channels.length === 0) return undefined;
  const times = listTimes(channels.map(({ times }) => data.get(times)!.values));
  const byNode = new Map<JsonView, Channel[]>();
  for (const channel of channels) byNode.set(channel.node, [...(byNode.get(channel.node) ?? []), channel]);
  const transforms = placements.map(({ nodes }) => {
    if (!nodes.some((node) => byNode.has(node))) return null;
    return times.map((time) =>
      nodes
        .map((node) => localMatrix(node, moveNode(byNode.get(node) ?? [], data, time)))
        .reduce((world, local) => multiplyMatrices(world, local), IDENTITY),
    );
  });
  return { times, transforms };
}

const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

function listTimes(keys: readonly ArrayLike<number>[]): number[] {
  const all = [...new Set(keys.flatMap((times) => Array.from(times)))].sort((p, q) => p - q);
  if (all.length > MAX_TIMES) {
    return Array.from({ length: MAX_TIMES }, (_, i) => all[Math.floor((i * (all.length - 1)) / (MAX_TIMES - 1))]);
  }
  const samples = SAMPLES * all.length > MAX_TIMES ? 1 : SAMPLES;
  return all.flatMap((time, i) =>
    i + 1 === all.length
      ? [time]
      : Array.from({ length: samples }, (_, k) => time + (k / samples) * (all[i + 1] - time)),
  );
}

function moveNode(channels: readonly Channel[], data: ReadonlyMap<JsonView, AccessorData>, time: number): Moved {
  const moved: Moved = {};
  for (const { path, times, values, interpolation } of channels) {
    const [keys, outputs] = [data.get(times)!, data.get(values)!];
    const size = path === 'rotation' ? 4 : 3;
    if (keys.count === 0 || outputs.count < keys.count * (interpolation === 'CUBICSPLINE' ? 3 : 1)) {
      values.fail(`${values.name} has ${outputs.count} values for ${keys.count} keys`);
    }
    moved[path] = valueAt(keys.values, outputs.values, size, interpolation, time);
  }
  return moved;
}

function valueAt(
  keys: ArrayLike<number>,
  outputs: ArrayLike<number>,
  size: number,
  kind: string,
  time: number,
): number[] {
  const last = keys.length - 1;
  let k = 0;
  while (k < last && keys[k + 1] <= time) k++;
  const isCubic = kind === 'CUBICSPLINE';
  /** A value of a key; of a cubic sampler the tangents stand before (−1) and after (1) it. */
  const at = (key: number, tangent = 0): number[] => {
    const from = size * (isCubic ? 3 * key + 1 + tangent : key);
    return Array.from({ length: size }, (_, i) => outputs[from + i]);
  };
  if (k === last || time <= keys[0] || kind === 'STEP') return at(k);
  const length = keys[k + 1] - keys[k];
  const s = (time - keys[k]) / length;
  if (isCubic) {
    const [p, m, q, n] = [at(k), at(k, 1), at(k + 1), at(k + 1, -1)];
    const [s2, s3] = [s * s, s * s * s];
    return p.map(
      (value, i) =>
        (2 * s3 - 3 * s2 + 1) * value +
        length * (s3 - 2 * s2 + s) * m[i] +
        (3 * s2 - 2 * s3) * q[i] +
        length * (s3 - s2) * n[i],
    );
  }
  const [p, q] = [at(k), at(k + 1)];
  return size === 4 ? turnBetween(p, q, s) : p.map((value, i) => value + s * (q[i] - value));
}

/** The rotation between two, evenly the shorter way. */
function turnBetween(p: readonly number[], q: readonly number[], s: number): number[] {
  const from = quat.normalize(p);
  const [x, y, z, w] = quat.multiply(quat.conjugate(from), quat.normalize(q));
  const sign = w < 0 ? -1 : 1;
  const sine = Math.hypot(x, y, z);
  if (!(sine > 0)) return [...from];
  const angle = 2 * Math.atan2(sine, Math.abs(w)) * s;
  return [...quat.multiply(from, quat.fromAxisAngle([(sign * x) / sine, (sign * y) / sine, (sign * z) / sine], angle))];
}
