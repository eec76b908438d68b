// Convex hulls compared with three's ConvexHull and quickhull3d, each with its own format of points; and incremental hulls.
import { buildHull, IncrementalHull } from 'nearfield/convex';
import { createRandom } from 'nearfield/core';
import { type Contestant, measure, milliseconds, ratio } from './measure.js';
import type { BenchTable, Suite, SuiteContext } from './suite.js';

export const convexHullSuite: Suite = {
  name: 'convex-hull',
  title: 'Convex hulls',
  chapters: ['convex'],
  async run(context) {
    return [await wholeHulls(context), grownHulls(context)];
  },
};

type Shape = (count: number) => Float64Array;

const fill = (count: number, point: (i: number) => readonly number[]): Float64Array => {
  const points = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) points.set(point(i), 3 * i);
  return points;
};

const sheet = (thickness: number): Shape => {
  return (count) => {
    const random = createRandom(4);
    return fill(count, () => {
      const [x, y] = [random.next(), random.next()];
      return [x, y, 0.3 * x + 0.7 * y + thickness * random.range(-0.5, 0.5)];
    });
  };
};

const shapes: Record<string, Shape> = {
  ball: (count) => {
    const random = createRandom(1);
    return fill(count, () => {
      const radius = Math.cbrt(random.next());
      return random.direction().map((value) => value * radius);
    });
  },
  sphere: (count) => {
    const random = createRandom(2);
    return fill(count, () => random.direction());
  },
  'cube grid': (count) => {
    const side = Math.round(Math.cbrt(count));
    return fill(side ** 3, (i) => [i % side, Math.floor(i / side) % side, Math.floor(i / side ** 2)]);
  },
  'sheet, 1e-6 thick': sheet(1e-6),
  'sheet, 1e-15 thick': sheet(1e-15),
};

/** A hull of another library: its points in that library's format, and the ids of the vertices of its faces. */
interface Peer {
  readonly name: string;
  prepare(points: Float64Array): { run(): unknown; vertices(): Set<number> };
}

async function wholeHulls({ quick, progress }: SuiteContext): Promise<BenchTable> {
  const { peers, missing } = await loadPeers();
  const sizes = quick ? [100, 1_000] : [100, 1_000, 10_000, 200_000];
  const cases = Object.entries(shapes).flatMap(([name, shape]) => sizes.map((size) => ({ name, shape, size })));
  const rows = cases.map(({ name, shape, size }, index) => {
    progress((0.9 * index) / cases.length, `${name}, ${size} points`);
    const points = shape(size);
    const vertices = new Set(buildHull(points).vertices);
    const contestants: Contestant[] = [{ name: 'nearfield', run: () => buildHull(points) }];
    const right = new Map<string, boolean>();
    for (const peer of peers) {
      const theirs = peer.prepare(points);
      try {
        const found = theirs.vertices();
        right.set(peer.name, found.size === vertices.size && [...found].every((id) => vertices.has(id)));
        contestants.push({ name: peer.name, run: theirs.run });
      } catch {
        right.set(peer.name, false);
      }
    }
    const [ours, ...others] = measure(contestants, { rounds: quick ? 3 : 5, minimumMilliseconds: quick ? 10 : 50 });
    const fastest = Math.min(...others.filter((other) => right.get(other.name)).map(({ median }) => median));
    return [
      name,
      (points.length / 3).toLocaleString('en-US'),
      vertices.size.toLocaleString('en-US'),
      milliseconds(ours.median),
      ...peers.map((peer) => {
        const timing = others.find((other) => other.name === peer.name);
        const note = right.get(peer.name) ? '' : ' (wrong)';
        return timing ? milliseconds(timing.median) + note : 'fails';
      }),
      Number.isFinite(fastest) ? ratio(ours.median, fastest) : '–',
    ];
  });
  return {
    title: 'Hull of all points, milliseconds',
    headings: [
      'points',
      'number',
      'vertices',
      'nearfield',
      ...peers.map((peer) => peer.name),
      'ours is faster than the fastest right one by',
    ],
    rows,
    notes: [
      '(wrong): the faces of that hull do not have exactly the extreme points for their corners.',
      ...missing.map((name) => `${name} is not installed and was left out.`),
    ],
  };
}

function grownHulls({ quick, progress }: SuiteContext): BenchTable {
  progress(0.9, 'point by point');
  const insertions = quick ? 5_000 : 100_000;
  const points = shapes.sphere(50_000);
  const rows = [8, 30, 100, 5_000].map((size) => {
    const hull = new IncrementalHull(points);
    const grow = (withUndo: boolean): number => {
      let done = 0;
      for (let start = 0; done < insertions; start = (start + size) % (50_000 - size)) {
        hull.reset();
        for (let i = 0; i < size && done < insertions; i++, done++) {
          hull.insert(start + i);
          if (!withUndo) continue;
          hull.undo();
          hull.insert(start + i);
        }
      }
      return hull.faceCount;
    };
    const [plain, undone] = measure(
      [
        { name: 'insert', run: () => grow(false) },
        { name: 'insert, undo, insert', run: () => grow(true) },
      ],
      { rounds: quick ? 3 : 5, minimumMilliseconds: 1 },
    );
    const each = (value: number): string => ((1000 * value) / insertions).toFixed(2);
    return [size.toLocaleString('en-US'), each(plain.median), each(undone.median)];
  });
  return {
    title: 'A hull grown point by point on a sphere, microseconds a point',
    headings: ['vertices of each hull', 'insert', 'insert, undo, insert again'],
    rows,
  };
}

async function loadPeers(): Promise<{ peers: Peer[]; missing: string[] }> {
  const peers: Peer[] = [];
  const missing: string[] = [];
  for (const [name, load] of [['three', loadThree] as const, ['quickhull3d', loadQuickhull3d] as const]) {
    try {
      peers.push(await load());
    } catch {
      missing.push(name);
    }
  }
  return { peers, missing };
}

async function loadThree(): Promise<Peer> {
  const { Vector3 } = await import('three');
  const { ConvexHull } = await import('three/examples/jsm/math/ConvexHull.js');
  return {
    name: 'three',
    prepare(points) {
      const list = Array.from(
        { length: points.length / 3 },
        (_, i) => new Vector3(points[3 * i], points[3 * i + 1], points[3 * i + 2]),
      );
      return {
        run: () => new ConvexHull().setFromPoints(list).faces.length,
        vertices: () => {
          const ids = new Map(list.map((point, id) => [point, id]));
          const found = new Set<number>();
          for (const face of new ConvexHull().setFromPoints(list).faces) {
            let edge = face.edge;
            do {
              found.add(ids.get(edge.head().point as InstanceType<typeof Vector3>)!);
              edge = edge.next;
            } while (edge !== face.edge);
          }
          return found;
        },
      };
    },
  };
}

async function loadQuickhull3d(): Promise<Peer> {
  // Not a dependency: the name is in a variable, so that no tool resolves it before it runs.
  // Its bundle: Node cannot load the modules of its entry point, which import each other without file endings.
  const file = 'quickhull3d/dist/quickhull3d.js';
  const { default: quickhull } = await import(/* @vite-ignore */ file);
  return {
    name: 'quickhull3d',
    prepare(points) {
      const list = Array.from({ length: points.length / 3 }, (_, i) => [...points.subarray(3 * i, 3 * i + 3)]);
      return {
        run: () => quickhull(list).length,
        vertices: () => new Set<number>((quickhull(list) as number[][]).flat()),
      };
    },
  };
}
