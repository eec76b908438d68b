import { pose, quat } from 'nearfield/core';
import { findModel } from 'nearfield/mesh';
import { rattle } from './rattle.js';
import { ringBalls } from './ring-balls.js';
import { FRAME_COUNT, type ScenarioDefinition } from './scenario.js';

/** Ehmann and Lin 2001, section 8.2, scenario 1. Two links of a chain, both free, tumbling about each other. */
export const interlockedTori: ScenarioDefinition = {
  name: 'interlocked-tori',
  title: 'Interlocked tori',
  description: 'A wrinkled and a bent torus, linked, tumbling about each other.',
  build() {
    const pairs = [[0, 1]] as const;
    return {
      name: interlockedTori.name,
      title: interlockedTori.title,
      bodies: [
        { name: 'wrinkled torus', mesh: findModel('wrinkled-torus').build() },
        { name: 'bent torus', mesh: findModel('bent-torus').build() },
      ],
      pairs,
      frameCount: FRAME_COUNT,
      poses: rattle(
        [
          // The crests of the wrinkles reach 0.134 from the ring.
          { balls: ringBalls(0.36, 0.137, 0), start: pose.create([-0.18, 0, 0]), gyration: 0.3, spin: [0.9, 0.5, 0.3] },
          {
            balls: ringBalls(0.36, 0.115, 0.4),
            start: pose.create([0.18, 0, -0.144], quat.fromAxisAngle([1, 0, 0], Math.PI / 2)),
            gyration: 0.3,
            spin: [-0.6, 0.8, -0.5],
          },
        ],
        pairs,
        {
          force: (time, body, [x, y, z]) => {
            const sign = body === 0 ? 1 : -1;
            return [
              -0.5 * x + sign * 0.8 * Math.sin(1.7 * time),
              -0.5 * y + sign * 0.9 * Math.sin(2.3 * time + 1),
              -0.5 * z + sign * 0.8 * Math.sin(1.3 * time + 2),
            ];
          },
          bounce: 0.7,
          drag: 0.6,
        },
      ),
    };
  },
};
