// Least gaps over whole motions against closed forms and against dense sampling by the distances alone.
import { describe, expect, test } from 'vitest';
import * as pose from '../../src/core/pose.js';
import { createRandom } from '../../src/core/random.js';
import { boxMesh } from '../../src/kinematics/urdf/outer-shapes.js';
import { extrudePolygon } from '../../src/models/parts/extrude.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { measureDistance } from '../../src/proximity/queries.js';
import { MOTION_SAMPLES, motionSample } from '../../src/samples/mechanisms/motion-sample.js';
import type { Mechanism } from '../../src/sweep/mechanism/mechanism-description.js';
import { MotionStudy } from '../../src/sweep/motion-study.js';
import { sweep } from '../../src/sweep/sweep.js';
import { sweepInPool } from '../../src/sweep/sweep-in-pool.js';
import type { SweptPairResult } from '../../src/sweep/sweep-result.js';
import { DirectPool } from '../cluster/direct-pool.js';
import { gearMesh } from './gears.js';
import { bar, sliderCrank, sliderPlace } from './mechanisms.js';
import { randomArms, randomMechanism, sweepArms } from './random-mechanism.js';

function expectRefusal(call: () => unknown, words: string): void {
  expect(call).toThrow(expect.objectContaining({ code: 'bad-argument', message: expect.stringContaining(words) }));
}

function pairOf(pairs: readonly SweptPairResult[], a: string, b: string): SweptPairResult {
  return pairs.find((pair) => (pair.a === a && pair.b === b) || (pair.a === b && pair.b === a))!;
}

function expectBracket({ lower, upper }: { lower: number; upper: number }, truth: number, error = 0.021): void {
  expect(lower).toBeLessThanOrEqual(truth * (1 + 1e-9));
  expect(upper).toBeGreaterThanOrEqual(truth * (1 - 1e-9));
  expect(upper - lower).toBeLessThanOrEqual(error * upper);
}

describe('mechanisms in closed form', () => {
  test('a crank and slider: the gap of the piston to the head', () => {
    for (const [range, head] of [
      [[0.5, 2.8], 7.3],
      [[0, 2 * Math.PI], 7.3],
      [[-2, -0.2], 7.1],
    ] as const) {
      const { pairs, verdict, loopError } = sweep(sliderCrank(1, 5, range, head), { within: 1 });
      const nearest = Math.min(...range.map((angle) => head - 1 - sliderPlace(1, 5, angle)));
      expectBracket(pairOf(pairs, 'head', 'piston'), nearest);
      expect(verdict).toBe('holds');
      expect(loopError).toBeLessThan(1e-9);
    }
  });

  test('a crank and slider that hits its head: the stretch and the depth', () => {
    const { pairs, verdict } = sweep(sliderCrank(1, 5, [-1, 1], 6.8));
    const { upper, depth, violated } = pairOf(pairs, 'head', 'piston');
    expect(verdict).toBe('violated');
    expect(upper).toBe(0);
    expect(depth!.lower).toBeLessThanOrEqual(0.2 + 1e-9);
    expect(depth!.upper).toBeGreaterThan(0.19);
    // 5.8 = cos t + √(25 − sin² t)
    const angle = Math.acos((5.8 ** 2 + 1 - 25) / (2 * 5.8));
    expect(violated).toHaveLength(1);
    const [{ from, to, inner }] = violated as unknown as {
      from: { turn: number };
      to: { turn: number };
      inner: { from: number; to: number };
    }[];
    expect(from.turn).toBeLessThanOrEqual(-angle);
    expect(inner.from).toBeGreaterThanOrEqual(-angle);
    expect(inner.to).toBeLessThanOrEqual(angle);
    expect(to.turn).toBeGreaterThanOrEqual(angle);
    expect(to.turn - from.turn).toBeLessThan(2 * angle + 0.004);
  });

  test('a four-bar: the corner of the rocker above a floor', () => {
    const [crank, coupler, rocker, ground] = [1, 4, 3, 4];
    // The rocker's end by the intersection of two circles.
    const endAt = (t: number): [number, number] => {
      const [x, y] = [crank * Math.cos(t), crank * Math.sin(t)];
      const [dx, dy] = [ground - x, -y];
      const d = Math.hypot(dx, dy);
      const along = (coupler ** 2 - rocker ** 2 + d ** 2) / (2 * d);
      const off = Math.sqrt(coupler ** 2 - along ** 2);
      return [x + (along * dx - off * dy) / d, y + (along * dy + off * dx) / d];
    };
    const start = endAt(0);
    const lean = Math.atan2(start[1], start[0] - ground);
    const turn = (at: readonly number[], angle: number): number[] => [
      at[0],
      at[1],
      at[2],
      0,
      0,
      Math.sin(angle / 2),
      Math.cos(angle / 2),
    ];
    const mechanism: Mechanism = {
      type: 'mechanism',
      parts: [
        { name: 'crank', mesh: bar(crank, 0.1), pose: [0, 0, 1, 0, 0, 0, 1] },
        { name: 'coupler', mesh: bar(coupler, 0.1), pose: turn([crank, 0, 2], Math.atan2(start[1], start[0] - crank)) },
        { name: 'rocker', mesh: bar(rocker, 0.1), pose: turn([ground, 0, 0], lean) },
        { name: 'ceiling', mesh: boxMesh([9, 1, 1]), pose: [4, 3.75, 0, 0, 0, 0, 1] },
      ],
      joints: [
        { name: 'drive', type: 'revolute', parent: 'ceiling', child: 'crank', range: [0, 2 * Math.PI] },
        { name: 'knee', type: 'revolute', parent: 'crank', child: 'coupler', origin: [crank, 0, 0, 0, 0, 0, 1] },
        { name: 'rock', type: 'revolute', parent: 'ceiling', child: 'rocker', origin: [ground, 0, 0, 0, 0, 0, 1] },
      ],
      loops: [{ a: 'coupler', b: 'rocker', at: [...start, 0] as [number, number, number], type: 'pin' }],
      allowed: [
        { a: 'coupler', b: 'rocker' },
        { a: 'crank', b: 'coupler' },
      ],
    };
    let highest = -Infinity;
    for (let i = 0; i <= 40_000; i++) {
      const [x, y] = endAt((2 * Math.PI * i) / 40_000);
      const angle = Math.atan2(y, x - ground);
      // The corner of the bar's end that is higher.
      highest = Math.max(highest, y + 0.05 * Math.abs(Math.cos(angle)));
    }
    const { pairs } = sweep(mechanism, { within: 1 });
    expectBracket(pairOf(pairs, 'rocker', 'ceiling'), 3.25 - highest);
  });

  test('a Scotch yoke: a pin in a slot moves a slide towards a wall', () => {
    const [radius, wall] = [1.5, 4];
    const mechanism: Mechanism = {
      type: 'mechanism',
      parts: [
        { name: 'wall', mesh: boxMesh([1, 4, 4]), pose: [wall + 0.5, 0, 0, 0, 0, 0, 1] },
        { name: 'crank', mesh: bar(radius, 0.2), pose: [0, 0, 3, 0, 0, 0, 1] },
        { name: 'yoke', mesh: boxMesh([1, 6, 1]), pose: [radius, 0, 0, 0, 0, 0, 1] },
      ],
      joints: [
        { name: 'turn', type: 'revolute', parent: 'wall', child: 'crank', range: [0.5, 2.5] },
        { name: 'slide', type: 'prismatic', parent: 'wall', child: 'yoke', axis: [1, 0, 0] },
      ],
      loops: [{ a: 'yoke', b: 'crank', at: [radius, 0, 0], type: 'slide', axis: [0, 1, 0] }],
      allowed: [
        { a: 'yoke', b: 'crank' },
        { a: 'crank', b: 'wall' },
      ],
    };
    const { pairs, loopError } = sweep(mechanism, { within: 3 });
    expectBracket(pairOf(pairs, 'yoke', 'wall'), wall - 0.5 - radius * Math.cos(0.5));
    expect(loopError).toBeLessThan(1e-9);
  });

  test('a cam: an eccentric under a plate, and the stretch below a clearance', () => {
    const [eccentric, sides] = [0.3, 97];
    const ring = Float64Array.from({ length: 2 * sides }, (_, i) => {
      const angle = (2 * Math.PI * (i >> 1)) / sides;
      return i % 2 === 0 ? eccentric + Math.cos(angle) : Math.sin(angle);
    });
    const farthest = eccentric + 1;
    const mechanism: Mechanism = {
      type: 'mechanism',
      parts: [
        { name: 'cam', mesh: extrudePolygon({ rings: [ring] }, { depth: 0.4 }) },
        { name: 'plate', mesh: boxMesh([4, 1, 4]), pose: [0, 1.4 + 0.5, 0, 0, 0, 0, 1] },
      ],
      joints: [{ name: 'turn', type: 'revolute', parent: 'plate', child: 'cam', range: [0, 2 * Math.PI] }],
    };
    const { pairs, verdict } = sweep(mechanism);
    expectBracket(pairs[0], 1.4 - farthest);
    expect(verdict).toBe('holds');
    const close = sweep(mechanism, { clearance: 0.15 });
    expect(close.verdict).toBe('violated');
    // By the vertices: the highest point is the largest of their heights.
    const height = (t: number): number => {
      let most = -Infinity;
      for (let i = 0; i < sides; i++) most = Math.max(most, ring[2 * i] * Math.sin(t) + ring[2 * i + 1] * Math.cos(t));
      return most;
    };
    const failing = Array.from({ length: 20_001 }, (_, i) => (2 * Math.PI * i) / 20_000).filter(
      (t) => 1.4 - height(t) < 0.15,
    );
    expect(failing.length).toBeGreaterThan(1000);
    for (const t of failing) {
      const isIn = close.pairs[0].violated.some(({ from, to }) => {
        return (from as { turn: number }).turn <= t && t <= (to as { turn: number }).turn;
      });
      expect(isIn).toBe(true);
    }
  });

  test('a screw: the gap of its head to the plate falls with its turns', () => {
    const pitch = 0.25;
    const mechanism: Mechanism = {
      type: 'mechanism',
      parts: [
        { name: 'plate', mesh: boxMesh([4, 4, 1]), pose: [0, 0, -0.5, 0, 0, 0, 1] },
        { name: 'thread' },
        { name: 'screw', mesh: boxMesh([2, 1, 0.5]), pose: [0, 0, 1.35, 0, 0, 0, 1] },
      ],
      joints: [
        { name: 'turn', type: 'revolute', parent: 'plate', child: 'thread', range: [0, 6 * Math.PI] },
        { name: 'drop', type: 'prismatic', parent: 'thread', child: 'screw' },
      ],
      couplings: [{ joint: 'drop', of: 'turn', ratio: -pitch / (2 * Math.PI) }],
    };
    const { pairs } = sweep(mechanism, { within: 5 });
    expectBracket(pairs[0], 1.1 - 3 * pitch);
  });

  test('two gears: the proof is below every sample, and the gap wanted is decided', () => {
    const [teeth, other, module] = [16, 12, 1];
    const distance = ((teeth + other) * module) / 2 + 0.05;
    const lean = Math.PI + Math.PI / other;
    const mechanism = (backlash: number): Mechanism => ({
      type: 'mechanism',
      parts: [
        { name: 'wheel', mesh: gearMesh(teeth, module, backlash, 2, 4) },
        {
          name: 'pinion',
          mesh: gearMesh(other, module, backlash, 2, 4),
          pose: [distance, 0, 0, 0, 0, Math.sin(lean / 2), Math.cos(lean / 2)],
        },
        { name: 'frame' },
      ],
      joints: [
        { name: 'turn', type: 'revolute', parent: 'frame', child: 'wheel', range: [0, (4 * Math.PI) / teeth] },
        { name: 'follow', type: 'revolute', parent: 'frame', child: 'pinion', origin: [distance, 0, 0, 0, 0, 0, 1] },
      ],
      couplings: [{ joint: 'follow', of: 'turn', ratio: -teeth / other }],
    });
    const study = new MotionStudy(mechanism(0.3));
    const { pairs } = study.sweep();
    const samples = study.curve('wheel', 'pinion', undefined, undefined, 400).map(({ gap }) => gap);
    expectBracket(pairs[0], pairs[0].upper);
    expect(pairs[0].lower).toBeLessThanOrEqual(Math.min(...samples));
    expect(pairs[0].upper).toBeLessThanOrEqual(1.01 * Math.min(...samples));
    expect(pairs[0].lower).toBeGreaterThan(0.1);
    expect(sweep(mechanism(0.3), { clearance: 0.1 }).verdict).toBe('holds');
    expect(sweep(mechanism(-0.1)).verdict).toBe('violated');
  });
});

describe('dense sampling both ways', () => {
  test('random mechanisms keep what is proven, and fail only where it is said', () => {
    const random = createRandom(5);
    const verdicts = { holds: 0, violated: 0, undecided: 0 };
    for (let round = 0; round < 24; round++) {
      const mechanism = randomMechanism(random);
      const clearance = random.range(0, 0.4);
      const study = new MotionStudy(mechanism, { clearance, within: 2, depth: false });
      const { pairs, verdict, axes } = study.sweep();
      verdicts[verdict]++;
      const models = new Map(study.bodies.map(({ name, mesh }) => [name, new ProximityModel(mesh)]));
      const names = study.bodies.map(({ name }) => name);
      for (let i = 0; i < 150; i++) {
        const place = Object.fromEntries(axes.map(({ name, low, high }) => [name, random.range(low, high)]));
        const poses = study.posesAt(place);
        for (const { a, b, lower, violated } of pairs) {
          const [poseA, poseB] = [a, b].map((name) => poses[names.indexOf(name)]);
          const distance = measureDistance(models.get(a)!, models.get(b)!, poseA, poseB).distance!;
          expect(distance).toBeGreaterThanOrEqual(lower - 1e-12);
          if (distance >= clearance) continue;
          const isSaid = violated.some(({ from, to }) =>
            Object.entries(from).every(
              ([name, low]) => low <= place[name] + 1e-9 && place[name] <= (to as Record<string, number>)[name] + 1e-9,
            ),
          );
          expect(isSaid).toBe(true);
        }
      }
      for (const { a, b, at, upper } of pairs.slice(0, 4)) {
        const poses = study.posesAt(at);
        const [poseA, poseB] = [a, b].map((name) => poses[names.indexOf(name)]);
        expect(measureDistance(models.get(a)!, models.get(b)!, poseA, poseB).distance!).toBeLessThanOrEqual(
          upper + 1e-9,
        );
      }
    }
    expect(verdicts.holds).toBeGreaterThan(3);
    expect(verdicts.violated).toBeGreaterThan(3);
    expect(verdicts.undecided).toBeLessThan(3);
  });

  test('finds meetings of thin arms on geared shafts that samples of half a degree miss', () => {
    const random = createRandom(7);
    const found = Array.from({ length: 40 }, () => sweepArms(randomArms(random)));
    const missed = found.filter(({ meet, isSeen }) => meet && !isSeen);
    expect(missed.length).toBeGreaterThan(2);
  });

  test('an assembly with keyframes is proven from key to key, and far pairs are not listed', () => {
    const still = (x: number): { time: number; pose: number[] }[] => [{ time: 0, pose: [x, 0, 0, 0, 0, 0, 1] }];
    const half = Math.SQRT1_2;
    // The bar turns from along x to along y; between the two keys its end comes nearer to the post than at both.
    const parts = [
      {
        name: 'bar',
        mesh: bar(2, 0.2),
        keys: [
          { time: 0, pose: [0, 0, 0, 0, 0, 0, 1] },
          { time: 2, pose: [0, 0, 0, 0, 0, half, half] },
        ],
      },
      { name: 'post', mesh: boxMesh([0.2, 0.2, 2]), keys: [{ time: 0, pose: [1.7, 1.7, 0, 0, 0, 0, 1] }] },
      { name: 'wall', mesh: boxMesh([0.2, 2, 2]), keys: still(40) },
    ];
    const { pairs, culled, verdict } = sweep({ type: 'frames', parts });
    expect(verdict).toBe('holds');
    // A corner of the end passes the post's edge.
    expectBracket(pairs[0], Math.hypot(1.6, 1.6) - Math.hypot(2, 0.1));
    expect(Math.abs((pairs[0].at as number) - 1)).toBeLessThan(0.1);
    expect(pairs.length + culled.pairs).toBe(2);
    expect(culled.lower).toBeGreaterThan(30);
    // The post and the wall stand still: they are no pair.
    expect(pairs.every(({ a }) => a === 'bar')).toBe(true);
  });
});

test('parts that may overlap by a depth', () => {
  const mechanism = (depth: number | undefined): Mechanism => ({
    type: 'mechanism',
    parts: [
      { name: 'slide', mesh: boxMesh([1, 1, 1]), pose: [0, 0, 0.9, 0, 0, 0, 1] },
      { name: 'bed', mesh: boxMesh([6, 6, 1]) },
    ],
    joints: [{ name: 'way', type: 'prismatic', parent: 'bed', child: 'slide', axis: [1, 0, 0], range: [-1, 1] }],
    allowed: [{ a: 'slide', b: 'bed', depth }],
  });
  expect(sweep(mechanism(0.15)).verdict).toBe('holds');
  expect(sweep(mechanism(0.05)).verdict).toBe('violated');
  expect(sweep(mechanism(undefined)).pairs).toEqual([]);
});

test('the same sweep gives the same answer, and the motion does not depend on where the world is', () => {
  const mechanism = sliderCrank(1, 5, [0.3, 2], 7.2);
  const strip = ({ milliseconds: _, ...rest }: ReturnType<typeof sweep>): object => rest;
  expect(strip(sweep(mechanism))).toEqual(strip(sweep(mechanism)));
  const by: pose.Pose = [10, -4, 3, 0.5, -0.5, 0.5, 0.5];
  const moved: Mechanism = {
    ...mechanism,
    parts: mechanism.parts.map((part) => ({ ...part, pose: pose.multiply(by, part.pose!) })),
    joints: mechanism.joints.map((joint) => ({ ...joint, origin: pose.multiply(by, joint.origin ?? pose.identity()) })),
    loops: mechanism.loops!.map((loop) => ({ ...loop, at: pose.transformPoint(by, loop.at) })),
  };
  const [first, second] = [sweep(mechanism), sweep(moved)];
  expect(second.least!.upper).toBeCloseTo(first.least!.upper, 6);
});

test('a budget of nothing leaves the sweep undecided', () => {
  const vary = { turn: null, shoulder: [-0.4, 0.4], elbow: [-0.4, 0.4], wrist: [-0.4, 0.4] } as const;
  const obstacles = [{ name: 'post', mesh: boxMesh([0.1, 0.1, 0.1]), pose: [0.9, 0, 1.2, 0, 0, 0, 1] }];
  const { verdict, pairs } = sweep(motionSample('arm'), { vary, obstacles, maxSeconds: 1e-9, clearance: 0.02 });
  expect(verdict).not.toBe('holds');
  for (const { lower, upper } of pairs) expect(lower <= upper && upper < Infinity).toBe(true);
});

test('an engine, a landing gear and an arm keep what their pages say', () => {
  const engine = sweep(motionSample('engine'), { clearance: 0.1 });
  expect(engine.verdict).toBe('holds');
  expect(engine.least!.lower).toBeLessThanOrEqual(0.15);
  expect(MOTION_SAMPLES).toEqual(['engine', 'landing-gear', 'arm']);
  // The braces meet the roof of the bay at the end of the way.
  const gear = sweep(motionSample('landing-gear'), { clearance: 0.01 });
  expect(gear.verdict).toBe('violated');
  expect(gear.pairs.filter(({ verdict }) => verdict === 'violated').map(({ b }) => b)).toEqual([
    'upper brace',
    'lower brace',
  ]);
  const arm = sweep(motionSample('arm'), { vary: { shoulder: null, elbow: null }, clearance: 0.01 });
  expect(arm.verdict).toBe('violated');
  expect(arm.pairs[0].violated.length).toBeGreaterThan(0);
});

test('mechanisms that cannot be are refused', () => {
  const base = sliderCrank(1, 5, [0, 1], 7);
  // The rod is too short to let the crank turn all the way.
  const locked = sliderCrank(1, 0.8, [0, 3], 7);
  expectRefusal(() => sweep(locked), 'cannot be closed');
  expectRefusal(() => sweep({ ...base, loops: [] }), 'without a range');
  expectRefusal(() => sweep(base, { vary: { swing: null } }), 'cannot be varied');
  expectRefusal(() => sweep(base, { at: { turn: 0.5 } }), 'Nothing is varied');
  expectRefusal(() => sweep(base, { ignore: [['rod', 'bolt']] }), 'bolt');
  const twice = { ...base, joints: [...base.joints, { ...base.joints[0], name: 'again' }] };
  expectRefusal(() => sweep(twice), 'two joints');
  expectRefusal(() => sweep({ ...base, parts: [] }), 'no parts');
  expectRefusal(() => sweep({} as Mechanism), 'What is swept');
});

test('a pool gives the answer of one thread, to the bit', async () => {
  const ball = extrudePolygon({ rings: [Float64Array.of(1, 0, 0, 1, -1, 0, 0, -1)] }, { depth: 1 });
  const cases = [
    { subject: sliderCrank(1, 5, [-1, 1], 6.8), options: { within: 2 } },
    { subject: motionSample('arm'), options: { vary: { shoulder: [-0.7, 0.7] as const }, clearance: 0.01 } },
    {
      subject: {
        type: 'frames' as const,
        parts: [0, 1, 2, 3].map((i) => ({
          name: `part ${i}`,
          mesh: ball,
          keys: [0, 1].map((time) => ({ time, pose: [2.5 * i, i * time * 0.2, 0, 0, 0, 0, 1] as pose.Pose })),
        })),
      },
      options: { clearance: 0.4, ignore: [['part 0', 'part 1']] as const },
    },
  ];
  for (const { subject, options } of cases) {
    const here = sweep(subject, options);
    const pool = new DirectPool();
    const there = await sweepInPool(pool, subject, options);
    expect({ ...there, milliseconds: 0, loopError: 0 }).toEqual({ ...here, milliseconds: 0, loopError: 0 });
    expect(Math.abs(there.loopError - here.loopError)).toBeLessThan(1e-12);
    expect(pool.calls.length).toBeGreaterThan(0);
  }
  const late = await sweepInPool(new DirectPool(), sliderCrank(1, 5, [0, 1], 6.8), { maxSeconds: 1e-9, within: 9 });
  expect(late.verdict).not.toBe('holds');
  await expect(sweepInPool(null as never, motionSample('arm'))).rejects.toThrow(/BatchPool/);
});

test('pairs that stay farther apart than asked for are found by a limit that grows, from nothing too', () => {
  const { pairs, culled } = sweep(sliderCrank(1, 5, [0, 1], 7.3), { within: 0 });
  expect(pairs.length + culled.pairs).toBeGreaterThan(0);
});
