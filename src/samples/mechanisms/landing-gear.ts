// A landing gear that folds, in meters: a leg with a wheel swings up into its bay while a brace of two links folds. A four-bar:
// its loop is closed by solving.
import type { Mechanism } from '../../sweep/mechanism/mechanism-description.js';
import { circle, outline, roundBar, slab, together } from './outlines.js';

/** Chosen: from the leg's pin to the wheel's axle, in m. */
const LEG = 1.2;
/** Chosen: the radius of the wheel, in m. */
const WHEEL = 0.3;
/** Chosen: where the brace holds the leg, from its pin, in m. */
const HOLD = 0.6;
/** Chosen: where the brace hangs on the frame, from the leg's pin, in m. */
const ANCHOR = 0.75;

/** @param bay the depth of the bay above the leg's pin, in m. */
export function landingGear(bay = 0.42): Mechanism {
  const down = [0, 0, -Math.SQRT1_2, Math.SQRT1_2] as const;
  // The leg hangs; the brace is nearly straight from the anchor to the leg, bent a little at its knee.
  const [upper, lower] = [0.5, 0.5];
  const reach = Math.hypot(ANCHOR, HOLD);
  const along = Math.atan2(-HOLD, -ANCHOR);
  const bend = Math.acos(reach / 2 / upper);
  const turn = (angle: number): readonly [number, number, number, number] => [
    0,
    0,
    Math.sin(angle / 2),
    Math.cos(angle / 2),
  ];
  const knee = [ANCHOR + upper * Math.cos(along - bend), upper * Math.sin(along - bend)] as const;
  const back = Math.atan2(-HOLD - knee[1], -knee[0]);
  const leg = together(
    slab([roundBar(LEG, 0.06, 0.045)], -0.04, 0.04),
    slab([circle(WHEEL, LEG)], 0.06, 0.24),
    slab([circle(0.05, LEG)], -0.03, 0.07),
  );
  const roof = outline(
    [-0.24, 0.1],
    [-0.24, bay],
    [1.69, bay],
    [1.69, -0.1],
    [1.75, -0.1],
    [1.75, bay + 0.06],
    [-0.3, bay + 0.06],
    [-0.3, 0.1],
  );
  return {
    type: 'mechanism',
    parts: [
      { name: 'bay', mesh: slab([roof], -0.2, 0.4) },
      { name: 'leg', mesh: leg, pose: [0, 0, 0, ...down] },
      {
        name: 'upper brace',
        mesh: slab([roundBar(upper, 0.04, 0.035)], -0.13, -0.06),
        pose: [ANCHOR, 0, 0, ...turn(along - bend)],
      },
      {
        name: 'lower brace',
        mesh: slab([roundBar(lower, 0.035, 0.035)], -0.21, -0.145),
        pose: [...knee, 0, ...turn(back)],
      },
    ],
    joints: [
      { name: 'leg', type: 'revolute', parent: 'bay', child: 'leg', range: [0, 1.45] },
      { name: 'anchor', type: 'revolute', parent: 'bay', child: 'upper brace', origin: [ANCHOR, 0, 0, 0, 0, 0, 1] },
      { name: 'knee', type: 'revolute', parent: 'upper brace', child: 'lower brace', origin: [...knee, 0, 0, 0, 0, 1] },
    ],
    loops: [{ a: 'leg', b: 'lower brace', at: [0, -HOLD, 0], type: 'pin' }],
    clearance: 0.01,
  };
}
