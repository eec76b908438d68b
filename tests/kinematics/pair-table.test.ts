// What tables of pairs of links claim, against distances over all triangles: links that are called farther apart are.
import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { pairTable } from '../../src/kinematics/filter/pair-table.js';
import { buildChain } from '../../src/kinematics/robot/build-chain.js';
import type { PlanJoint } from '../../src/kinematics/robot/chain-description.js';
import type { ChainRobot } from '../../src/kinematics/robot/chain-robot.js';
import { boxMesh } from '../../src/kinematics/urdf/outer-shapes.js';
import { measureByBruteForce, placeInFrame, prepareOracle } from '../oracles/mesh-distance.js';

const mesh = boxMesh([0.2, 0.2, 1]);

/** An arm of three links, the third on a joint as given. */
function armOf(last: Partial<PlanJoint>): ChainRobot {
  const links = ['a', 'b', 'c', 'd'].map((name) => ({ name, ...(name === 'b' ? {} : { mesh }) }));
  const common = { axis: [1, 0, 0], limits: [-2, 2] } as const;
  const joints: PlanJoint[] = [
    { ...common, name: 'ab', type: 'revolute', parent: 'a', child: 'b', origin: [0.3, 0, 0.7, 0, 0, 0, 1] },
    { ...common, name: 'bc', type: 'revolute', parent: 'b', child: 'c', origin: [0.3, 0, 0.7, 0, 0, 0, 1] },
    { ...common, name: 'ad', type: 'revolute', parent: 'a', child: 'd', origin: [-1, 0.4, 0, 0, 0, 0, 1], ...last },
  ];
  return buildChain({ type: 'chain', links, joints }, 'arm', 0);
}

const oracle = prepareOracle(mesh.positions, mesh.indices);

function trueDistance(arm: ChainRobot, q: Float64Array, a: string, b: string): number {
  const [at, to] = [a, b].map((name) => arm.frameAt(q, arm.linkNames.indexOf(name)).slice());
  return measureByBruteForce(oracle, prepareOracle(placeInFrame(mesh.positions, at, to), mesh.indices)).distance;
}

test('links that a table calls farther apart are, for hinges, slides and joints that follow others', () => {
  const random = createRandom(11);
  const variants: Partial<PlanJoint>[] = [
    {},
    { type: 'prismatic', axis: [0, 0, 1], limits: [-0.5, 1.5] },
    { mimic: { joint: 'ab', factor: -0.7, offset: 0.2 } },
    // A joint that follows another one by nothing at all is where its offset says.
    { mimic: { joint: 'ab', factor: 0, offset: 0.3 } },
  ];
  let [apart, asked] = [0, 0];
  for (const variant of variants) {
    const arm = armOf(variant);
    // Links with bodies: a, c, d.
    for (const [one, other, a, b] of [
      [0, 1, 'a', 'c'],
      [1, 2, 'c', 'd'],
      [0, 2, 'a', 'd'],
    ] as const) {
      const table = pairTable(arm, one, other);
      if (table === null) continue;
      for (let i = 0; i < 60; i++) {
        const q = Float64Array.from(arm.limits, ([low, high]) => random.range(low, high));
        const wanted = random.range(0, 0.4);
        const distance = trueDistance(arm, q, a, b);
        const claimed = table.areApart(q, wanted, false);
        if (claimed) expect(distance).toBeGreaterThan(wanted);
        if (distance > wanted + 0.2) asked++;
        if (distance > wanted + 0.2 && claimed) apart++;
      }
    }
  }
  expect(asked).toBeGreaterThan(200);
  // What is well apart is told so, unless it is beyond what tables measure.
  expect(apart / asked).toBeGreaterThan(0.9);
});
