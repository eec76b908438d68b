// Random mechanisms: boxes on a few joints above a box that stands still.
import type { Random } from '../../src/core/random.js';
import { boxMesh } from '../../src/kinematics/urdf/outer-shapes.js';
import type { Mechanism } from '../../src/sweep/mechanism/mechanism-description.js';

/** A chain of two or three joints with boxes, above a box that stands still. */
export function randomMechanism(random: Random): Mechanism {
  const count = random.integer(2) + 1;
  const parts: Mechanism['parts'][number][] = [
    {
      name: 'ground',
      mesh: boxMesh([2, 2, 0.5]),
      pose: [random.range(-1, 1), random.range(-1, 1), random.range(-1.3, -0.7), 0, 0, 0, 1],
    },
  ];
  const joints: Mechanism['joints'][number][] = [];
  let at = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    const axis = [random.range(-1, 1), random.range(-1, 1), random.range(-1, 1)] as [number, number, number];
    const isTurn = random.range(0, 1) < 0.7;
    joints.push({
      name: `joint ${i}`,
      type: isTurn ? 'revolute' : 'prismatic',
      parent: i === 0 ? 'ground' : `part ${i - 1}`,
      child: `part ${i}`,
      origin: [...at, 0, 0, 0, 1],
      axis,
      range: isTurn
        ? [-random.range(0.2, 1.5), random.range(0.2, 1.5)]
        : [-random.range(0.1, 0.5), random.range(0.1, 0.5)],
    });
    const next = [at[0] + random.range(0.3, 1), at[1] + random.range(-0.5, 0.5), at[2] + random.range(-0.5, 0.5)];
    parts.push({
      name: `part ${i}`,
      mesh: boxMesh([random.range(0.2, 0.9), random.range(0.1, 0.4), random.range(0.1, 0.4)]),
      pose: [(at[0] + next[0]) / 2, (at[1] + next[1]) / 2, (at[2] + next[2]) / 2, 0, 0, 0, 1],
    });
    at = next;
  }
  const allowed = joints.slice(1).map((_, i) => ({ a: `part ${i}`, b: `part ${i + 1}` }));
  return { type: 'mechanism', parts, joints, allowed };
}
