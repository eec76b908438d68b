// Edges of random problems against dense sampling by distances over all triangles: what is claimed free has no sample within
// the clearance, what is claimed to end has contact there. Samples are 1e-5 of the edge apart; those that lie nearer than the
// bodies can come together are passed over.
import { createRandom } from '../../src/core/random.js';
import type { CollisionScene } from '../../src/kinematics/validity/collision-scene.js';
import { buildScene, describeConfiguration } from '../../src/planning/problem/build-scene.js';
import { TimedScene } from '../../src/planning/time/plan-in-time.js';
import { measureByBruteForce, type OracleMesh, placeInFrame } from '../oracles/mesh-distance.js';
import type { CheckedBody } from '../oracles/path-checker.js';
import { pairsApart } from '../oracles/plan-checker.js';
import { makeRandomProblem } from './random-problems.js';

/** The finest samples, in shares of an edge. */
const FINEST = 1e-5;

/** What came of the edges of a problem. */
export interface CheckedEdges {
  readonly bad: string[];
  edges: number;
  free: number;
  samples: number;
}

export function checkRandomEdges(seed: number, edges: number): CheckedEdges {
  const problem = makeRandomProblem(seed);
  const { clearance = 0 } = problem;
  const built = buildScene(problem, clearance);
  const timed = built.timed === null ? null : new TimedScene(built.scene, built.timed);
  const scene = timed?.scene ?? built.scene;
  const random = createRandom(seed + 1);
  const prepared = new Map<unknown, OracleMesh>();
  const found: CheckedEdges = { bad: [], edges: 0, free: 0, samples: 0 };
  const [a, b] = [new Float64Array(scene.size), new Float64Array(scene.size)];
  const sample = (out: Float64Array): void => {
    for (const robot of scene.robots) robot.sample(random, out);
  };
  for (let i = 0; i < edges; i++) {
    if (i % 4 > 0 && found.edges > 0) {
      // On from where the last edge came near something.
      const share = scene.advance(a, b);
      if (share > 0 && share < 1) scene.interpolate(a, b, share * (1 - 10 ** random.range(-6, -1)), a);
    } else {
      let tries = 0;
      do sample(a);
      while (!scene.isFree(a) && tries++ < 100);
      if (tries > 100) return found;
    }
    if (!scene.isFree(a)) continue;
    // Some edges go on into what stopped the last one.
    if (found.edges === 0 || random.next() < 0.6) {
      sample(b);
      scene.interpolate(a, b, 10 ** random.range(-2, 0), b);
    }
    // As fast as allowed, or slower, where times count.
    if (timed !== null) {
      const least = timed.limits.duration(a, b);
      const at = timed.clock.offset;
      b[at] = Math.min(timed.clock.horizon, a[at] + least * random.range(1, 3) + random.next() ** 4);
      if (!timed.limits.allow(a, b, b[at] - a[at])) continue;
    }
    if (scene.robots.some((robot) => !robot.hasWay(a, b))) continue;
    checkEdge(problem, scene, timed?.clock.offset ?? -1, a, b, clearance, found, prepared, `seed ${seed}, edge ${i}`);
  }
  return found;
}

function checkEdge(
  problem: ReturnType<typeof makeRandomProblem>,
  scene: CollisionScene,
  clock: number,
  a: Float64Array,
  b: Float64Array,
  clearance: number,
  found: CheckedEdges,
  prepared: Map<unknown, OracleMesh>,
  name: string,
): void {
  // Half of the edges are first asked for as a whole.
  const share = found.edges % 2 === 1 && scene.proves(a, b) ? 1 : scene.advance(a, b);
  found.edges++;
  if (share === 1) found.free++;
  const robots = scene.robots.filter(({ isClock }) => !isClock);
  const paths = robots.map((robot) => [describeConfiguration(robot, a), describeConfiguration(robot, b)]);
  const pairs = pairsApart(problem, paths, clock < 0 ? [0, 1] : [a[clock], b[clock]], prepared);
  const distanceAt = (p: CheckedBody, q: CheckedBody, s: number): number => {
    found.samples++;
    const placed = placeInFrame(p.mesh.positions, q.poseAt(0, s), p.poseAt(0, s));
    return measureByBruteForce(q.mesh, p.mesh, placed).distance;
  };
  const rounding = 1e-9;
  let least = Infinity;
  for (const { a: p, b: q, name: pair } of pairs) {
    for (let s = 0; ; ) {
      const distance = distanceAt(p, q, s);
      if (distance < clearance - rounding || (clearance === 0 && distance === 0)) {
        found.bad.push(`${name}: ${pair} at ${distance} of clearance ${clearance}, at ${s} of the proven ${share}`);
        break;
      }
      if (s >= share) {
        least = Math.min(least, distance);
        break;
      }
      // As far on as both motions cannot close the gap.
      let step = Math.max(FINEST, share - s);
      while (step > FINEST && p.wayBetween(0, s, s + step) + q.wayBetween(0, s, s + step) > distance - clearance)
        step /= 2;
      s = Math.min(share, s + Math.max(step, FINEST));
    }
  }
  const stated = 1e-5 * scene.scale;
  if (share < 1 && !(least <= clearance + stated * (1 + 1e-6) + 1e-9)) {
    found.bad.push(`${name}: ends at ${share}, but nothing is nearer than ${least} at clearance ${clearance}`);
  }
}
