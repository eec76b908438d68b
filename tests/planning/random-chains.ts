// Random chains without bodies: hinges, slides, fixed and continuous joints, joints that mimic others, and branches.
import type { Random } from '../../src/core/random.js';
import type { ChainPlanRobot, PlanJoint } from '../../src/planning/index.js';

export function makeRandomChain(random: Random): ChainPlanRobot {
  const count = 2 + random.integer(7);
  const links = [{ name: 'link 0' }];
  const joints: PlanJoint[] = [];
  for (let i = 1; i <= count; i++) {
    links.push({ name: `link ${i}` });
    const kind = random.next();
    const type = kind < 0.5 ? 'revolute' : kind < 0.65 ? 'continuous' : kind < 0.85 ? 'prismatic' : 'fixed';
    const leader = joints.find((joint) => joint.type === type && joint.mimic === undefined);
    const doesMimic = type !== 'fixed' && leader !== undefined && random.next() < 0.2;
    joints.push({
      name: `joint ${i}`,
      type,
      parent: links[random.next() < 0.15 ? random.integer(i) : i - 1].name,
      child: `link ${i}`,
      origin: [random.range(-0.5, 0.5), random.range(-0.5, 0.5), random.range(-0.5, 0.5), ...random.rotation()],
      axis: random.direction(),
      ...(type === 'revolute' ? { limits: [random.range(-3, -0.5), random.range(0.5, 3)] as const } : {}),
      ...(type === 'prismatic' ? { limits: [random.range(-0.6, 0), random.range(0.1, 0.8)] as const } : {}),
      ...(doesMimic
        ? { mimic: { joint: leader.name, factor: random.range(-1.5, 1.5), offset: random.range(-0.2, 0.2) } }
        : {}),
    });
  }
  return { type: 'chain', base: [...random.direction(), ...random.rotation()], links, joints };
}

/** Values within the limits. */
export function randomValues({ joints }: ChainPlanRobot, random: Random): number[] {
  return joints
    .filter(({ type, mimic }) => type !== 'fixed' && mimic === undefined)
    .map(({ limits = [-Math.PI, Math.PI] }) => random.range(limits[0], limits[1]));
}
