// Seeded cases that the tests and the soak run share: heaps of random bodies, fast thin shots, deep overlaps.
import { createRandom, type Random } from '../../src/core/random.js';
import { PlaneWorld } from '../../src/plane-dynamics/plane-world.js';
import { cornerDepth, placeRing, ringsOverlap } from './polygon-oracle.js';
import { box, cup, type RingShape, star } from './shapes.js';

export function randomShape(random: Random, size: number): RingShape {
  const kind = Math.floor(random.range(0, 4));
  if (kind === 0) return box(size * random.range(0.4, 1.6), size * random.range(0.1, 1));
  if (kind === 1) return star(3 + Math.floor(random.range(0, 4)), 0.4 * size, size);
  if (kind === 2) return cup(0.7 * size);
  // Any ring that its center sees.
  const count = 5 + Math.floor(random.range(0, 20));
  return {
    polygon: Array.from({ length: count }, (_, i) => {
      const radius = size * random.range(0.45, 1);
      const angle = (2 * Math.PI * i) / count;
      return [radius * Math.cos(angle), radius * Math.sin(angle)];
    }),
  };
}

/** Drops bodies into a box. @returns the deepest overlap seen by the oracle, in sizes, and whether the energy grew. */
export function drop(seed: number): { deepest: number; growth: number; lost: number; count: number } {
  const random = createRandom(seed);
  const w = new PlaneWorld();
  for (const [x, y, width, height] of [
    [0, -0.5, 8, 1],
    [-3.5, 3, 1, 8],
    [3.5, 3, 1, 8],
  ]) {
    w.addBody({ shape: box(width, height), pose: [x, y, 0], fixed: true });
  }
  const rings: RingShape[] = [];
  const ids: number[] = [];
  for (let i = 0; i < 12; i++) {
    const ring = randomShape(random, 0.4);
    rings.push(ring);
    ids.push(
      w.addBody({
        shape: ring,
        pose: [1.1 * (i % 4) - 1.65, 1 + 1.1 * Math.floor(i / 4), random.range(0, 6.28)],
        velocity: [random.range(-2, 2), random.range(-6, 0)],
        angularVelocity: random.range(-6, 6),
        friction: random.range(0, 0.9),
        restitution: random.range(0, 1) < 0.5 ? 0 : random.range(0, 0.8),
      }),
    );
  }
  let energy = w.energy().total;
  const scale = energy;
  let deepest = 0;
  let growth = 0;
  let lost = 0;
  const walls = [
    [box(8, 1), [0, -0.5, 0]],
    [box(1, 8), [-3.5, 3, 0]],
    [box(1, 8), [3.5, 3, 0]],
  ] as const;
  for (let k = 0; k < 150; k++) {
    w.step();
    const now = w.energy().total;
    growth = Math.max(growth, (now - energy) / scale);
    energy = now;
    if (k % 10 !== 9) continue;
    const placed = [
      ...ids.map((id, i) => placeRing(rings[i].polygon, w.poseOf(id))),
      ...walls.map(([shape, pose]) => placeRing(shape.polygon, pose)),
    ];
    for (let a = 0; a < ids.length; a++) {
      for (let b = a + 1; b < placed.length; b++) {
        if (ringsOverlap(placed[a], placed[b]))
          deepest = Math.max(deepest, cornerDepth(placed[a], placed[b]) / 0.8, 1e-12);
      }
      const [x, y] = w.centerOf(ids[a]);
      if (k === 149 && !(Math.abs(x) < 3 && y > 0 && y < 7)) lost++;
    }
  }
  return { deepest, growth, lost, count: ids.length };
}

/** Shoots a body at a thin plate, free or fixed. @returns whether it is on the side it came from, and touched the plate. */
export function shoot(seed: number): { isThrough: boolean; isHit: boolean } {
  const random = createRandom(seed);
  const w = new PlaneWorld({ gravity: [0, 0] });
  const speed = 10 * 100 ** random.range(0, 1);
  const plate = w.addBody({
    shape: box(10 ** random.range(-3, -1), 6),
    fixed: random.range(0, 1) < 0.5,
    restitution: random.range(0, 1) < 0.5 ? 0 : 0.7,
    mass: 50,
  });
  const size = 10 ** random.range(-2, -0.3);
  const bullet = w.addBody({
    shape: random.range(0, 1) < 0.3 ? { circle: size } : randomShape(random, size),
    pose: [-random.range(1, 3), random.range(-1, 1), random.range(0, 6.28)],
    velocity: [speed, random.range(-0.2, 0.2) * speed],
    angularVelocity: random.range(-30, 30),
    restitution: random.range(0, 1) < 0.5 ? 0 : 0.5,
    mass: 1,
  });
  let isHit = false;
  let isThrough = false;
  // Across and along, in the frame of the plate, which may turn.
  const side = (): [number, number] => {
    const [px, py, angle] = w.poseOf(plate);
    const [x, y] = w.centerOf(bullet);
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    return [(x - px) * c + (y - py) * s, (y - py) * c - (x - px) * s];
  };
  let [across, along] = side();
  for (let k = 0; k < 30; k++) {
    const before = w.velocityOf(bullet);
    w.step();
    const after = w.velocityOf(bullet);
    if (Math.hypot(after[0] - before[0], after[1] - before[1]) > 1e-6 * speed) isHit = true;
    const [nextAcross, nextAlong] = side();
    if (across > 0 !== nextAcross > 0) {
      const at = along + (across / (across - nextAcross)) * (nextAlong - along);
      if (Math.abs(at) < 2.9) isThrough = true;
    }
    [across, along] = [nextAcross, nextAlong];
  }
  // A place that is no number is nowhere.
  if (!Number.isFinite(across + along)) isThrough = true;
  return { isThrough, isHit };
}

/** Two bodies deep in each other. @returns the seconds until they are apart, and the greatest speed on the way. */
export function part(seed: number): { seconds: number; speed: number; energy: number } {
  const random = createRandom(seed);
  const w = new PlaneWorld({ gravity: [0, 0], sleeping: false });
  const rings = [randomShape(random, 0.5), randomShape(random, 0.5)];
  const ids = rings.map((ring) =>
    w.addBody({
      shape: ring,
      pose: [random.range(-0.2, 0.2), random.range(-0.2, 0.2), random.range(0, 6.28)],
      velocity: [random.range(-0.3, 0.3), random.range(-0.3, 0.3)],
    }),
  );
  const start = w.energy().total;
  let energy = 0;
  let speed = 0;
  for (let k = 0; k < 300; k++) {
    w.step();
    energy = Math.max(energy, w.energy().total / start);
    for (const id of ids) speed = Math.max(speed, Math.hypot(...w.velocityOf(id)));
    const [a, b] = ids.map((id, i) => placeRing(rings[i].polygon, w.poseOf(id)));
    if (!ringsOverlap(a, b)) return { seconds: w.time, speed, energy };
  }
  return { seconds: Infinity, speed, energy };
}
