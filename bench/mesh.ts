// Points and reports against meshes, beside three-mesh-bvh where it answers the same question.
import { box, createRandom } from 'nearfield/core';
import { findSelfIntersections, inspectMesh, type Mesh, MeshQuery, models } from 'nearfield/mesh';
import { measure, milliseconds, ratio } from './measure.js';
import { loadThreeMeshBvh } from './peers/closest-points.js';
import type { BenchTable, Suite, SuiteContext } from './suite.js';

export const meshSuite: Suite = {
  name: 'mesh',
  title: 'Meshes: reports, and points against a mesh',
  chapters: ['mesh'],
  async run(context) {
    return [reports(context), await points(context)];
  },
};

function buildModel(name: string): Mesh {
  const model = models.find((candidate) => candidate.name === name);
  if (!model) throw new Error(`no model ${name}`);
  return model.build();
}

function reports({ quick, progress }: SuiteContext): BenchTable {
  const names = ['wrinkled-torus', 'spiral-peg', 'teeth-upper', ...(quick ? [] : ['dragon'])];
  const rows = names.map((name, index) => {
    progress((0.3 * index) / names.length, `report on ${name}`);
    const mesh = buildModel(name);
    const options = { rounds: quick ? 1 : 3, minimumMilliseconds: 1 };
    const [crossings, topology, query] = measure(
      [
        { name: 'crossings', run: () => findSelfIntersections(mesh).count },
        { name: 'rest', run: () => inspectMesh(mesh, { selfIntersections: false }).edges },
        { name: 'query', run: () => new MeshQuery(mesh).windingNumber([0, 0, 0]) },
      ],
      options,
    );
    const triangles = mesh.indices.length / 3;
    return [
      name,
      triangles.toLocaleString('en-US'),
      milliseconds(topology.median),
      milliseconds(crossings.median),
      milliseconds(query.median),
    ];
  });
  return {
    title: 'Reports, milliseconds',
    headings: ['model', 'triangles', 'topology, mass', 'self-intersections', 'build a MeshQuery'],
    rows,
  };
}

/** Points in the model's box grown by a fifth of its size. */
function pointsAround(mesh: Mesh, count: number): Float64Array {
  const random = createRandom(7);
  const { min, max } = box.grow(box.ofPositions(mesh.positions), 0.2 * box.diagonal(box.ofPositions(mesh.positions)));
  const points = new Float64Array(3 * count);
  for (let i = 0; i < points.length; i++) points[i] = random.range(min[i % 3], max[i % 3]);
  return points;
}

async function points({ quick, progress }: SuiteContext): Promise<BenchTable> {
  const peer = await loadThreeMeshBvh();
  const count = quick ? 2_000 : 100_000;
  const names = ['wrinkled-torus', 'bunny', 'dragon'];
  const notes = [`${count.toLocaleString('en-US')} points in the model's box grown by a fifth; microseconds a point.`];
  if (peer === null) notes.push('three-mesh-bvh is not installed and was left out.');
  const rows = names.map((name, index) => {
    progress(0.3 + (0.7 * index) / names.length, `points against ${name}`);
    const mesh = buildModel(name);
    const query = new MeshQuery(mesh);
    const around = pointsAround(mesh, count);
    const distances = new Float64Array(count);
    const theirs = peer?.(mesh);
    const timings = measure(
      [
        {
          name: 'closest point',
          run: () => {
            let sum = 0;
            for (let i = 0; i < count; i++) {
              sum += query.closestPoint([around[3 * i], around[3 * i + 1], around[3 * i + 2]])?.distance ?? 0;
            }
            return sum;
          },
        },
        { name: 'signed distance', run: () => query.signedDistances(around, distances)[count - 1] },
        { name: 'winding number', run: () => query.windingNumbers(around, distances)[count - 1] },
        ...(theirs ? [{ name: 'three-mesh-bvh closest point', run: () => theirs(around) }] : []),
      ],
      { rounds: quick ? 1 : 3, minimumMilliseconds: 1 },
    );
    const each = timings.map(({ median }) => (1000 * median) / count);
    return [
      name,
      (mesh.indices.length / 3).toLocaleString('en-US'),
      ...each.slice(0, 3).map((value) => value.toFixed(2)),
      each.length > 3 ? each[3].toFixed(2) : '–',
      each.length > 3 ? ratio(each[0], each[3]) : '–',
    ];
  });
  return {
    title: 'A point against a mesh, microseconds a query',
    headings: [
      'model',
      'triangles',
      'closest point',
      'signed distance',
      'winding number',
      'three-mesh-bvh closest point',
      'closest point: ours is faster by',
    ],
    rows,
    notes,
  };
}
