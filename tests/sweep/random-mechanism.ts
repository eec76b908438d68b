// Random mechanisms: boxes on a few joints above a box that stands still; and thin arms on two shafts of which one is fast.
import { expect } from 'vitest';
import type { Random } from '../../src/core/random.js';
import { boxMesh } from '../../src/kinematics/urdf/outer-shapes.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { measureDistance } from '../../src/proximity/queries.js';
import type { Mechanism } from '../../src/sweep/mechanism/mechanism-description.js';
import { MotionStudy } from '../../src/sweep/motion-study.js';

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

/** Two shafts with thin arms that reach into each other's circle; the second turns faster than the first, by gears. */
export function randomArms(random: Random): Mechanism {
  const distance = random.range(1.9, 2.005);
  const armOf = (name: string, x: number): Mechanism['parts'][number] => {
    const angle = random.range(0, 2 * Math.PI);
    const mesh = boxMesh([2, random.range(0.005, 0.03), 0.2]);
    return { name, mesh, pose: [x, 0, 0, 0, 0, Math.sin(angle / 2), Math.cos(angle / 2)] };
  };
  return {
    type: 'mechanism',
    parts: [{ name: 'frame' }, armOf('slow', 0), armOf('fast', distance)],
    joints: [
      { name: 'drive', type: 'revolute', parent: 'frame', child: 'slow', range: [0, random.range(1, 6)] },
      { name: 'driven', type: 'revolute', parent: 'frame', child: 'fast', origin: [distance, 0, 0, 0, 0, 0, 1] },
    ],
    couplings: [{ joint: 'driven', of: 'drive', ratio: -random.range(2, 12) }],
  };
}

/** What a sweep of arms finds, and what samples of half a degree see. */
export function sweepArms(mechanism: Mechanism): { readonly meet: boolean; readonly isSeen: boolean } {
  const study = new MotionStudy(mechanism, { clearance: 0, depth: false });
  const { verdict, pairs } = study.sweep();
  const [{ low, high }] = study.axes;
  const samples = study.curve('slow', 'fast', undefined, undefined, Math.ceil((high - low) / (Math.PI / 360)) + 1);
  const least = Math.min(...samples.map(({ gap }) => gap));
  // Where the sweep says that they meet they do, and it says so wherever a sample meets.
  if (verdict === 'violated') {
    const [slow, fast] = study.posesAt(pairs[0].at);
    const [a, b] = study.bodies.map(({ mesh }) => new ProximityModel(mesh));
    expect(measureDistance(a, b, slow, fast).distance).toBe(0);
  } else expect(least).toBeGreaterThan(0);
  for (const { lower } of pairs) expect(lower).toBeLessThanOrEqual(least + 1e-12);
  return { meet: verdict === 'violated', isSeen: least === 0 };
}
