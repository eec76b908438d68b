// A trajectory that passes an obstacle too closely is pushed away until it keeps the clearance that is wanted: gradient descent
// on a smooth lower bound of the clearance, at waypoints and between them. Samples steer; the certificate at the end is a proof.
import { fileURLToPath } from 'node:url';
import { findModel } from 'nearfield/mesh';
import { certifyTrajectory, RobotClearance } from 'nearfield/sweep';

/** Meters that the whole motion is to keep. */
const WANTED = 0.05;

const WAYPOINTS = 12;
const SECONDS = 4;

/** How far the smooth bound may be below the clearance, in meters. */
const SOFTNESS = 0.01;

/** A bar along x from its joint. */
function bar(length) {
  const { positions, indices } = findModel('box').build({ width: length, height: 0.06, depth: 0.06 });
  return { positions: positions.map((value, i) => (i % 3 === 0 ? value + length / 2 : value)), indices };
}

const hinge = (name, parent, child, x) => {
  return { name, type: 'revolute', parent, child, origin: [x, 0, 0, 0, 0, 0, 1], axis: [0, 0, 1], limits: [-3, 3] };
};

/** An arm of two links in the plane, and a ball within its reach. */
export const problem = {
  robots: [
    {
      type: 'chain',
      name: 'arm',
      links: [{ name: 'base' }, { name: 'upper', mesh: bar(0.5) }, { name: 'lower', mesh: bar(0.4) }],
      joints: [hinge('shoulder', 'base', 'upper', 0), hinge('elbow', 'upper', 'lower', 0.52)],
    },
  ],
  environment: [{ name: 'ball', mesh: findModel('sphere').build({ radius: 0.1 }), pose: [0.87, 0, 0, 0, 0, 0, 1] }],
};

/** From one side of the ball to the other, folded on the way: past the ball, but too near to it. */
export function firstTrajectory() {
  return Array.from({ length: WAYPOINTS }, (_, i) => {
    const share = i / (WAYPOINTS - 1);
    return [0.9 - 1.8 * share, 0.3 + 1.4 * Math.sin(Math.PI * share)];
  });
}

export const toTrajectory = (waypoints) => ({
  joints: ['shoulder', 'elbow'],
  points: waypoints.map((positions, i) => ({ time: (SECONDS * i) / (WAYPOINTS - 1), positions })),
});

/** One step down: away from what is near, and towards a smooth trajectory. The ends stay. */
function step(robot, waypoints, margin) {
  const forces = waypoints.map(() => [0, 0]);
  for (let i = 0; i < waypoints.length - 1; i++) {
    // At the waypoint, and in the middle of the way to the next one, which both of them move.
    for (const share of [0, 0.5]) {
      const q = waypoints[i].map((value, k) => (1 - share) * value + share * waypoints[i + 1][k]);
      const { lower, gradient } = robot.smooth(q, { error: SOFTNESS });
      const missing = Math.max(0, WANTED + margin - lower);
      for (let k = 0; k < 2; k++) {
        forces[i][k] += (1 - share) * missing * gradient[k];
        forces[i + 1][k] += share * missing * gradient[k];
      }
    }
  }
  return waypoints.map((q, i) => {
    if (i === 0 || i === waypoints.length - 1) return q;
    return q.map((value, k) => {
      const bend = waypoints[i - 1][k] + waypoints[i + 1][k] - 2 * value;
      return value + 1.5 * forces[i][k] + 0.01 * bend;
    });
  });
}

/** Pushes until the certificate holds: samples may miss what is between them, so the margin grows until it does. */
export function pushTrajectory() {
  const robot = new RobotClearance(problem);
  let waypoints = firstTrajectory();
  const before = certifyTrajectory(problem, toTrajectory(waypoints), { clearance: WANTED });
  let [after, steps] = [before, 0];
  for (let margin = 0.02; after.verdict !== 'holds' && margin < 0.1; margin += 0.01) {
    for (let i = 0; i < 100; i++, steps++) waypoints = step(robot, waypoints, margin);
    after = certifyTrajectory(problem, toTrajectory(waypoints), { clearance: WANTED });
  }
  return { before, after, steps, waypoints };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { before, after, steps } = pushTrajectory();
  const tell = ({ verdict, clearance }) =>
    `${verdict}: ${clearance.lower.toFixed(4)} m proven, ${clearance.upper.toFixed(4)} m had`;
  console.log(`before:           ${tell(before)}`);
  console.log(`after ${steps} steps: ${tell(after)}`);
}
