// Bodies that pass only by the right motion: a twisted bar, two bent nails, a bar in a bent pipe.
import type { Vec3 } from '../../core/vec3.js';
import type { Mesh } from '../../mesh/mesh.js';
import { placeAt } from '../../mesh/place-mesh.js';
import { loft } from '../../models/parts/loft.js';
import { circleSection, pathFrames, pointInFrame, sweepTube } from '../../models/parts/tube.js';
import type { PlanProblem } from '../../planning/problem/plan-problem.js';
import { blockSolid } from './block-solid.js';
import { defineSample } from './sample.js';

export const screw = defineSample({
  name: 'screw',
  title: 'Only a screw motion passes',
  description: 'A twisted square bar goes through a square hole in a thick wall: it has to turn as it moves.',
  parameters: {
    share: { default: 1.3, min: 1.05, max: 3, description: 'side of the hole, as a share of that of the bar' },
    twist: { default: 1.5, min: 0, max: 3, description: 'of the bar, in radians a meter' },
  },
  build: ({ share, twist }): PlanProblem => {
    const w = 0.25 * share;
    return {
      robots: [
        {
          type: 'rigid',
          name: 'bar',
          mesh: twistedBar(0.5, 2, twist),
          bounds: { min: [-3, -3, -3], max: [3, 3, 3] },
          start: placeAt([1, 0.5, -1.9], [0, 1, 0], 1.3),
          goal: placeAt([-1, 0, 1.9], [1, 0, 0], 1.2),
        },
      ],
      environment: [{ mesh: blockSolid([[-3, -3, -0.15, 3, 3, 0.15]], { cut: [[-w, -w, -0.15, w, w, 0.15]] }) }],
    };
  },
});

/** A bar along z of square section, whose section turns evenly. */
function twistedBar(side: number, length: number, twist: number): Mesh {
  const stations = 24;
  const ring = (z: number): Vec3[] => {
    return [1, 3, 5, 7].map((k) => {
      const angle = (k * Math.PI) / 4 + twist * z;
      const radius = side / Math.SQRT2;
      return [radius * Math.cos(angle), radius * Math.sin(angle), z];
    });
  };
  const rings = Array.from({ length: stations + 1 }, (_, i) => ring((i / stations - 0.5) * length));
  return loft(rings, { start: [0, 0, -length / 2], end: [0, 0, length / 2] });
}

/** Chosen: the diameter of the wire of a nail. */
const WIRE = 0.3;

/** Chosen: the radius of the loop of a nail. */
const LOOP = 1;

export const nails = defineSample({
  name: 'nails',
  title: 'Two bent nails',
  description: 'Two wires with a loop each hang in one another, as in the alpha puzzle; one is to be taken off.',
  parameters: {
    gap: { default: 2, min: 1.05, max: 4, description: 'where a wire passes itself, in diameters of the wire' },
  },
  build: ({ gap }): PlanProblem => {
    const mesh = bentNail(gap);
    return {
      robots: [
        {
          type: 'rigid',
          name: 'nail',
          mesh,
          bounds: { min: [-6, -6, -6], max: [6, 6, 6] },
          start: placeAt([0, 1, 0], [0, 1, 0], Math.PI / 2),
          goal: placeAt([0, 5, 0], [0, 1, 0], Math.PI / 2),
        },
      ],
      environment: [{ mesh }],
    };
  },
});

/** A round wire that comes along x, makes one turn about z and goes on along x, beside itself. */
function bentNail(gap: number): Mesh {
  const rise = WIRE * (1 + gap);
  const path: Vec3[] = [];
  const [arm, turn] = [8, 40];
  for (let i = 0; i < arm; i++) path.push([-LOOP * (1 - i / arm), -LOOP, -rise / 2]);
  for (let i = 0; i <= turn; i++) {
    const angle = (2 * Math.PI * i) / turn - Math.PI / 2;
    path.push([LOOP * Math.cos(angle), LOOP * Math.sin(angle), rise * (i / turn - 0.5)]);
  }
  for (let i = 1; i <= arm; i++) path.push([(LOOP * i) / arm, -LOOP, rise / 2]);
  const sides = 10;
  return sweepTube(path, {
    closed: false,
    sides,
    normal: [0, 1, 0],
    section: (_, side) => circleSection(WIRE / 2, (2 * Math.PI * side) / sides),
  });
}

export const bentPipe = defineSample({
  name: 'bent-pipe',
  title: 'Bent pipe',
  description: 'A bar leaves a chamber through a pipe with two bends.',
  parameters: {
    width: {
      default: 0.6,
      min: 0.4,
      max: 0.7,
      description: 'of the inside of the pipe, in meters; the bar is 0.3 × 0.3',
    },
    length: { default: 0.8, min: 0.1, max: 1.2, description: 'of the bar, in meters' },
  },
  build: ({ width, length }): PlanProblem => {
    const path: Vec3[] = [];
    const radius = 1;
    for (let i = 0; i <= 6; i++) path.push([0, 0, -0.1 + i / 6]);
    for (let i = 1; i <= 12; i++) {
      const a = (Math.PI / 2) * (i / 12);
      path.push([radius * (1 - Math.cos(a)), 0, 0.9 + radius * Math.sin(a)]);
    }
    for (let i = 1; i <= 12; i++) {
      const a = (Math.PI / 2) * (i / 12);
      path.push([1 + radius * Math.sin(a), radius * (1 - Math.cos(a)), 1.9]);
    }
    for (let i = 1; i <= 6; i++) path.push([2, 1 + i / 6, 1.9]);
    // The square outlet of the chamber is wider than the inside of the pipe, and its corners are in the pipe's wall.
    const [outlet, outer] = [0.51 * width, 0.8 * width];
    return {
      robots: [
        {
          type: 'rigid',
          name: 'bar',
          mesh: blockSolid([[-length / 2, -0.15, -0.15, length / 2, 0.15, 0.15]]),
          bounds: { min: [-4, -4, -4], max: [5, 5, 5] },
          start: placeAt([0, 0, -1.4]),
          goal: placeAt([2, 3.5, 1.9]),
        },
      ],
      environment: [
        {
          mesh: blockSolid([[-1.4, -1.4, -2.8, 1.4, 1.4, 0]], {
            cut: [
              [-1.2, -1.2, -2.6, 1.2, 1.2, -0.2],
              [-outlet, -outlet, -0.2, outlet, outlet, 0],
            ],
          }),
        },
        { mesh: pipe(path, outer, width / 2) },
      ],
    };
  },
});

/** The wall of a round pipe along a path. */
function pipe(path: readonly Vec3[], outer: number, inner: number): Mesh {
  const sides = 20;
  const frames = pathFrames(path, false, [1, 0, 0]);
  const ring = (station: number, radius: number): Vec3[] => {
    return Array.from({ length: sides }, (_, side) =>
      pointInFrame(frames[station], circleSection(radius, (2 * Math.PI * side) / sides)),
    );
  };
  const there = path.map((_, i) => ring(i, outer));
  const back = path.map((_, i) => ring(path.length - 1 - i, inner));
  return loft([...there, ...back], 'joined');
}
