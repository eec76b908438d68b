// Scenes of a few small objects that graze each other in every view: on a lattice, so that faces, edges and vertices of
// different objects coincide, lie in one plane, or miss by one step; flat, thin, tiny and turned objects among them.
import type { Random } from '../../src/core/random.js';

interface Soup {
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
}

const BOX_FACES = [
  [0, 2, 1],
  [1, 2, 3],
  [4, 5, 6],
  [5, 7, 6],
  [0, 1, 4],
  [1, 5, 4],
  [2, 6, 3],
  [3, 6, 7],
  [0, 4, 2],
  [2, 4, 6],
  [1, 3, 5],
  [3, 7, 5],
].flat();

/** An axis-aligned box. */
export function boxSoup(low: readonly number[], high: readonly number[]): Soup {
  const positions = new Float64Array(24);
  for (let corner = 0; corner < 8; corner++) {
    for (let axis = 0; axis < 3; axis++) positions[3 * corner + axis] = ((corner >> axis) & 1 ? high : low)[axis];
  }
  return { positions, indices: Uint32Array.from(BOX_FACES) };
}

function tetrahedron(at: readonly number[], size: number): Soup {
  const positions = Float64Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], (x, i) => at[i % 3] + size * x);
  return { positions, indices: Uint32Array.of(0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3) };
}

function soup(count: number, coordinate: (axis: number) => number): Soup {
  const positions = Float64Array.from({ length: 9 * count }, (_, i) => coordinate(i % 3));
  return { positions, indices: Uint32Array.from({ length: 3 * count }, (_, i) => i) };
}

/** One object in a cube of the given side, of one of eight kinds. */
function makeObject(random: Random, side: number): Soup {
  const lattice = (): number => random.integer(side);
  const at = [lattice(), lattice(), lattice()];
  const extent = (): number => 1 + random.integer(2);
  switch (random.integer(8)) {
    case 0:
    case 1:
      return boxSoup(
        at,
        at.map((x) => x + extent()),
      );
    case 2:
      return tetrahedron(at, extent());
    case 3: // A sheet in a plane of the lattice.
      return boxSoup(at, [at[0] + extent(), at[1] + extent(), at[2]]);
    case 4: // Triangles with corners on the lattice, some without area.
      return soup(1 + random.integer(3), () => lattice());
    case 5: {
      // Slivers: long, and as thin as rounding allows.
      const thin = 2 ** -random.integer(50);
      const axis = random.integer(3);
      return soup(2, (k) => (k === axis ? random.integer(side + 1) : at[k] + thin * random.integer(2)));
    }
    case 6: {
      // Smaller than a pixel.
      const tiny = 2 ** -(8 + random.integer(20));
      return tetrahedron(at, tiny);
    }
    default: {
      const turned = tetrahedron(
        at.map((x) => x + random.range(-0.5, 0.5)),
        1 + random.next(),
      );
      const p = turned.positions;
      for (let i = 0; i < p.length; i++) p[i] += random.range(-0.3, 0.3);
      return turned;
    }
  }
}

/** A scene of three to six objects. */
export function grazingScene(random: Random): Soup[] {
  const side = 2 + random.integer(2);
  return Array.from({ length: 3 + random.integer(4) }, () => makeObject(random, side));
}
