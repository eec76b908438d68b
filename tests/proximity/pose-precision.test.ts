// Answers depend only on the relative placement, not on where the bodies are in the world or how their quaternions were
// rounded when written out.
import { describe, expect, test } from 'vitest';
import type { Pose } from '../../src/core/pose.js';
import { findModel } from '../../src/models/catalogue.js';
import { Pair } from '../../src/proximity/pair.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { boxMesh } from '../generators/surfaces.js';
import { measureByBruteForce, placeInFrame, prepareOracle } from '../oracles/mesh-distance.js';

const CASES = (['boxes', 'hulls'] as const).map((volume) => ({ volume }));
const torus = findModel('torus').build({ majorSegments: 12, minorSegments: 7 });
const box = boxMesh([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]);
const [oracleA, oracleB] = [torus, box].map((mesh) => prepareOracle(mesh.positions, mesh.indices));
/** Unit to rounding, and turned by no multiple of a right angle. */
const TURN_A = [0.1, 0.3, -0.5, Math.sqrt(1 - 0.01 - 0.09 - 0.25)];
const TURN_B = [-0.7, 0.1, 0.2, Math.sqrt(1 - 0.49 - 0.01 - 0.04)];

describe.each(CASES)('poses over $volume', ({ volume }) => {
  const pair = new Pair(new ProximityModel(torus), new ProximityModel(box), { volume });

  test.each([1e4, 1e6, 1e8])('keeps the digits of a gap %d sizes from the origin', (far) => {
    // Exact in double precision, so that the bodies are where they would be near the origin.
    const poseA = [far, -2 * far, 3 * far, ...TURN_A] as unknown as Pose;
    const poseB = [far + 1.25, -2 * far + 0.5, 3 * far + 0.75, ...TURN_B] as unknown as Pose;
    const truth = measureByBruteForce(oracleA, oracleB, placeInFrame(box.positions, poseA, poseB));
    expect(truth.distance).toBeGreaterThan(0.1);
    const { distance, witness } = pair.distance(poseA, poseB);
    expect(Math.abs(distance! - truth.distance)).toBeLessThan(1e-14);
    expect(witness!.distance).toBe(distance);
    expect(pair.within(poseA, poseB, truth.distance * (1 + 1e-13)).within).toBe(true);
    expect(pair.within(poseA, poseB, truth.distance * (1 - 1e-13)).within).toBe(false);
    const [contact] = pair.contacts(poseA, poseB, { tolerance: truth.distance * (1 + 1e-9) }).contacts;
    expect(Math.abs(contact.distance - truth.distance)).toBeLessThan(1e-14);
  });

  test.each([1e-16, 1e-12, 4e-10, -4e-10])('takes a quaternion that is too long by %d for the unit one', (excess) => {
    const unitA = [0.25, 0.5, -0.5, ...TURN_A] as unknown as Pose;
    const unitB = [1.5, 1, 0.25, ...TURN_B] as unknown as Pose;
    const poseA = [0.25, 0.5, -0.5, ...TURN_A.map((x) => x * (1 + excess))] as unknown as Pose;
    const poseB = [1.5, 1, 0.25, ...TURN_B.map((x) => x * (1 + excess))] as unknown as Pose;
    const truth = measureByBruteForce(oracleA, oracleB, placeInFrame(box.positions, unitA, unitB));
    expect(truth.distance).toBeGreaterThan(0.1);
    const { distance, witness } = pair.distance(poseA, poseB);
    expect(Math.abs(distance! - truth.distance)).toBeLessThan(1e-14);
    expect(Math.abs(Math.hypot(...witness!.normal!) - 1)).toBeLessThan(1e-14);
    const { pointA, pointB } = witness!;
    expect(Math.abs(Math.hypot(...pointA.map((x, k) => x - pointB[k])) - distance!)).toBeLessThan(1e-14);
  });
});
