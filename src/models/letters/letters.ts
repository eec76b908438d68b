// The letters A to Z and the digits 0 to 9 as extruded solids of 150 to 300 triangles, like the falling letters and the
// interlocked digits of Kim, Otaduy, Lin and Manocha 2002, section 7.
import { NearfieldError } from '../../core/errors.js';
import type { Mesh } from '../../mesh/mesh.js';
import { createPolygon, type Polygon } from '../../mesh/polygon/polygon.js';
import { defineModel, type ModelDefinition } from '../model.js';
import { extrudePolygon } from '../parts/extrude.js';
import { digitOutlines } from './digit-outlines.js';
import type { OutlineDrawing } from './outline-path.js';
import { roundLetterOutlines } from './round-letter-outlines.js';
import { straightLetterOutlines } from './straight-letter-outlines.js';

const outlines: Readonly<Record<string, OutlineDrawing>> = {
  ...straightLetterOutlines,
  ...roundLetterOutlines,
  ...digitOutlines,
};

/** Chosen: triangles of a letter, as in the paper. A short outline gets several layers, a long one only one. */
const MAX_TRIANGLES = 300;

/** Chosen: layers of the walls of a letter. */
const MAX_LAYERS = 3;

const parameters = {
  height: { default: 1, min: 0.001, max: 1000, description: 'cap height, in meters' },
  depth: { default: 0.25, min: 0.001, max: 1000, description: 'thickness, in meters' },
} as const;

export type LetterParameter = keyof typeof parameters;

/** The capitals in order: `letter-a` to `letter-z`. */
export const letters: readonly ModelDefinition<LetterParameter>[] = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((character) =>
  defineLetter(`letter-${character.toLowerCase()}`, `Letter ${character}`, character),
);

/** The digits in order: `digit-0` to `digit-9`. */
export const digits: readonly ModelDefinition<LetterParameter>[] = [...'0123456789'].map((character) =>
  defineLetter(`digit-${character}`, `Digit ${character}`, character),
);

/**
 * The outline of a capital or digit: cap height 1, standing on y = 0, its left edge at x = 0.
 * @throws NearfieldError for other characters.
 */
export function letterOutline(character: string): Polygon {
  if (!Object.hasOwn(outlines, character)) {
    throw new NearfieldError('bad-argument', `There is no outline of "${character}"; there are A to Z and 0 to 9.`);
  }
  const rings = outlines[character]();
  const left = extentInX(rings[0])[0];
  return createPolygon(
    rings.map((ring) =>
      mapCoordinates(
        ring,
        (x) => x - left,
        (y) => y,
      ),
    ),
  );
}

function defineLetter(name: string, title: string, character: string): ModelDefinition<LetterParameter> {
  return defineModel({
    name,
    title,
    description: `${title} as an extruded solid, upright, centered on x = 0 and z = 0, standing on y = 0.`,
    parameters,
    build: ({ height, depth }) => buildLetter(character, height, depth),
  });
}

function buildLetter(character: string, height: number, depth: number): Mesh {
  const { rings } = letterOutline(character);
  const middle = extentInX(rings[0])[1] / 2;
  const placed = rings.map((ring) =>
    mapCoordinates(
      ring,
      (x) => height * (x - middle),
      (y) => height * y,
    ),
  );
  const points = rings.reduce((sum, ring) => sum + ring.length / 2, 0);
  const capTriangles = 2 * (points + 2 * (rings.length - 1) - 2);
  const layers = Math.floor((MAX_TRIANGLES - capTriangles) / (2 * points));
  return extrudePolygon({ rings: placed }, { depth, layers: Math.max(1, Math.min(MAX_LAYERS, layers)) });
}

function extentInX(ring: Float64Array): [least: number, most: number] {
  const x = ring.filter((_, i) => i % 2 === 0);
  return [Math.min(...x), Math.max(...x)];
}

function mapCoordinates(ring: Float64Array, mapX: (x: number) => number, mapY: (y: number) => number): Float64Array {
  return ring.map((value, i) => (i % 2 === 0 ? mapX(value) : mapY(value)));
}
