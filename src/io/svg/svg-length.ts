// Lengths of SVG attributes in user units.
import type { XmlElement } from '../xml/xml-tree.js';

/** User units (CSS pixels) per unit; an inch has 96. */
const PIXELS: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
  pt: 96 / 72,
  pc: 16,
};

/** Format: millimeters of a user unit, a CSS pixel; an inch has 96. */
export const MILLIMETERS_PER_PIXEL = 25.4 / 96;

const LENGTH = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([a-z]*|%)\s*$/i;

/** The width and height that percentages refer to; NaN if the drawing has none. */
export type Viewport = readonly [width: number, height: number];

/** Which side of the viewport 100 % is: width, height or, for radii, their root mean square. */
export type Axis = 'x' | 'y' | 'both';

/** A length of the element, or the fallback where the attribute is missing or `auto`. */
export function lengthOf(
  element: XmlElement,
  name: string,
  axis: Axis,
  viewport: Viewport,
  fallback: number | null,
): number | null {
  const text = element.attributes[name];
  if (text === undefined || text.trim() === 'auto') return fallback;
  const match = LENGTH.exec(text);
  if (match === null) {
    const word = text.length > 40 ? `${text.slice(0, 40)}…` : text;
    return element.fail('file-format', `the attribute "${name}" of <${element.name}> is "${word}", not a length`);
  }
  const value = Number(match[1]);
  const unit = match[2].toLowerCase();
  const scale = unit === '%' ? percent(axis, viewport) : PIXELS[unit];
  if (scale === undefined || Number.isNaN(scale)) {
    return element.fail(
      'unsupported',
      unit === '%'
        ? `the attribute "${name}" of <${element.name}> is a percentage, but the drawing has no viewBox, width and height`
        : `the attribute "${name}" of <${element.name}> is in ${unit}; give it in px, mm, cm, in, pt, pc, % or no unit`,
    );
  }
  if (!Number.isFinite(value * scale)) {
    element.fail('non-finite', `the attribute "${name}" of <${element.name}> is "${text}", beyond all numbers`);
  }
  return value * scale;
}

function percent(axis: Axis, [width, height]: Viewport): number {
  if (axis === 'x') return width / 100;
  if (axis === 'y') return height / 100;
  return Math.sqrt((width * width + height * height) / 2) / 100;
}

/** A side of the outermost drawing in user units; null if it is missing, relative or in a unit of type. */
export function absoluteLength(element: XmlElement, name: string): number | null {
  const text = element.attributes[name];
  if (text === undefined || /(%|em|ex|ch|vw|vh|rem|auto)\s*$/i.test(text)) return null;
  const value = lengthOf(element, name, 'x', [Number.NaN, Number.NaN], null);
  if (value === null || value > 0) return value;
  return element.fail(
    'file-format',
    `the attribute "${name}" of <${element.name}> is "${text}"; give a positive length`,
  );
}
