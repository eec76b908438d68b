// Polygon-clipping libraries beside us: the exact intersection of two polygons, whose area is compared. clipper2-js rounds
// to whole numbers, so its coordinates are scaled up; it names Angular as a peer, so neither is a dependency of ours. They
// are used where someone has installed them into bench/.peers.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const CLIPPERS_MISSING =
  'Clippers that were left out: npm install --no-save --prefix bench/.peers clipper2-js@1.2.4 polygon-clipping@0.15.7 brings them.';

type Ring = [number, number][];

export interface Clipper {
  readonly name: string;
  /** Brings a ring, x, y per point, into the form that the library reads. */
  prepare(ring: ArrayLike<number>): unknown;
  /** The area that two prepared polygons of one ring have in common. */
  area(a: unknown, b: unknown): number;
}

/** Units of clipper2-js in one of ours. */
const SCALE = 1e6;

/** As much of clipper2-js's declarations as is used here. */
interface Clipper2 {
  readonly Clipper: {
    makePath(numbers: number[]): unknown;
    Intersect(subject: unknown, clip: unknown, rule: number): { length: number; [index: number]: unknown };
    area(path: unknown): number;
  };
  readonly Paths64: new () => { push(path: unknown): void };
  readonly FillRule: { readonly EvenOdd: number };
}

/** Those that are installed. */
export async function loadClippers(): Promise<Clipper[]> {
  const clippers: Clipper[] = [];
  const clipper2 = await load<Clipper2>('clipper2-js/fesm2020/clipper2-js.mjs');
  if (clipper2 !== null) {
    const { Clipper: lib, Paths64, FillRule } = clipper2;
    clippers.push({
      name: 'clipper2-js',
      prepare: (ring) => {
        const paths = new Paths64();
        paths.push(lib.makePath(Array.from(ring, (x) => Math.round(SCALE * x))));
        return paths;
      },
      area: (a, b) => {
        const result = lib.Intersect(a, b, FillRule.EvenOdd);
        let area = 0;
        for (let i = 0; i < result.length; i++) area += lib.area(result[i]);
        return Math.abs(area) / (SCALE * SCALE);
      },
    });
  }
  const clipping = await load<{ default: { intersection(a: Ring[], b: Ring[]): Ring[][] } }>(
    'polygon-clipping/dist/polygon-clipping.cjs.js',
  );
  if (clipping !== null) {
    clippers.push({
      name: 'polygon-clipping',
      prepare: (ring) => [Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i], ring[2 * i + 1]])],
      area: (a, b) =>
        clipping.default
          .intersection(a as Ring[], b as Ring[])
          .reduce(
            (sum, [outer, ...holes]) => sum + ringArea(outer) - holes.reduce((all, h) => all + ringArea(h), 0),
            0,
          ),
    });
  }
  return clippers;
}

/** A module of bench/.peers, seen from dist/bench or from bench. */
async function load<T>(path: string): Promise<T | null> {
  const here = dirname(fileURLToPath(import.meta.url));
  for (const root of [join(here, '../../bench'), join(here, '..'), process.cwd(), join(process.cwd(), 'bench')]) {
    try {
      const resolved = createRequire(pathToFileURL(join(root, '.peers', 'peers.js'))).resolve(
        join(root, '.peers/node_modules', path),
      );
      return (await import(/* @vite-ignore */ pathToFileURL(resolved).href)) as T;
    } catch {
      // Not there: the next place.
    }
  }
  return null;
}

function ringArea(ring: Ring): number {
  let twice = 0;
  ring.forEach(([x, y], i) => {
    const [nx, ny] = ring[(i + 1) % ring.length];
    twice += x * ny - y * nx;
  });
  return Math.abs(twice) / 2;
}
