// Damaged drawings end in an answer of finite numbers or in a NearfieldError, and the same path written in two ways is
// the same path.
import { expect, test } from 'vitest';
import { NearfieldError } from '../../../src/core/errors.js';
import { createRandom } from '../../../src/core/index.js';
import type { SvgDrawing } from '../../../src/io/drawing/svg-drawing.js';
import { readSvg } from '../../../src/io/index.js';

const WHOLE = `<svg viewBox="0 0 100 100" width="10mm"><style>.a{fill:none}</style><g transform="rotate(30 5 5) skewX(3)">
<path class="a" d="M10 10L20 10 20,20h-5v5c1 2 3 4 5 6s1-1 2 3q3-4 5 6t1 1a5 3 20 01 7 7zm4 4l1 1"/></g>
<rect x="1" width="5%" height="7" rx="2"/><use href="#c" x="3"/><circle id="c" r="3"/></svg>`;

function assertFinite(drawing: SvgDrawing): void {
  const text = JSON.stringify(drawing, (_, value) =>
    typeof value === 'number' && !Number.isFinite(value) ? 'not finite' : value,
  );
  expect(text).not.toContain('not finite');
}

test('damage: characters replaced, removed, doubled, and files cut', async () => {
  const random = createRandom(7);
  const characters = 'MLHVCSQTAZmlhvcsqtaz0123456789.-+eE, \n"<>/&#%();:xy';
  let read = 0;
  let refused = 0;
  for (let round = 0; round < 1500; round++) {
    let text = WHOLE;
    for (let edits = 1 + random.integer(2); edits > 0; edits--) {
      const at = random.integer(text.length);
      const kind = random.integer(20);
      const character = characters[random.integer(characters.length)];
      if (kind === 0) text = text.slice(0, at);
      else if (kind < 8) text = text.slice(0, at) + text.slice(at + 1);
      else if (kind < 14) text = text.slice(0, at) + character + text.slice(at);
      else text = text.slice(0, at) + character + text.slice(at + 1);
    }
    try {
      assertFinite(await readSvg(text));
      read++;
    } catch (error) {
      expect(error, text).toBeInstanceOf(NearfieldError);
      refused++;
    }
  }
  expect(read).toBeGreaterThan(300);
  expect(refused).toBeGreaterThan(300);
});

test('relative and compact paths are the absolute ones', async () => {
  const random = createRandom(11);
  for (let round = 0; round < 200; round++) {
    const [absolute, relative] = randomPath(random);
    const [a, b] = await Promise.all([absolute, relative].map((d) => readSvg(`<svg><path d="${d}"/></svg>`)));
    expect(b.shapes[0].subpaths, `${absolute}\n${relative}`).toEqual(a.shapes[0].subpaths);
  }
});

/** The same path with absolute commands and blanks, and with relative ones as tight as they can be written. */
function randomPath(random: { integer(bound: number): number }): [string, string] {
  // Quarters up to 100 are exact, so relative coordinates add up without rounding.
  const number = (): number => (random.integer(800) - 400) / 4;
  let [x, y, startX, startY] = [number(), number(), 0, 0];
  [startX, startY] = [x, y];
  let absolute = `M ${x} ${y} `;
  let relative = `m${tight([x, y])}`;
  const counts: Record<string, number> = { M: 1, L: 1, C: 3, S: 2, Q: 2, T: 1 };
  for (let step = 0; step < 12; step++) {
    const letter = 'LHVCSQTAZM'[random.integer(10)];
    if (letter === 'Z') {
      absolute += 'Z ';
      relative += 'z';
      [x, y] = [startX, startY];
    } else if (letter === 'H' || letter === 'V') {
      const value = number();
      absolute += `${letter} ${value} `;
      relative += letter.toLowerCase() + tight([value - (letter === 'H' ? x : y)]);
      if (letter === 'H') x = value;
      else y = value;
    } else if (letter === 'A') {
      const [rx, ry, tilt, large, sweep] = [
        random.integer(50),
        random.integer(50),
        number(),
        random.integer(2),
        random.integer(2),
      ];
      const [endX, endY] = [number(), number()];
      absolute += `A ${rx} ${ry} ${tilt} ${large} ${sweep} ${endX} ${endY} `;
      relative += `a${tight([rx, ry, tilt])} ${large}${sweep}${tight([endX - x, endY - y])}`;
      [x, y] = [endX, endY];
    } else {
      const points = Array.from({ length: 2 * counts[letter] }, number);
      absolute += `${letter} ${points.join(' ')} `;
      relative += letter.toLowerCase() + tight(points.map((value, i) => value - (i % 2 === 0 ? x : y)));
      [x, y] = points.slice(-2);
      if (letter === 'M') [startX, startY] = [x, y];
    }
  }
  return [`${absolute}L 0 0`, `${relative}l${tight([-x, -y])}`];
}

/** Numbers with no separator that is not needed and no zero before the point. */
function tight(values: readonly number[]): string {
  let text = '';
  let pointed = false;
  for (const value of values) {
    const word = String(value).replace(/^(-?)0\./, '$1.');
    const joins = text === '' || word.startsWith('-') || (word.startsWith('.') && pointed);
    text += joins ? word : ` ${word}`;
    pointed = word.includes('.');
  }
  return text;
}
