// PIVOT in space on one core, every frame from scratch: two deforming cylinders of 20,000 triangles at several errors,
// beside the distances of all vertices by a hierarchy built in every frame, and organs made of NURBS surfaces.
import { MeshQuery } from 'nearfield/mesh';
import { findNearNurbs, SpacePivot, tessellateNurbs } from 'nearfield/pivot';
import { milliseconds } from './measure.js';
import { pivotSpaceGpuTables } from './pivot-space-gpu-record.js';
import { CYLINDER_SCENES, createCylinders } from './scenarios/cylinders.js';
import { organsAt } from './scenarios/organs.js';
import type { BenchTable, Suite, SuiteContext } from './suite.js';

/** Of the diagonal of a cylinder's box. */
const SHARES = [0.02, 0.01, 0.005, 0.0025];
const DIAGONAL = Math.hypot(0.6, 1, 0.6);

export const pivotSpaceSuite: Suite = {
  name: 'pivot-space',
  title: 'PIVOT in space',
  chapters: ['pivot'],
  async run(context) {
    return [cylinders(context), organs(context), ...pivotSpaceGpuTables()];
  },
};

/** Median milliseconds over frames, each with other positions, after a warm-up. */
function timeFrames(frames: number, run: (time: number) => void, prepare: (time: number) => void): number {
  const times: number[] = [];
  for (let frame = -2; frame < frames; frame++) {
    prepare((frame + 2) / 60);
    const start = performance.now();
    run((frame + 2) / 60);
    if (frame >= 0) times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[times.length >> 1];
}

function cylinders({ quick, progress }: SuiteContext): BenchTable {
  const frames = quick ? 3 : 15;
  const rows: string[][] = [];
  for (const [index, scene] of CYLINDER_SCENES.entries()) {
    const cylindersAt = createCylinders(scene, quick ? 2000 : 20_000);
    let [a, b] = cylindersAt(0);
    const move = (time: number): void => {
      [a, b] = cylindersAt(time);
    };
    const peer = timeFrames(frames, () => measureVertices(), move);
    function measureVertices(): number {
      let inside = 0;
      for (const [surface, solid] of [
        [a, b],
        [b, a],
      ]) {
        const query = new MeshQuery(solid);
        const { positions } = surface;
        for (let n = 0; n < positions.length; n += 3) {
          const point = [positions[n], positions[n + 1], positions[n + 2]] as const;
          if (query.isInside(point) && query.closestPoint(point) !== null) inside++;
        }
      }
      return inside;
    }
    for (const share of quick ? SHARES.slice(0, 2) : SHARES) {
      progress((0.4 * index) / 2, `${scene} within ${100 * share} %`);
      const pivot = new SpacePivot({ error: share * DIAGONAL });
      let answer = pivot.penetrationSync(a, b);
      const median = timeFrames(
        frames,
        () => {
          answer = pivot.penetrationSync(a, b);
        },
        move,
      );
      rows.push([
        scene,
        `${100 * share} %`,
        (answer.a.count + answer.b.count).toLocaleString('en-US'),
        answer.depth.toFixed(3),
        milliseconds(median),
        (1000 / median).toFixed(0),
        milliseconds(peer),
      ]);
    }
  }
  return {
    title: 'Two deforming cylinders of 20,000 triangles, milliseconds a frame',
    headings: [
      'scene',
      'error',
      'samples',
      'depth',
      'penetrating points',
      'frames a second',
      'all vertices by a hierarchy',
    ],
    rows,
    notes: [
      'Errors are shares of the diagonal of a cylinder. A frame reads both meshes and finds the penetrating points of both ' +
        'surfaces with depths, directions and areas. All vertices: a MeshQuery built in every frame, and for every vertex ' +
        'whether it is inside and its closest point.',
    ],
  };
}

function organs({ quick, progress }: SuiteContext): BenchTable {
  const frames = quick ? 3 : 15;
  const rows = (quick ? [0.002] : [0.002, 0.001]).map((error, index) => {
    progress(0.8 + 0.1 * index, `organs within ${1000 * error} mm`);
    const pivot = new SpacePivot({ error: 0.75 * error });
    let triangles = 0;
    let pairCount = 0;
    let samples = 0;
    let tessellating = 0;
    let sweeping = 0;
    const total = timeFrames(
      frames,
      (time) => {
        const surfaces = organsAt(10 * time).map(({ surface }) => surface);
        const start = performance.now();
        const { pairs } = findNearNurbs(surfaces, error);
        const swept = performance.now();
        const meshes = surfaces.map((surface) => tessellateNurbs(surface, { error: 0.25 * error }));
        tessellating = performance.now() - swept;
        sweeping = swept - start;
        triangles = meshes.reduce((sum, { indices }) => sum + indices.length / 3, 0);
        pairCount = pairs.length / 2;
        samples = 0;
        for (let n = 0; n < pairs.length; n += 2) {
          samples += pivot.contactsSync(meshes[pairs[n]], meshes[pairs[n + 1]], error).count;
        }
      },
      () => {},
    );
    return [
      `${1000 * error} mm`,
      triangles.toLocaleString('en-US'),
      `${pairCount} of 36`,
      samples.toLocaleString('en-US'),
      milliseconds(sweeping),
      milliseconds(tessellating),
      milliseconds(total),
      (1000 / total).toFixed(0),
    ];
  });
  return {
    title: 'Nine breathing organs of NURBS surfaces: contacts of all near pairs, milliseconds a frame',
    headings: [
      'error',
      'triangles',
      'near pairs',
      'contacts',
      'near pairs take',
      'triangles take',
      'all',
      'frames a second',
    ],
    rows,
  };
}
