// The shapes of SVG other than paths, each begun and directed as SVG 2, chapter 10 says.
import type { XmlElement } from '../xml/xml-tree.js';
import type { ShapeBuilder } from './shape-builder.js';
import { type Axis, lengthOf, type Viewport } from './svg-length.js';
import { SvgScanner } from './svg-scanner.js';

const AXES: Readonly<Record<string, Axis>> = {
  x: 'x',
  y: 'y',
  x1: 'x',
  y1: 'y',
  x2: 'x',
  y2: 'y',
  cx: 'x',
  cy: 'y',
  width: 'x',
  height: 'y',
  rx: 'x',
  ry: 'y',
  r: 'both',
};

/** Adds a line, polyline, polygon, rect, circle or ellipse; without size it adds nothing, as browsers draw nothing. */
export function addBasicShape(builder: ShapeBuilder, element: XmlElement, viewport: Viewport): void {
  const get = (name: string): number => lengthOf(element, name, AXES[name], viewport, 0)!;
  switch (element.name) {
    case 'line':
      builder.moveTo(get('x1'), get('y1'));
      builder.lineTo(get('x2'), get('y2'));
      break;
    case 'polyline':
      addPoints(builder, element, false);
      break;
    case 'polygon':
      addPoints(builder, element, true);
      break;
    case 'rect':
      addRect(builder, element, viewport);
      break;
    case 'circle':
      addEllipse(
        builder,
        get('cx'),
        get('cy'),
        radius(element, 'r', viewport) ?? 0,
        radius(element, 'r', viewport) ?? 0,
      );
      break;
    default: {
      const rx = radius(element, 'rx', viewport);
      const ry = radius(element, 'ry', viewport);
      addEllipse(builder, get('cx'), get('cy'), rx ?? ry ?? 0, ry ?? rx ?? 0);
    }
  }
}

function addPoints(builder: ShapeBuilder, element: XmlElement, closed: boolean): void {
  const fault = (message: string): never =>
    element.fail('file-format', `the attribute "points" of <${element.name}> ${message}`);
  const values = new SvgScanner(element.attributes.points ?? '', fault).numbers();
  if (values.length % 2 !== 0) fault(`has ${values.length} numbers; give x and y of each point`);
  if (values.length === 0) return;
  builder.moveTo(values[0], values[1]);
  for (let i = 2; i < values.length; i += 2) builder.lineTo(values[i], values[i + 1]);
  if (closed) builder.close();
}

function addRect(builder: ShapeBuilder, element: XmlElement, viewport: Viewport): void {
  const get = (name: string): number => lengthOf(element, name, AXES[name], viewport, 0)!;
  const [x, y] = [get('x'), get('y')];
  const width = size(element, 'width', get('width'));
  const height = size(element, 'height', get('height'));
  if (width === 0 || height === 0) return;
  const givenX = radius(element, 'rx', viewport);
  const givenY = radius(element, 'ry', viewport);
  const rx = Math.min(givenX ?? givenY ?? 0, width / 2);
  const ry = Math.min(givenY ?? givenX ?? 0, height / 2);
  if (rx === 0 || ry === 0) {
    builder.moveTo(x, y);
    builder.lineTo(x + width, y);
    builder.lineTo(x + width, y + height);
    builder.lineTo(x, y + height);
    builder.close();
    return;
  }
  const [left, right, top, bottom] = [x + rx, x + width - rx, y + ry, y + height - ry];
  const corner = (cx: number, cy: number, quarter: number, endX: number, endY: number): void => {
    const from = (quarter * Math.PI) / 2;
    builder.arc([cx, cy], [rx, 0], [0, ry], from, from + Math.PI / 2, endX, endY);
  };
  const straightX = right > left;
  const straightY = bottom > top;
  builder.moveTo(left, y);
  if (straightX) builder.lineTo(right, y);
  corner(right, top, -1, x + width, top);
  if (straightY) builder.lineTo(x + width, bottom);
  corner(right, bottom, 0, right, y + height);
  if (straightX) builder.lineTo(left, y + height);
  corner(left, bottom, 1, x, bottom);
  if (straightY) builder.lineTo(x, top);
  corner(left, top, 2, left, y);
  builder.close();
}

function addEllipse(builder: ShapeBuilder, cx: number, cy: number, rx: number, ry: number): void {
  if (rx === 0 || ry === 0) return;
  builder.moveTo(cx + rx, cy);
  builder.arc([cx, cy], [rx, 0], [0, ry], 0, 2 * Math.PI, cx + rx, cy);
  builder.close();
}

function radius(element: XmlElement, name: string, viewport: Viewport): number | null {
  const value = lengthOf(element, name, AXES[name], viewport, null);
  return value === null ? null : size(element, name, value);
}

function size(element: XmlElement, name: string, value: number): number {
  if (value >= 0) return value;
  return element.fail('file-format', `the attribute "${name}" of <${element.name}> is negative`);
}
