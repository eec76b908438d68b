// The five scenes of Hoff, Zaferakis, Lin and Manocha 2001, with their numbers of objects and lines, drawn anew and moved
// by a simple seeded motion: discs that bounce stand for the bodies, chains swing, waves run. Shared by the benchmarks, the
// lab and the tests.
import { createRandom, type Random } from 'nearfield/core';

/** A shape of a scene; `advance` changes its pose, or its rings, in place. */
export interface PlaneBody {
  readonly rings: readonly Float64Array[];
  /** x, y, angle. */
  readonly pose: Float64Array;
}

export interface PlaneScenario {
  readonly name: string;
  readonly title: string;
  readonly bodies: readonly PlaneBody[];
  /** Edges of all bodies. */
  readonly lines: number;
  /** The box in which it moves: x0, y0, x1, y1. */
  readonly box: readonly [number, number, number, number];
  /** The mean diameter of a body; the error of the paper's tables is 0.2 % of an object's. */
  readonly diameter: number;
  /** Places the bodies as they are in a frame. */
  advance(frame: number): void;
}

/** Frames of every scene. */
export const PLANE_FRAMES = 600;

/** The scenes by name. */
export const planeScenarios: Readonly<Record<string, () => PlaneScenario>> = { map, gears, links, cars, wavy };

/** Six large jagged regions that keep pressing against each other. */
function map(): PlaneScenario {
  const random = createRandom(719);
  const counts = [120, 120, 120, 120, 120, 119];
  const rings = counts.map((count) => jagged(random, count, 1));
  return bouncing('map', 'Six countries of 719 lines, in close contact', rings, {
    random,
    box: [-2.9, -1.95, 2.9, 1.95],
    reach: 0.86,
    speed: 0.008,
    spin: 0.006,
  });
}

/** Gears with square teeth that drift and lock into each other now and then. */
function gears(): PlaneScenario {
  const random = createRandom(391);
  // 12 · 30 + 31 lines: seven or eight teeth of four lines each, and a few more on the hub.
  const rings = Array.from({ length: 13 }, (_, i) => [gear(i === 12 ? 31 : 30, 1)]);
  return bouncing('gears', '13 gears of 391 lines', rings, {
    random,
    box: [-7.5, -6, 7.5, 6],
    reach: 0.96,
    speed: 0.03,
    spin: 0.02,
  });
}

/** Convex cars that bump. */
function cars(): PlaneScenario {
  const random = createRandom(266);
  const rings = Array.from({ length: 18 }, (_, i) => [oval(i < 14 ? 15 : 14, 1, 0.8)]);
  return bouncing('cars', '18 cars of 266 lines', rings, {
    random,
    box: [-10, -7, 10, 7],
    reach: 0.88,
    speed: 0.04,
    spin: 0.015,
  });
}

/** Chains of open hooks that hold one another. */
function links(): PlaneScenario {
  const random = createRandom(440);
  const rings = Array.from({ length: 15 }, (_, i) => [hook(i < 5 ? 30 : 29)]);
  const phases = Array.from({ length: 15 }, () => random.range(0, 2 * Math.PI));
  return scenario('links', '15 links of 440 lines in three chains', rings, [-6.6, -3.2, 6.6, 3.2], (bodies, frame) => {
    bodies.forEach(({ pose }, i) => {
      const chain = Math.floor(i / 5);
      const place = i % 5;
      const time = frame / PLANE_FRAMES;
      pose[0] = 3.4 * (chain - 1) + 1.08 * (place - 2) + 0.035 * Math.sin(2 * Math.PI * 3 * time + phases[i]);
      pose[1] = 1.08 * (place - 2) + 0.045 * Math.sin(2 * Math.PI * 2 * time + phases[i] + place);
      pose[2] = 0.04 * Math.sin(2 * Math.PI * 4 * time + 2 * phases[i]);
    });
  });
}

/** Two soft bodies whose facing sides are waves that run through each other. */
function wavy(): PlaneScenario {
  const count = 100;
  const rings = [[new Float64Array(2 * count)], [new Float64Array(2 * count)]];
  return scenario('wavy', 'Two deforming bodies of 200 lines', rings, [-1.4, -1.1, 1.4, 1.1], (bodies, frame) => {
    const time = (2 * Math.PI * frame) / PLANE_FRAMES;
    for (const [
      side,
      {
        rings: [ring],
      },
    ] of bodies.entries()) {
      const sign = side === 0 ? 1 : -1;
      // 77 points along the wave, the others around the back.
      const along = 77;
      for (let i = 0; i < count; i++) {
        let x: number;
        let y: number;
        if (i < along) {
          const s = i / (along - 1);
          y = 1 - 2 * s;
          const swell = 0.06 * Math.sin(9 * y - 5 * time) + 0.04 * Math.sin(17 * y + 3 * time);
          x = sign * swell * 1.2 + 0.03 * Math.sin(2 * time) + 0.012 * Math.sin(23 * y + 7 * time * sign);
        } else {
          const s = (i - along + 1) / (count - along + 1);
          x = -1.1 * Math.sin(Math.PI * s) ** 0.4;
          y = -1 + 2 * s;
        }
        ring[2 * i] = sign * x;
        ring[2 * i + 1] = sign * y;
      }
    }
  });
}

type Rings = readonly (readonly Float64Array[])[];

function scenario(
  name: string,
  title: string,
  rings: Rings,
  box: PlaneScenario['box'],
  move: (bodies: readonly PlaneBody[], frame: number) => void,
): PlaneScenario {
  const bodies = rings.map((own): PlaneBody => ({ rings: own, pose: new Float64Array(3) }));
  const lines = rings.flat().reduce((sum, ring) => sum + ring.length / 2, 0);
  move(bodies, 0);
  const diameter = rings.reduce((sum, own) => sum + diagonal(own), 0) / rings.length;
  return { name, title, bodies, lines, box, diameter, advance: (frame) => move(bodies, frame) };
}

interface BounceOptions {
  readonly random: Random;
  readonly box: PlaneScenario['box'];
  /** The radius of the discs: those that touch the bodies' tips would have 1. */
  readonly reach: number;
  readonly speed: number;
  readonly spin: number;
}

/** Bodies that bounce off the walls and each other as discs; the whole motion is worked out once. */
function bouncing(name: string, title: string, rings: Rings, options: BounceOptions): PlaneScenario {
  const { random, box, reach, speed, spin } = options;
  const count = rings.length;
  const columns = Math.ceil(Math.sqrt((count * (box[2] - box[0])) / (box[3] - box[1])));
  const lines = Math.ceil(count / columns);
  const state = rings.map((_, i) => {
    const direction = random.range(0, 2 * Math.PI);
    return {
      x: box[0] + (((i % columns) + 0.5) / columns) * (box[2] - box[0]),
      y: box[1] + ((Math.floor(i / columns) + 0.5) / lines) * (box[3] - box[1]),
      angle: random.range(0, 2 * Math.PI),
      vx: speed * Math.cos(direction),
      vy: speed * Math.sin(direction),
      spin: random.range(-spin, spin),
    };
  });
  const poses = new Float64Array(3 * count * PLANE_FRAMES);
  for (let frame = 0; frame < PLANE_FRAMES; frame++) {
    state.forEach((body, i) => {
      poses.set([body.x, body.y, body.angle], 3 * (frame * count + i));
      body.x += body.vx;
      body.y += body.vy;
      body.angle += body.spin;
      if (body.x - reach < box[0]) body.vx = Math.abs(body.vx);
      if (body.x + reach > box[2]) body.vx = -Math.abs(body.vx);
      if (body.y - reach < box[1]) body.vy = Math.abs(body.vy);
      if (body.y + reach > box[3]) body.vy = -Math.abs(body.vy);
    });
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < i; j++) {
        const [a, b] = [state[i], state[j]];
        const [dx, dy] = [b.x - a.x, b.y - a.y];
        const gap = Math.hypot(dx, dy);
        const closing = ((b.vx - a.vx) * dx + (b.vy - a.vy) * dy) / gap;
        if (gap >= 2 * reach || closing >= 0) continue;
        // Equal masses exchange their speeds along the line between them.
        const [px, py] = [(closing * dx) / gap, (closing * dy) / gap];
        a.vx += px;
        a.vy += py;
        b.vx -= px;
        b.vy -= py;
      }
    }
  }
  return scenario(name, title, rings, box, (bodies, frame) => {
    bodies.forEach(({ pose }, i) => {
      const at = 3 * ((frame % PLANE_FRAMES) * count + i);
      pose[0] = poses[at];
      pose[1] = poses[at + 1];
      pose[2] = poses[at + 2];
    });
  });
}

function jagged(random: Random, count: number, radius: number): Float64Array[] {
  const waves = [2, 3, 5, 7].map((k) => ({ k, size: random.range(0.05, 0.2) / k, phase: random.range(0, 7) }));
  const ring = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) {
    const angle = (2 * Math.PI * i) / count;
    const swell = waves.reduce((sum, { k, size, phase }) => sum + size * Math.sin(k * angle + phase), 0.88);
    const reach = radius * (swell + random.range(-0.035, 0.035));
    ring[2 * i] = reach * Math.cos(angle);
    ring[2 * i + 1] = reach * Math.sin(angle);
  }
  return [ring];
}

function gear(count: number, radius: number): Float64Array {
  const teeth = Math.floor(count / 4);
  const points: number[] = [];
  for (let tooth = 0; tooth < teeth; tooth++) {
    for (const [share, reach] of [
      [0, 0.82],
      [0.5, 0.82],
      [0.55, 1],
      [0.95, 1],
    ]) {
      const angle = (2 * Math.PI * (tooth + share)) / teeth;
      points.push(radius * reach * Math.cos(angle), radius * reach * Math.sin(angle));
    }
    // The lines beyond whole teeth divide the gaps of the first ones.
    if (tooth < count % 4) {
      const angle = (2 * Math.PI * (tooth + 0.25)) / teeth;
      points.splice(points.length - 6, 0, radius * 0.82 * Math.cos(angle), radius * 0.82 * Math.sin(angle));
    }
  }
  return Float64Array.from(points);
}

function oval(count: number, width: number, height: number): Float64Array {
  const ring = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) {
    const angle = (2 * Math.PI * i) / count;
    const round = (Math.abs(Math.cos(angle)) ** 4 + Math.abs(Math.sin(angle)) ** 4) ** -0.25;
    ring[2 * i] = 0.85 * width * round * Math.cos(angle);
    ring[2 * i + 1] = 0.85 * height * round * Math.sin(angle);
  }
  return ring;
}

/** An S of two open hooks: the one on the right holds the one on the left of the next link. */
function hook(count: number): Float64Array {
  // A bar along x with a thick arc at each end, as the outline of a bent stroke.
  const half = Math.floor(count / 2);
  const points: number[] = [];
  for (let i = 0; i < count; i++) {
    const isBack = i >= half;
    const s = isBack ? 1 - (i - half) / (count - half - 1) : i / (half - 1);
    const [x, y, nx, ny] = stroke(s);
    const width = isBack ? -0.09 : 0.09;
    points.push(x + width * nx, y + width * ny);
  }
  return Float64Array.from(points);
}

/** The middle line of a link: an arc, a bar, an arc turned the other way; with its normal. */
function stroke(s: number): [number, number, number, number] {
  const radius = 0.36;
  if (s > 0.4 && s < 0.6) {
    const t = (s - 0.4) / 0.2;
    return [-0.55 + 1.1 * t, 0, 0, -1];
  }
  const isRight = s >= 0.6;
  const turn = isRight ? (s - 0.6) / 0.4 : (0.4 - s) / 0.4;
  const angle = 1.15 * Math.PI * turn - Math.PI / 2;
  const sign = isRight ? 1 : -1;
  const [c, n] = [Math.cos(angle), Math.sin(angle)];
  return [sign * (0.55 + radius * c), sign * (radius + radius * n), c, n];
}

function diagonal(rings: readonly Float64Array[]): number {
  const xs = rings.flatMap((ring) => Array.from(ring).filter((_, i) => i % 2 === 0));
  const ys = rings.flatMap((ring) => Array.from(ring).filter((_, i) => i % 2 === 1));
  return Math.hypot(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
}
