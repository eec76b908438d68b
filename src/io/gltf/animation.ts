// Moving parts as a glTF animation: a translation and a rotation channel for each node that moves, sampled at common times, and
// morph targets with weights for parts that change their shape.
import { NearfieldError } from '../../core/errors.js';
import * as quat from '../../core/quat.js';
import type { ModelAnimation, PartShapes } from '../model/model-animation.js';
import type { GlbDocument, GltfEntry } from './glb-document.js';

/** The samplers and channels of an animation: a channel for each sampler. */
class Motion {
  readonly samplers: GltfEntry[] = [];
  readonly channels: GltfEntry[] = [];

  add(node: number, path: string, input: number, output: number): void {
    this.channels.push({ sampler: this.samplers.length, target: { node, path } });
    this.samplers.push({ input, output, interpolation: 'LINEAR' });
  }
}

/** A part that keeps its place has no channel: its node is placed once. Nodes are in the order of the parts. */
export function addAnimation(document: GlbDocument, { name, times, tracks, shapes = [] }: ModelAnimation): void {
  const motion = new Motion();
  let input: number | null = null;
  for (const { part, poses } of tracks) {
    const { translations, rotations } = splitPoses(poses);
    Object.assign(document.nodes[part], {
      translation: [...translations.subarray(0, 3)],
      rotation: [...rotations.subarray(0, 4)],
    });
    for (const [path, type, values] of [
      ['translation', 'VEC3', translations],
      ['rotation', 'VEC4', rotations],
    ] as const) {
      if (isConstant(values, path === 'translation' ? 3 : 4)) continue;
      input ??= document.addSamples(toSingle(times), 'SCALAR', true);
      motion.add(part, path, input, document.addSamples(toSingle(values), type));
    }
  }
  for (const change of shapes) addShapes(document, motion, change);
  // glTF has no animation without channels.
  if (motion.channels.length > 0) document.animations.push({ name: name ?? 'motion', ...motion });
}

/**
 * The mesh of the node has the first shape; every later one is a morph target of differences from it, and has the weight 1 at
 * its time and 0 at the others.
 */
function addShapes(document: GlbDocument, motion: Motion, { part, times, positions }: PartShapes): void {
  if (times.length < 2) return;
  const mesh = document.meshes[document.nodes[part].mesh as number];
  const [base, ...later] = positions;
  const targets = later.map((shape) => ({
    POSITION: document.addPositions(toSingle(Float64Array.from(shape, (value, k) => value - base[k]))),
  }));
  for (const primitive of mesh.primitives as GltfEntry[]) primitive.targets = targets;
  mesh.weights = new Array<number>(targets.length).fill(0);
  mesh.extras = { targetNames: targets.map((_, i) => `shape ${i + 1}`) };
  const weights = new Float64Array(times.length * targets.length);
  for (let i = 0; i < targets.length; i++) weights[(i + 1) * targets.length + i] = 1;
  const input = document.addSamples(toSingle(times), 'SCALAR', true);
  motion.add(part, 'weights', input, document.addSamples(toSingle(weights), 'SCALAR'));
}

/** Consecutive quaternions are at most 90 degrees apart as vectors, so that every viewer turns the shorter way. */
function splitPoses(poses: ArrayLike<number>): { translations: Float64Array; rotations: Float64Array } {
  const count = poses.length / 7;
  const translations = new Float64Array(3 * count);
  const rotations = new Float64Array(4 * count);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) translations[3 * i + k] = poses[7 * i + k];
    const turn = quat.normalize([poses[7 * i + 3], poses[7 * i + 4], poses[7 * i + 5], poses[7 * i + 6]]);
    let along = 0;
    if (i > 0) for (let k = 0; k < 4; k++) along += turn[k] * rotations[4 * (i - 1) + k];
    for (let k = 0; k < 4; k++) rotations[4 * i + k] = along < 0 ? -turn[k] : turn[k];
  }
  return { translations, rotations };
}

function isConstant(values: Float64Array, width: number): boolean {
  for (let i = width; i < values.length; i++) if (values[i] !== values[i - width]) return false;
  return true;
}

function toSingle(values: ArrayLike<number>): Float32Array {
  const single = Float32Array.from(values);
  if (!single.every(Number.isFinite)) {
    throw new NearfieldError(
      'unsupported',
      'A part moves too far for the single precision of GLB; scale the model down.',
    );
  }
  return single;
}
