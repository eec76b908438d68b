// A proof that a chain has no path: a link that a single joint value moves, and a value between start and goal at which a ball inside
// of the link meets an obstacle. Whatever the other joints do, every motion has to pass that value.
import * as pose from '../../core/pose.js';
import { createRandom, type Random } from '../../core/random.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import type { InfeasibilityProof } from '../problem/plan-problem.js';
import type { InnerBall } from '../workspace/inner-ball.js';
import type { ChainErrand } from './link-proof.js';

/** Chosen: the count of values between start and goal that are tried. */
const VALUES = 200;

/** Chosen: the count of balls that are tried in a link. */
const BALLS = 400;

/**
 * Chosen: the radii of balls that touch the surface of a link from inside, as shares of its size. The first that is
 * inside counts.
 */
const RADII = [1e-2, 1e-3, 1e-4];

/** Rounding: a ball is in an obstacle if it is deeper than this share of the link's size. */
const DEPTH_ROUNDING = 1e-9;

/** Null if no link that one value moves is in the way. */
export function proveByJoints(errand: ChainErrand): InfeasibilityProof | null {
  const { scene, robot, name, map, start, goal, deadline } = errand;
  const q = start.slice();
  for (const { name: link, model, isTested } of robot.links) {
    const index = robot.linkNames.indexOf(link);
    const moved = new Set(robot.jointsOf(index).map((joint) => robot.valueOf(joint).value));
    moved.delete(-1);
    if (!isTested || !model.closed || moved.size !== 1) continue;
    const [own] = moved;
    const value = robot.offset + own;
    const joint = robot.joints.find(({ mimic }, j) => mimic === undefined && robot.valueOf(j).value === own)!.name;
    if (start[value] === goal[value]) continue;
    const balls = findBalls(model, createRandom(1));
    for (let i = 1; i < VALUES && !deadline.isOver('Looking for a proof'); i++) {
      q[value] = start[value] + (i / VALUES) * (goal[value] - start[value]);
      const frame = robot.frameAt(q, index);
      for (const { center, radius } of balls) {
        const room = map.at(pose.transformPoint(frame, center));
        if (!(room < radius + scene.clearance - DEPTH_ROUNDING * model.radius)) continue;
        return { kind: 'ball', robot: name, link, joint, value: q[value], center, radius };
      }
    }
    q[value] = start[value];
  }
  return null;
}

/** Balls inside of a closed model, under random places of its surface. */
function findBalls(model: ProximityModel, random: Random): InnerBall[] {
  const { positions, indices } = model.mesh;
  const corner = (f: number, k: number): Vec3 => {
    const v = 3 * indices[3 * f + k];
    return [positions[v], positions[v + 1], positions[v + 2]];
  };
  const normals = Array.from({ length: indices.length / 3 }, (_, f) => {
    return vec3.cross(vec3.subtract(corner(f, 1), corner(f, 0)), vec3.subtract(corner(f, 2), corner(f, 0)));
  });
  let sum = 0;
  const sums = normals.map((normal) => (sum += vec3.length(normal)));
  const balls: InnerBall[] = [];
  for (let i = 0; i < BALLS && sum > 0; i++) {
    const place = random.range(0, sum);
    const f = sums.findIndex((upTo) => upTo > place);
    if (f < 0) continue;
    const [s, t] = [Math.sqrt(random.next()), random.next()];
    const weights = [1 - s, s * (1 - t), s * t];
    let point: Vec3 = [0, 0, 0];
    for (let k = 0; k < 3; k++) point = vec3.addScaled(point, corner(f, k), weights[k]);
    const inward = vec3.scale(vec3.normalize(normals[f]), -model.radius);
    for (const share of RADII) {
      const center = vec3.addScaled(point, inward, share);
      const depth = -model.signedDistance(center);
      if (!(depth > 0)) continue;
      balls.push({ center, radius: depth * (1 - 1e-12), isProven: true });
      break;
    }
  }
  return balls;
}
