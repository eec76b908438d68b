import { NearfieldError } from '../../core/errors.js';
import type { Vec3 } from '../../core/vec3.js';
import { defineModel } from '../model.js';
import { smoothStep } from '../parts/smooth-step.js';
import { type SectionPoint, sweepTube } from '../parts/tube.js';

/** Chosen: the broadest part of the head, in breadths of the body. */
const HEAD_BREADTH = 1.35;

/** A winding body from a pointed tail to a flat head: 2 × sections × sides triangles. */
export const snake = defineModel({
  name: 'snake',
  title: 'Snake',
  description: 'A snake that winds along the X axis with its head raised at +X; 5,760 triangles.',
  parameters: {
    length: { default: 1.4, min: 0.2, max: 20, description: 'size along X, in meters' },
    girth: { default: 0.045, min: 0.005, max: 1, description: 'radius of the body, in meters' },
    sway: { default: 0.15, min: 0, max: 5, description: 'how far the body winds to each side, in meters' },
    waves: { default: 2, min: 0.25, max: 20, description: 'windings from tail to head' },
    sections: { default: 120, min: 24, max: 4000, integer: true, description: 'cross-sections; ≥ 24 per winding' },
    sides: { default: 24, min: 3, max: 200, integer: true, description: 'segments around the body' },
  },
  build: ({ length, girth, sway, waves, sections, sides }) => {
    assertRoomToWind(length, girth, sway, waves, sections);
    const pathAt = (t: number): Vec3 => {
      const lift = 2 * girth * smoothStep(0.8, 0.97, t);
      return [(t - 0.5) * length, lift, sway * Math.sin(2 * Math.PI * waves * t)];
    };
    const stations = Array.from({ length: sections }, (_, i) => stationAt((i + 1) / (sections + 1)));
    return sweepTube(stations.map(pathAt), {
      closed: false,
      sides,
      normal: [0, 1, 0],
      section: (station, side): SectionPoint => {
        const angle = (2 * Math.PI * side) / sides;
        const [breadth, height] = sectionAt(stations[station]);
        return [girth * height * Math.cos(angle), girth * breadth * Math.sin(angle)];
      },
      tips: { start: pathAt(0), end: pathAt(1) },
    });
  },
});

/** Sections stand closer on the head, and closest at the snout, where the outline is round. */
function stationAt(t: number): number {
  if (t < 0.7) return (0.86 / 0.7) * t;
  return 0.86 + 0.14 * Math.sin((Math.PI / 2) * ((t - 0.7) / 0.3));
}

/** Half breadth and half height of the body, as shares of its girth, at `t` from the tail to the snout. */
function sectionAt(t: number): [breadth: number, height: number] {
  const tail = Math.sin((Math.PI / 2) * Math.min(1, t / 0.6)) ** 0.9;
  const neck = bump(t, 0.893, 0.035);
  const head = bump(t, 0.95, 0.035);
  const snout = Math.sqrt(Math.max(0, 1 - Math.max(0, (t - 0.95) / 0.05) ** 2));
  return [tail * snout * (1 - 0.25 * neck + (HEAD_BREADTH - 1) * head), tail * snout * (1 - 0.2 * neck - 0.2 * head)];
}

function bump(t: number, center: number, width: number): number {
  return Math.exp(-(((t - center) / width) ** 2));
}

/** The body, at its broadest, must fit inside its tightest turn and between two neighboring windings. */
function assertRoomToWind(length: number, girth: number, sway: number, waves: number, sections: number): void {
  const refuse = (problem: string) => new NearfieldError('bad-argument', `The snake ${problem}`);
  const wavelength = length / waves;
  const tightestTurn = (wavelength / (2 * Math.PI)) ** 2 / Math.max(sway, 1e-9 * wavelength);
  const room = Math.min(0.8 * tightestTurn, 0.2 * wavelength, 0.05 * length) / HEAD_BREADTH;
  if (girth > room)
    throw refuse(`is too thick to wind like this; make girth at most ${room}, or sway or waves smaller.`);
  if (sections < 24 * waves) {
    throw refuse(`has ${sections} sections for ${waves} windings; give at least ${Math.ceil(24 * waves)}.`);
  }
}
