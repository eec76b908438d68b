// The placement of a COLLADA node: its transformations, multiplied in the order of the file.

import { composeMatrix, identityMatrix, multiplyMatrices } from '../../core/affine.js';
import { fromAxisAngle } from '../../core/quat.js';
import type { XmlElement } from '../xml/xml-tree.js';

const NO_TURN = [0, 0, 0, 1];
const NO_MOVE = [0, 0, 0];
const NO_SCALE = [1, 1, 1];

/** The matrix of a <node> in its parent, row-major. */
export function nodeMatrix(node: XmlElement): Float64Array {
  let product = identityMatrix();
  for (const child of node.children) {
    const step = stepMatrix(child);
    if (step !== null) product = multiplyMatrices(product, step);
  }
  return product;
}

/** One transformation; null for other elements. */
function stepMatrix(element: XmlElement): Float64Array | null {
  switch (element.name) {
    case 'matrix': {
      const m = values(element, 16);
      if (m[12] !== 0 || m[13] !== 0 || m[14] !== 0 || m[15] !== 1) {
        element.fail('unsupported', 'the last row of the matrix is not 0 0 0 1; export the model without perspective');
      }
      return m.slice();
    }
    case 'translate':
      return composeMatrix(values(element, 3), NO_TURN, NO_SCALE);
    case 'rotate': {
      const [x, y, z, degrees] = values(element, 4);
      const length = Math.hypot(x, y, z);
      if (length === 0) return identityMatrix();
      const axis = [x / length, y / length, z / length] as const;
      return composeMatrix(NO_MOVE, fromAxisAngle(axis, (degrees * Math.PI) / 180), NO_SCALE);
    }
    case 'scale':
      return composeMatrix(NO_MOVE, NO_TURN, values(element, 3));
    case 'skew':
    case 'lookat':
      return element.fail('unsupported', `the transformation <${element.name}> is not read; export a matrix instead`);
    default:
      return null;
  }
}

function values(element: XmlElement, count: number): Float64Array {
  const numbers = element.numbers();
  if (numbers.length !== count) {
    element.fail('file-format', `<${element.name}> has ${numbers.length} numbers; ${count} are needed`);
  }
  if (!numbers.every(Number.isFinite)) element.fail('non-finite', `<${element.name}> has a number that is not finite`);
  return numbers;
}
