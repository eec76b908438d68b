// The pairs whose exact Minkowski sums CGAL made. Coordinates are integers or doubles written exactly; nothing is moved
// by a pose. `turn` also grows, so the partner of a turned solid is grown by the same factor.
import {
  box,
  dentedBox,
  extrude,
  frame,
  join,
  move,
  octahedron,
  type Point,
  polyhedron,
  type Solid,
  scale,
  sphere,
  squareFrame,
  stellate,
  tetrahedron,
  turn,
  turnInsideOut,
} from '../shapes.js';

export interface CgalCase {
  readonly name: string;
  readonly a: Solid;
  readonly b: Solid;
}

type Outline = [number, number][];

const LETTER_L: Outline = [
  [0, 0],
  [4, 0],
  [4, 2],
  [2, 2],
  [2, 6],
  [0, 6],
];
const LETTER_T: Outline = [
  [2, 0],
  [4, 0],
  [4, 4],
  [6, 4],
  [6, 6],
  [0, 6],
  [0, 4],
  [2, 4],
];
const LETTER_U: Outline = [
  [0, 0],
  [6, 0],
  [6, 6],
  [4, 6],
  [4, 2],
  [2, 2],
  [2, 6],
  [0, 6],
];
const LETTER_C: Outline = [
  [0, 0],
  [6, 0],
  [6, 2],
  [2, 2],
  [2, 6],
  [6, 6],
  [6, 8],
  [0, 8],
];
const LETTER_I: Outline = [
  [0, 0],
  [1, 0],
  [1, 10],
  [0, 10],
];
const LETTER_V: Outline = [
  [3, 0],
  [5, 0],
  [8, 8],
  [6, 8],
  [4, 2],
  [2, 8],
  [0, 8],
];
const LETTER_N: Outline = [
  [0, 0],
  [2, 0],
  [2, 5],
  [6, 0],
  [8, 0],
  [8, 8],
  [6, 8],
  [6, 3],
  [2, 8],
  [0, 8],
];
const LETTER_H: Outline = [
  [0, 0],
  [2, 0],
  [2, 3],
  [4, 3],
  [4, 0],
  [6, 0],
  [6, 8],
  [4, 8],
  [4, 5],
  [2, 5],
  [2, 8],
  [0, 8],
];
const ARROW: Outline = [
  [0, 0],
  [4, 4],
  [0, 8],
  [1, 4],
];
const CHEVRON: Outline = [
  [0, 0],
  [6, 3],
  [12, 0],
  [6, 8],
];

const letterL = extrude(LETTER_L, 0, 2);
const letterT = extrude(LETTER_T, 0, 2);
const letterU = extrude(LETTER_U, 0, 2);
const letterC = extrude(LETTER_C, 0, 3);
const letterI = extrude(LETTER_I, 0, 3);
const letterV = extrude(LETTER_V, 0, 3);
const letterN = extrude(LETTER_N, 0, 3);
const letterH = extrude(LETTER_H, 0, 3);
const arrow = extrude(ARROW, 0, 3);
const chevron = extrude(CHEVRON, 0, 4);
const wedge = extrude(
  [
    [0, 0],
    [6, 0],
    [0, 3],
  ],
  0,
  4,
);
const dented = dentedBox([-4, -4, -3], [4, 4, 3], -1);
const deeplyDented = dentedBox([-4, -4, -4], [4, 4, 4], -3);
const roofed = dentedBox([-3, -3, -2], [3, 3, 2], 6);
const starOfFour = stellate(tetrahedron(2), 1);
const starOfEight = stellate(octahedron(3), 1);
const dentedOctahedron = stellate(octahedron(6), 0.125);
const smallFrame = squareFrame(2, 4, 1);
const triangleFrame = frame(
  [
    [2, 0],
    [-1, 2],
    [-1, -2],
  ],
  [
    [8, 0],
    [-4, 7],
    [-4, -7],
  ],
  -1,
  1,
);
const hollowBox = join(box([-6, -6, -6], [6, 6, 6]), turnInsideOut(box([-4, -4, -4], [4, 4, 4])));
const hollowByOctahedron = join(box([-7, -7, -7], [7, 7, 7]), turnInsideOut(octahedron(6)));
const needle = extrude(
  [
    [0, 0],
    [1, 0],
    [0, 1],
  ],
  -6,
  6,
);
const comb = extrude(
  [
    [0, 0],
    [12, 0],
    [12, 8],
    [10, 8],
    [10, 2],
    [7, 2],
    [7, 8],
    [5, 8],
    [5, 2],
    [2, 2],
    [2, 8],
    [0, 8],
  ],
  0,
  20,
);
/** A square frame across the y axis. */
const uprightFrame = (hole: number, outer: number, half: number) =>
  turn(squareFrame(hole / 2, outer / 2, half / 2), 1, 0, 0, 1);
/** A square ring with a diamond for a section, half as wide as high. */
const ring = diamondRing(1);
const uprightRing = turn(diamondRing(0.5), 1, 0, 0, 1);
const cube = box([-1, -1, -1], [1, 1, 1]);

/** A solid of integers with nothing symmetric about it: a star-shaped one of twelve triangles. */
const oddStar = stellate(
  { positions: Float64Array.of(3, 1, 2, -2, 3, -1, -1, -3, 1, 1, 0, -4), indices: tetrahedronOutward() },
  0.6875,
);

function tetrahedronOutward(): Uint32Array {
  return Uint32Array.of(0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0);
}

/** Around the z axis, 8 times `unit` wide, the section 2 wide and 2 high: all faces flat. */
function diamondRing(unit: number): Solid {
  const points: Point[] = [];
  const faces: number[][] = [];
  for (const [i, [x, y]] of [
    [1, 1],
    [-1, 1],
    [-1, -1],
    [1, -1],
  ].entries()) {
    for (const [radius, z] of [
      [4, 0],
      [3, 1],
      [2, 0],
      [3, -1],
    ])
      points.push([unit * radius * x, unit * radius * y, unit * z]);
    for (let j = 0; j < 4; j++) {
      const [near, far] = [4 * i, 4 * ((i + 1) % 4)];
      faces.push([near + j, far + j, far + ((j + 1) % 4), near + ((j + 1) % 4)]);
    }
  }
  return polyhedron(points, faces);
}

/** Doubles that are no short fractions: what a rotation by an odd angle leaves, in solids that are all triangles. */
function jitter(solid: Solid, seed: number, amount: number): Solid {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  return { positions: solid.positions.map((value) => value + amount * next()), indices: solid.indices };
}

/** Points in 18 directions at random distances from the origin: star-shaped, so nothing crosses. */
function randomStar(seed: number, spread: number): Solid {
  const round = sphere(2, 2);
  let state = seed >>> 0;
  const positions = Float64Array.from(round.positions);
  for (let v = 0; v < positions.length; v += 3) {
    state = (Math.imul(state ^ (state >>> 13), 1664525) + 1013904223) >>> 0;
    const factor = 1 + spread * (state / 2 ** 32 - 0.5);
    for (let k = 0; k < 3; k++) positions[v + k] *= factor;
  }
  return { positions, indices: round.indices };
}

/** Turned by an odd angle and rounded to doubles; for solids whose faces are all triangles. */
function spin(solid: Solid, seed: number): Solid {
  const [x, y, z, w] = [Math.sin(seed), Math.sin(2 * seed + 1), Math.cos(3 * seed), Math.cos(seed + 2)];
  const square = x * x + y * y + z * z + w * w;
  return scale(turn(solid, x, y, z, w), 1 / square);
}

export const cgalCases: readonly CgalCase[] = [
  // Worked examples that closed forms and coordinate compression know too: they hold the program itself to the truth.
  { name: 'cube in cube, closed form', a: box([0, 0, 0], [4, 4, 4]), b: box([3, 1, 1], [8, 5, 5]) },
  { name: 'C and I', a: letterC, b: move(letterI, 3, -1, 0) },
  { name: 'I deep in C', a: letterC, b: move(letterI, 1, -1, 0) },
  { name: 'long bar in the mouth of C, held by its back', a: letterC, b: box([1, 3, -9], [4, 5, 9]) },
  { name: 'comb in comb, back against teeth', a: comb, b: move(turn(comb, 0, 0, 1, 0), 14.5, 9, -4) },
  { name: 'comb in comb, teeth in teeth', a: comb, b: move(turn(comb, 0, 0, 1, 0), 13.5, 11, -4) },
  { name: 'comb in comb, teeth touching', a: comb, b: move(turn(comb, 0, 0, 1, 0), 14, 11, -4) },
  { name: 'L and L hooked', a: letterL, b: move(turn(letterL, 0, 0, 1, 0), 5, 7, 1) },
  { name: 'L and T', a: letterL, b: move(letterT, 1, 1, 1) },
  { name: 'U and U crossed', a: letterU, b: move(turn(letterU, 1, 0, 0, 1), 0, 8, -6) },
  { name: 'box in the slot of U, held on three sides', a: scale(letterU, 2), b: box([3, 3, 1], [9, 9, 3]) },
  { name: 'T and T crossed', a: letterT, b: move(turn(letterT, 0.5, 0.5, 0.5, 0.5), 2, 1, -1) },
  { name: 'H and C', a: letterH, b: move(letterC, 3, 1, 1) },
  { name: 'square frames linked, bar in bar', a: smallFrame, b: move(uprightFrame(2, 4, 1), 5, 0, 0) },
  { name: 'square frames linked and cutting', a: smallFrame, b: move(uprightFrame(2.5, 4.5, 1), 4.75, 0.5, 0.25) },
  // Slanted faces.
  { name: 'V and I', a: letterV, b: move(letterI, 3.5, -1, 1) },
  { name: 'V and V upside down', a: letterV, b: move(turn(letterV, 0, 0, 1, 0), 10, 11, 1) },
  { name: 'N and I lying', a: letterN, b: move(turn(letterI, 0, 0, -0.5, 0.5), -1, 6, 1) },
  { name: 'wedges', a: wedge, b: move(turn(wedge, 0, 0, 1, 0), 5, 3, 1) },
  { name: 'arrow and arrow', a: arrow, b: move(turn(arrow, 0, 0, 1, 0), 5, 8, 1) },
  { name: 'chevron and needle', a: chevron, b: move(needle, 6, 5, 2) },
  { name: 'needle in the dent of a box', a: dented, b: move(needle, 0, 0, 5) },
  { name: 'roof in the dent of a box', a: deeplyDented, b: move(turn(roofed, 1, 0, 0, 0), 0, 0, 4) },
  { name: 'two dented boxes', a: dented, b: move(turn(deeplyDented, 1, 0, 0, 0), 1, 0, 5) },
  { name: 'stars of four', a: starOfFour, b: move(starOfFour, 2, 1, 0) },
  { name: 'star of four and cube', a: starOfFour, b: move(cube, 1, 1, 2) },
  { name: 'star of four in dented octahedron', a: starOfFour, b: dentedOctahedron },
  { name: 'dented octahedron and cube', a: dentedOctahedron, b: move(scale(cube, 2), 3, 2, 1) },
  { name: 'star of eight and tetrahedron', a: starOfEight, b: move(tetrahedron(2), 2, 3, 1) },
  { name: 'odd stars', a: oddStar, b: move(turn(oddStar, 0, 0, 1, 0), 1, 1, 0) },
  { name: 'triangular frame and needle in its corner', a: triangleFrame, b: move(needle, 1, 0.25, 0) },
  { name: 'triangular frame and needle touching it from within', a: triangleFrame, b: move(needle, -1, 1, 0) },
  { name: 'triangular frame and square frame linked', a: triangleFrame, b: move(uprightFrame(4, 6, 1), 6, 0.25, 0) },
  // Odd angles, exact because the solids grow with the turn.
  { name: 'L and turned L', a: scale(letterL, 5), b: move(turn(letterL, 1, 0, 0, 2), 6, 4, 3) },
  { name: 'C and turned I', a: scale(letterC, 5), b: move(turn(letterI, 0, 0, 1, 2), 30, 2, 3) },
  {
    name: 'C and short I in its mouth, turned',
    a: scale(letterC, 5),
    b: move(turn(box([0, 0, -9], [1, 2, 9]), 0, 0, 1, 2), 12, 8, 3),
  },
  {
    name: 'U and turned box',
    a: scale(letterU, 6),
    b: move(turn(box([-1, -2, -3], [1, 2, 3]), 1, 1, 0, 2), 20, 16, 6),
  },
  {
    name: 'square frame and turned box through it',
    a: scale(smallFrame, 9),
    b: turn(box([-1, -1, -6], [1, 1, 6]), 2, 1, 0, 2),
  },
  { name: 'arrow and turned wedge', a: scale(arrow, 11), b: move(turn(wedge, 1, 1, 0, 3), 10, 30, 4) },
  { name: 'jittered stars', a: jitter(starOfFour, 1, 0.3), b: move(jitter(starOfFour, 2, 0.3), 1, -2, 1) },
  {
    name: 'jittered dented octahedron and star',
    a: jitter(dentedOctahedron, 3, 0.4),
    b: move(jitter(oddStar, 4, 0.3), 2, 2, 1),
  },
  { name: 'spun stars of eight', a: spin(starOfEight, 1), b: move(spin(starOfEight, 2), 4, 2, 1) },
  { name: 'spun stars of eight, hooked', a: spin(starOfEight, 3), b: move(spin(starOfEight, 4), 5, -2, 0.5) },
  { name: 'spun dented octahedra', a: spin(dentedOctahedron, 5), b: move(spin(dentedOctahedron, 6), 4, 3, -3) },
  {
    name: 'spun star of four in spun dented octahedron',
    a: spin(starOfFour, 7),
    b: move(spin(dentedOctahedron, 8), 3, 2, 1),
  },
  { name: 'random stars 1', a: randomStar(1, 1.5), b: move(randomStar(2, 1.5), 2, 1, 0.5) },
  { name: 'random stars 2', a: randomStar(3, 1.5), b: move(randomStar(4, 1.5), -1, 2, 1) },
  { name: 'random stars 3', a: randomStar(5, 1.6), b: move(randomStar(6, 1.6), 0.5, -0.5, 2.5) },
  { name: 'random stars 4', a: randomStar(7, 1.7), b: move(randomStar(8, 1.7), -2, -1, -1) },
  { name: 'random star and frame', a: randomStar(9, 1.5), b: move(squareFrame(1, 2, 0.5), 1.5, 0, 0) },
  { name: 'random star and C', a: randomStar(10, 1.5), b: move(scale(letterC, 0.5), -0.5, -2, -0.75) },
  { name: 'rings linked', a: ring, b: move(uprightRing, 5.5, 0.25, 0.25) },
  { name: 'rings linked and free', a: ring, b: move(uprightRing, 3.5, 0.5, -0.25) },
  { name: 'rings linked, off the middle', a: ring, b: move(uprightRing, 4.25, 2.5, 0.75) },
  { name: 'rings side by side', a: ring, b: move(ring, 6, 0.5, 0.25) },
  { name: 'rings one above the other', a: ring, b: move(ring, 1, 0.5, 1) },
  { name: 'random star in the hole of a ring', a: ring, b: move(randomStar(11, 1.5), 0.5, 0.5, 0) },
  { name: 'ring and turned wedge', a: scale(ring, 5), b: move(turn(wedge, 1, 0, 0, 2), 2, 1, -4) },
  {
    name: 'ring and turned box through it',
    a: scale(ring, 9),
    b: move(turn(box([-1, -1, -6], [1, 1, 6]), 2, 1, 0, 2), 4, 9, 0),
  },
  // Containment, cavities, several components.
  { name: 'spun tetrahedron deep in a random star', a: scale(spin(tetrahedron(1), 9), 0.25), b: randomStar(12, 1) },
  {
    name: 'star in a star-shaped cavity',
    a: join(scale(randomStar(13, 0.5), 4), turnInsideOut(scale(randomStar(14, 1), 1.5))),
    b: move(scale(starOfFour, 0.5), 2, 1, 0),
  },
  { name: 'cube deep in a dented box', a: move(scale(cube, 0.5), 0, 0, -2.25), b: dented },
  { name: 'tetrahedron deep in a star', a: scale(tetrahedron(2), 0.25), b: move(starOfEight, 0.25, 0.125, 0) },
  { name: 'cube deep in U', a: move(scale(cube, 0.25), 3, 1, 1), b: letterU },
  { name: 'cube free in a cavity', a: hollowBox, b: move(cube, 1, 1, 0) },
  { name: 'cube in the wall of a cavity', a: hollowBox, b: move(cube, 3.5, 0, 0) },
  {
    name: 'tetrahedron out through the wall of an octahedral cavity',
    a: hollowByOctahedron,
    b: move(tetrahedron(1), 4, 0, 0),
  },
  {
    name: 'tetrahedron that fits an octahedral cavity without clearance',
    a: hollowByOctahedron,
    b: move(tetrahedron(2), 1, 0, 0),
  },
  {
    name: 'star touching an octahedral cavity from within',
    a: hollowByOctahedron,
    b: move(scale(starOfFour, 0.75), 1, 0.5, 0),
  },
  {
    name: 'star in the wall of an octahedral cavity',
    a: hollowByOctahedron,
    b: move(scale(starOfFour, 0.75), 2, 0.75, 0.25),
  },
  { name: 'box too large for the cavity', a: hollowBox, b: box([-5, -3, -3], [5, 3, 3]) },
  { name: 'cavity in cavity', a: hollowBox, b: move(scale(hollowBox, 0.5), 2, 1, 0) },
  { name: 'two cubes and a wedge', a: join(move(cube, 0, 0, 0), move(cube, 5, 0, 0)), b: move(wedge, -0.5, -0.5, -2) },
  {
    name: 'cube between two cubes',
    a: join(box([0, 0, 0], [3, 4, 4]), box([5, 0, 0], [9, 4, 4])),
    b: box([2, 1, 1], [4, 3, 3]),
  },
  // Touching and apart.
  { name: 'wedge and arrow touching along a face', a: wedge, b: move(arrow, 0, 1, 4) },
  { name: 'I filling the slot of U, no clearance', a: letterU, b: box([2, 2, 0], [4, 9, 2]) },
  {
    name: 'square frames linked without touching',
    a: squareFrame(2, 3, 0.5),
    b: move(uprightFrame(2, 3, 0.5), 2.5, 0, 0),
  },
  { name: 'stars apart', a: starOfFour, b: move(starOfEight, 12, 1, 0) },
];
