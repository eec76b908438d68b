// Affine maps of the plane as SVG writes them, six numbers a b c d e f: x' = a x + c y + e, y' = b x + d y + f.
import { type SvgFault, SvgScanner } from './svg-scanner.js';

export type SvgMatrix = readonly [number, number, number, number, number, number];

export const IDENTITY: SvgMatrix = [1, 0, 0, 1, 0, 0];

/** The map that applies `second` first and then `first`, as nested transforms do. */
export function multiply(first: SvgMatrix, second: SvgMatrix): SvgMatrix {
  const [a, b, c, d, e, f] = first;
  const [p, q, r, s, t, u] = second;
  return [a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f];
}

/** The map of a `transform` attribute: a list of functions, the last applied first. */
export function parseTransform(text: string, fault: SvgFault): SvgMatrix {
  const scanner = new SvgScanner(text, fault);
  let product = IDENTITY;
  if (text.trim() === 'none') return product;
  while (!scanner.atEnd) {
    const name = scanner.word();
    scanner.skipBlanks();
    scanner.expect('(');
    scanner.skipBlanks();
    const values: number[] = [];
    while (scanner.next !== ')') {
      values.push(scanner.number());
      scanner.skipComma();
    }
    scanner.expect(')');
    scanner.skipComma();
    product = multiply(product, functionMatrix(name, values, fault));
  }
  return product;
}

function functionMatrix(name: string, values: readonly number[], fault: SvgFault): SvgMatrix {
  const need = (...counts: number[]): void => {
    if (!counts.includes(values.length)) {
      fault(`has ${values.length} numbers in ${name}(); ${counts.join(' or ')} are needed`);
    }
  };
  const [v0, v1 = 0, v2 = 0, v3, v4, v5] = values;
  switch (name) {
    case 'matrix':
      need(6);
      return [v0, v1, v2, v3, v4, v5];
    case 'translate':
      need(1, 2);
      return [1, 0, 0, 1, v0, v1];
    case 'scale':
      need(1, 2);
      return [v0, 0, 0, values.length === 1 ? v0 : v1, 0, 0];
    case 'rotate': {
      need(1, 3);
      const [cosine, sine] = turn(v0);
      const rotation: SvgMatrix = [cosine, sine, -sine, cosine, 0, 0];
      if (v1 === 0 && v2 === 0) return rotation;
      return multiply([1, 0, 0, 1, v1, v2], multiply(rotation, [1, 0, 0, 1, -v1, -v2]));
    }
    case 'skewX':
      need(1);
      return [1, 0, Math.tan((v0 * Math.PI) / 180), 1, 0, 0];
    case 'skewY':
      need(1);
      return [1, Math.tan((v0 * Math.PI) / 180), 0, 1, 0, 0];
    default:
      return fault(`has "${name}"; there are matrix, translate, scale, rotate, skewX and skewY`);
  }
}

/** Cosine and sine of an angle in degrees, exact at quarter turns. */
function turn(degrees: number): [number, number] {
  const quarters = degrees / 90;
  if (Number.isInteger(quarters)) {
    const quarter = ((quarters % 4) + 4) % 4;
    return [[1, 0, -1, 0][quarter], [0, 1, 0, -1][quarter]];
  }
  const angle = (degrees * Math.PI) / 180;
  return [Math.cos(angle), Math.sin(angle)];
}

/** The map of a view box onto a viewport, by its `preserveAspectRatio`. */
export function viewBoxMatrix(
  viewBox: readonly number[],
  viewport: readonly number[],
  ratio: string,
  fault: SvgFault,
): SvgMatrix {
  const [x, y, width, height] = viewBox;
  let sx = viewport[2] / width;
  let sy = viewport[3] / height;
  const match = /^\s*(?:defer\s+)?(?:none|x(Min|Mid|Max)Y(Min|Mid|Max))(?:\s+(meet|slice))?\s*$/.exec(
    ratio === '' ? 'xMidYMid' : ratio,
  );
  if (match === null) return fault(`is "${ratio}"; give none, or for instance xMidYMid meet`);
  const [, alignX, alignY, fit] = match;
  const share = { Min: 0, Mid: 0.5, Max: 1 };
  if (alignX !== undefined) sx = sy = fit === 'slice' ? Math.max(sx, sy) : Math.min(sx, sy);
  const extraX = alignX === undefined ? 0 : (viewport[2] - sx * width) * share[alignX as 'Min'];
  const extraY = alignY === undefined ? 0 : (viewport[3] - sy * height) * share[alignY as 'Min'];
  return [sx, 0, 0, sy, viewport[0] + extraX - sx * x, viewport[1] + extraY - sy * y];
}
