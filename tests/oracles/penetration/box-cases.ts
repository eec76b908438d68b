// Pairs of unions of boxes, in integers, that the coordinate compression measures exactly.
import { boxUnionSolid, type IntegerBox, isClosedManifold, moveBoxes, permuteBoxes } from './box-union.js';

export interface BoxCase {
  readonly name: string;
  readonly a: readonly IntegerBox[];
  readonly b: readonly IntegerBox[];
}

/** A C in the plane of x and y, open towards +x, and thick along z. */
const letterC: IntegerBox[] = [
  [0, 0, 0, 4, 20, 6],
  [4, 0, 0, 20, 4, 6],
  [4, 16, 0, 20, 20, 6],
];

/** Teeth along +y on a back along x: width 3, gaps 5. */
function comb(teeth: number): IntegerBox[] {
  const boxes: IntegerBox[] = [[0, 0, 0, 8 * teeth - 5, 4, 40]];
  for (let i = 0; i < teeth; i++) boxes.push([8 * i, 4, 0, 8 * i + 3, 16, 40]);
  return boxes;
}

/** The same comb turned half around z, with its outer corner at (x, y, z). */
function facingComb(teeth: number, x: number, y: number, z: number): IntegerBox[] {
  const turned = comb(teeth).map(([x0, y0, z0, x1, y1, z1]): IntegerBox => [-x1, -y1, z0, -x0, -y0, z1]);
  return moveBoxes(turned, x, y, z);
}

/** A square frame around the z axis. */
function frame(hole: number, outer: number, half: number): IntegerBox[] {
  return [
    [-outer, -outer, -half, outer, -hole, half],
    [-outer, hole, -half, outer, outer, half],
    [-outer, -hole, -half, -hole, hole, half],
    [hole, -hole, -half, outer, hole, half],
  ];
}

/** A box with a box cut out of its middle, as the six walls around that. */
function shell(outer: number, inner: number): IntegerBox[] {
  return [
    [-outer, -outer, -outer, outer, outer, -inner],
    [-outer, -outer, inner, outer, outer, outer],
    [-outer, -outer, -inner, outer, -inner, inner],
    [-outer, inner, -inner, outer, outer, inner],
    [-outer, -inner, -inner, -inner, inner, inner],
    [inner, -inner, -inner, outer, inner, inner],
  ];
}

const cube = (half: number): IntegerBox => [-half, -half, -half, half, half, half];

export const boxCases: readonly BoxCase[] = [
  { name: 'I in the mouth of C', a: letterC, b: [[10, 6, -30, 13, 14, 40]] },
  { name: 'I through the back of C', a: letterC, b: [[1, 7, -30, 9, 12, 40]] },
  { name: 'I through the back of C, nearer to the outside', a: letterC, b: [[-7, 7, -30, 1, 12, 40]] },
  { name: 'I in an arm of C', a: letterC, b: [[10, 2, -30, 13, 13, 40]] },
  { name: 'I too tall for the mouth of C', a: letterC, b: [[10, 2, -30, 13, 18, 40]] },
  { name: 'I as tall as the mouth of C', a: letterC, b: [[10, 5, -30, 13, 17, 40]] },
  {
    name: 'T hooked behind the arms of C',
    a: [...letterC, [16, 4, 0, 20, 8, 6], [16, 12, 0, 20, 16, 6]],
    b: [
      [6, 5, 0, 9, 15, 6],
      [9, 9, 0, 30, 13, 6],
    ],
  },
  { name: 'comb and comb, in the backs', a: comb(4), b: facingComb(4, 31, 18, -3) },
  { name: 'comb and comb, tooth in tooth', a: comb(4), b: facingComb(4, 29, 25, -3) },
  { name: 'comb and comb, free', a: comb(4), b: facingComb(4, 31, 21, -3) },
  { name: 'comb across comb', a: comb(3), b: moveBoxes(permuteBoxes(comb(3), [2, 0, 1]), -10, 8, -6) },
  { name: 'box free in a cavity', a: shell(20, 12), b: moveBoxes([cube(4)], 3, -2, 1) },
  { name: 'box in the wall of a cavity, nearer to the inside', a: shell(20, 12), b: moveBoxes([cube(4)], 11, 1, 2) },
  { name: 'box in the wall of a cavity, nearer to the outside', a: shell(20, 12), b: moveBoxes([cube(4)], 19, 1, 2) },
  {
    name: 'box in the wall of a cavity that it does not fit',
    a: shell(20, 12),
    b: moveBoxes([[-13, -3, -4, 14, 3, 4]], 1, 2, 0),
  },
  { name: 'box that fills a cavity', a: shell(20, 12), b: [cube(12)] },
  { name: 'box in the corner of a cavity', a: shell(20, 12), b: moveBoxes([cube(4)], 10, 11, 12) },
  { name: 'small box deep inside a large one', a: [cube(20)], b: moveBoxes([cube(2)], 6, -9, 4) },
  { name: 'small box deep inside a bar of a frame', a: frame(10, 24, 7), b: moveBoxes([cube(1)], 13, 3, 2) },
  { name: 'small box deep inside the corner of a frame', a: frame(10, 24, 9), b: moveBoxes([cube(1)], 15, 15, 2) },
  { name: 'box in the hole of a frame', a: frame(10, 24, 7), b: moveBoxes([cube(5)], 2, 1, 0) },
  { name: 'box in the hole of a frame and in its bar', a: frame(10, 24, 20), b: moveBoxes([cube(5)], 7, 1, 0) },
  {
    name: 'frames linked and free',
    a: frame(10, 14, 3),
    b: moveBoxes(permuteBoxes(frame(10, 14, 3), [2, 0, 1]), 0, 12, 0),
  },
  {
    name: 'frames linked, bar in bar',
    a: frame(10, 14, 3),
    b: moveBoxes(permuteBoxes(frame(10, 14, 3), [2, 0, 1]), 1, 21, 0),
  },
  {
    name: 'frames linked, two bars in bars',
    a: frame(10, 14, 3),
    b: moveBoxes(permuteBoxes(frame(10, 14, 3), [2, 0, 1]), 8, 21, 9),
  },
  { name: 'frame in the plane of a frame', a: frame(10, 14, 3), b: moveBoxes(frame(10, 14, 3), 9, 5, 1) },
  {
    name: 'two boxes against a frame',
    a: [
      [-30, -3, -3, -11, 3, 3],
      [12, -3, -3, 30, 3, 3],
    ],
    b: frame(10, 14, 8),
  },
  {
    name: 'three boxes among three boxes',
    a: [
      [0, 0, 0, 5, 5, 5],
      [9, 0, 0, 14, 5, 5],
      [4, 9, 0, 9, 14, 5],
    ],
    b: [
      [3, 3, 2, 7, 7, 9],
      [10, -4, 1, 12, 2, 4],
      [20, 20, 20, 22, 22, 22],
    ],
  },
  {
    name: 'a box between two boxes',
    a: [
      [0, 0, 0, 10, 10, 10],
      [16, 0, 0, 26, 10, 10],
    ],
    b: [[9, 2, 2, 14, 8, 8]],
  },
  {
    name: 'a box too wide between two boxes',
    a: [
      [0, 0, 0, 10, 10, 10],
      [16, 0, 0, 26, 10, 10],
    ],
    b: [[9, 2, 2, 16, 8, 8]],
  },
  { name: 'touching in a face', a: letterC, b: [[20, 0, 0, 25, 20, 6]] },
  { name: 'touching in an edge', a: letterC, b: [[20, 20, 1, 25, 25, 5]] },
  { name: 'touching in a corner', a: letterC, b: [[20, 20, 6, 25, 25, 9]] },
  { name: 'touching within a cavity', a: shell(20, 12), b: moveBoxes([cube(4)], 8, 1, 2) },
  { name: 'apart', a: letterC, b: [[22, 0, 0, 25, 20, 6]] },
  { name: 'apart, one in the mouth of the other', a: letterC, b: [[6, 6, 1, 10, 12, 5]] },
];

/** Numbers in [0, 1), the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Cells of a grid with uneven steps, grown at random from one; a closed manifold. */
export function randomPolycube(random: () => number): IntegerBox[] {
  for (;;) {
    const side = 3;
    const steps = [0, 1, 2].map(() => {
      const axis = [0];
      for (let i = 0; i < side; i++) axis.push(axis[i] + 1 + Math.floor(5 * random()));
      return axis;
    });
    const cells = new Set<number>([13]);
    const target = 2 + Math.floor(9 * random());
    while (cells.size < target) {
      const from = [...cells][Math.floor(cells.size * random())];
      const place = [from % 3, Math.floor(from / 3) % 3, Math.floor(from / 9)];
      place[Math.floor(3 * random())] += random() < 0.5 ? 1 : -1;
      if (place.every((value) => value >= 0 && value < side)) cells.add(place[0] + 3 * place[1] + 9 * place[2]);
    }
    const boxes = [...cells].map((cell): IntegerBox => {
      const [x, y, z] = [cell % 3, Math.floor(cell / 3) % 3, Math.floor(cell / 9)];
      return [steps[0][x], steps[1][y], steps[2][z], steps[0][x + 1], steps[1][y + 1], steps[2][z + 1]];
    });
    if (isClosedManifold(boxUnionSolid(boxes))) return boxes;
  }
}

/** Two polycubes, the second moved so that about half of the pairs overlap. */
export function randomBoxCase(seed: number): BoxCase {
  const random = randomOf(seed);
  const a = randomPolycube(random);
  const offset = [0, 1, 2].map(() => Math.round(9 * (random() - 0.5)));
  const b = moveBoxes(randomPolycube(random), offset[0], offset[1], offset[2]);
  return { name: `polycubes ${seed}`, a, b };
}
