// Moving parts as a glTF animation: a translation and a rotation channel for each node that moves, sampled at common times.
import { Accessor, type Document, type GLTF, type Node } from '@gltf-transform/core';
import { NearfieldError } from '../../core/errors.js';
import * as quat from '../../core/quat.js';
import type { ModelAnimation } from '../model/model-animation.js';

/** A part that keeps its place has no channel: its node is placed once. Nodes are in the order of the parts. */
export function addAnimation(
  document: Document,
  nodes: readonly Node[],
  { name, times, tracks }: ModelAnimation,
): void {
  const animation = document.createAnimation(name ?? 'motion');
  const input = createAccessor(document, Accessor.Type.SCALAR, Float64Array.from(times));
  for (const { part, poses } of tracks) {
    const node = nodes[part];
    const { translations, rotations } = splitPoses(poses);
    node.setTranslation([translations[0], translations[1], translations[2]]);
    node.setRotation([rotations[0], rotations[1], rotations[2], rotations[3]]);
    for (const [path, type, values] of [
      ['translation', Accessor.Type.VEC3, translations],
      ['rotation', Accessor.Type.VEC4, rotations],
    ] as const) {
      if (isConstant(values, path === 'translation' ? 3 : 4)) continue;
      const sampler = document
        .createAnimationSampler()
        .setInput(input)
        .setOutput(createAccessor(document, type, values))
        .setInterpolation('LINEAR');
      const channel = document.createAnimationChannel().setTargetNode(node).setTargetPath(path).setSampler(sampler);
      animation.addSampler(sampler).addChannel(channel);
    }
  }
  // glTF has no animation without channels.
  if (animation.listChannels().length === 0) {
    animation.dispose();
    input.dispose();
  }
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

function createAccessor(document: Document, type: GLTF.AccessorType, values: Float64Array): Accessor {
  const single = Float32Array.from(values);
  if (!single.every(Number.isFinite)) {
    throw new NearfieldError(
      'unsupported',
      'A part moves too far for the single precision of GLB; scale the model down.',
    );
  }
  return document.createAccessor().setType(type).setArray(single).setBuffer(document.getRoot().listBuffers()[0]);
}
