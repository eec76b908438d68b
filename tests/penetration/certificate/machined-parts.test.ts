// Machined parts that overlap: no certificate is refuted by brute force, and images see no less than its lower bound.
import { expect, test } from 'vitest';
import type { Pose } from '../../../src/core/pose.js';
import { createRandom } from '../../../src/core/random.js';
import { measurePenetrationSync } from '../../../src/penetration/measure-on-cpu.js';
import { machinedVariants } from '../../generators/machined-parts.js';
import { randomOf } from '../../oracles/penetration/box-cases.js';
import { bodyOf, HERE } from '../check-depth.js';
import { checkCertificate } from './check-certificate.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);
const parts = machinedVariants(4).filter(({ mesh }) => mesh.indices.length < 3 * (SOAK > 1 ? 2500 : 500));

test.each(parts.map((part, i) => ({ ...part, other: parts[(5 * i + 1) % parts.length] })))(
  '$name in $other.name',
  ({ name, mesh, other }) => {
    const random = createRandom(name.length);
    const [a, b] = [bodyOf(mesh), bodyOf(other.mesh)];
    const middle = (positions: Float64Array) =>
      [0, 1, 2].map((axis) => {
        let [low, high] = [Infinity, -Infinity];
        for (let i = axis; i < positions.length; i += 3)
          [low, high] = [Math.min(low, positions[i]), Math.max(high, positions[i])];
        return (low + high) / 2;
      });
    const [from, to] = [middle(other.mesh.positions), middle(mesh.positions)];
    const poseB = [...from.map((value, k) => to[k] - value + 0.1 * a.oracle.size * random.range(-1, 1)), 0, 0, 0, 1];
    const options = { poseB: poseB as unknown as Pose, maxCells: 300, directions: 60 };
    const { lower, status } = checkCertificate(name, a, b, randomOf(5), options);
    if (status === 'separate') return;
    const seen = measurePenetrationSync(a.model, b.model, HERE, options.poseB, {
      method: 'image-space',
      resolution: 32,
    });
    expect(seen.depth).toBeGreaterThanOrEqual(lower * (1 - 1e-9));
  },
);
