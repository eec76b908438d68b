// Roadmaps that stay: every answer is proven by the independent checker, also after obstacles have moved and after a roadmap
// was saved and loaded.
import { describe, expect, test } from 'vitest';
import { Deadline } from '../../src/core/deadline.js';
import { createRandom } from '../../src/core/random.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import { type PlanProblem, type PlanResult, planMotion, planQueries, Roadmap } from '../../src/planning/index.js';
import { buildScene } from '../../src/planning/problem/build-scene.js';
import { CLAIMED, PROVEN } from '../../src/planning/roadmap/edge-list.js';
import { makeSampler } from '../../src/planning/roadmap/make-sampler.js';
import { SampledRoadmap } from '../../src/planning/roadmap/sampled-roadmap.js';
import { type OracleMesh, prepareOracle } from '../oracles/mesh-distance.js';
import { checkPath } from '../oracles/path-checker.js';
import { BRICK, boxes, holeProblem, mazeProblem, wallWithHole } from './planning-scenes.js';

const oracle = ({ positions, indices }: Mesh): OracleMesh => prepareOracle(positions, indices);
const at = (x: number, y: number, z: number): number[] => [x, y, z, 0, 0, 0, 1];

/** Four blocks that can be moved, and a bar in the plane. */
const BLOCK = boxes([-0.5, -0.5, -0.5, 0.5, 0.5, 0.5]);
const BAR = boxes([-0.3, -0.08, -0.1, 0.3, 0.08, 0.1]);
function blocks(poses: readonly (readonly number[])[], more: Partial<PlanProblem> = {}): PlanProblem {
  const robot = { type: 'planar', plane: 'xy', mesh: BAR, bounds: { min: [0, 0, 0], max: [5, 5, 0] } } as const;
  return { robots: [robot], environment: poses.map((pose) => ({ mesh: BLOCK, pose })), seed: 4, ...more };
}
const PLACES = [at(1.5, 1.5, 0), at(3.5, 1.5, 0), at(1.5, 3.5, 0), at(3.5, 3.5, 0)];

/** Moves all obstacles into the frame of the world for the checker. */
function moved({ positions, indices }: Mesh, pose: readonly number[]): OracleMesh {
  return prepareOracle(
    positions.map((value, i) => value + pose[i % 3]),
    indices,
  );
}

function expectProven(result: PlanResult, poses: readonly (readonly number[])[]): void {
  expect(result).toMatchObject({ status: 'solved', certified: true });
  for (const pose of poses) {
    expect(checkPath(oracle(BAR), moved(BLOCK, pose), result.paths[0].poses).verdict).toBe('proven');
  }
}

describe('queries', () => {
  test('many of one roadmap are proven, and later ones cost less than planning alone', () => {
    const roadmap = new Roadmap(blocks(PLACES), { samples: 150 });
    expect(roadmap.sampler).toBe('voronoi');
    const random = createRandom(5);
    let solved = 0;
    for (let i = 0; i < 30; i++) {
      const [start, goal] = [1, 2].map(() => at(random.range(0.4, 4.6), random.range(0.4, 4.6), 0));
      const result = roadmap.query(start, goal);
      if (result.status.startsWith('invalid')) continue;
      solved++;
      expectProven(result, PLACES);
      expect(result.paths[0].poses[0].slice(0, 2)).toEqual(start.slice(0, 2));
      expect(result.paths[0].poses.at(-1)!.slice(0, 2)).toEqual(goal.slice(0, 2));
      expect(result.counters.samples).toBeLessThan(20);
    }
    expect(solved).toBeGreaterThan(4);
    expect(roadmap.query(at(1.5, 1.5, 0), at(0.5, 0.5, 0)).status).toBe('invalid-start');
    expect(roadmap.query(at(0.5, 0.5, 0), at(9, 0.5, 0)).status).toBe('invalid-goal');
  });

  test('the same seed and the same calls give the same paths', () => {
    const ask = (): unknown => {
      const roadmap = new Roadmap(blocks(PLACES), { samples: 60 });
      const first = roadmap.query(at(0.5, 0.5, 0), at(4.5, 4.5, 0)).paths;
      roadmap.moveObstacle(1, at(2.5, 2.5, 0));
      return [first, roadmap.query(at(0.5, 0.5, 0), at(4.5, 4.6, 0)).paths, roadmap.nodeCount, roadmap.edgeCount];
    };
    expect(ask()).toEqual(ask());
  });

  test('a hole that samples hardly find is passed with the help of another planner, and again without it', () => {
    const roadmap = new Roadmap({ ...holeProblem(1.1), sampler: 'uniform' }, { samples: 0 });
    const first = roadmap.query(at(0, 0, -2), at(0, 0, 2));
    expect(first.planner).toBe('hybrid');
    const again = roadmap.query(at(0.5, 0, -2), at(0, 0.5, 2));
    expect(again.planner).toBe('roadmap');
    for (const { paths } of [first, again]) {
      expect(checkPath(oracle(BRICK), oracle(wallWithHole(1.1)), paths[0].poses).verdict).toBe('proven');
    }
    expect(again.counters.samples).toBeLessThan(200);
  });

  test('what no ball passes is infeasible with a proof', () => {
    const roadmap = new Roadmap(holeProblem(0.7), { samples: 0 });
    expect(roadmap.query(at(0, 0, -2), at(0, 0, 2))).toMatchObject({ status: 'infeasible', proof: { kind: 'ball' } });
  });

  test('planQueries answers the queries of a problem; planMotion refuses them', () => {
    const queries = [
      { start: at(0.5, 0.5, 0), goal: at(4.5, 4.5, 0) },
      { start: at(4.5, 0.5, 0), goal: at(0.5, 4.5, 0) },
      { start: at(1.5, 1.5, 0), goal: at(0.5, 4.5, 0) },
    ];
    const problem = blocks(PLACES, { queries });
    const answers = planQueries(problem);
    expect(answers.map(({ status }) => status)).toEqual(['solved', 'solved', 'invalid-start']);
    for (const answer of answers.slice(0, 2)) expectProven(answer, PLACES);
    expect(() => planMotion(problem)).toThrow(/planQueries/);
    expect(() => planQueries({ ...problem, planner: 'rrt-connect' })).toThrow(/rrt-connect.*give auto, roadmap, prm/);
    expect(() => planQueries({ ...problem, queries: [] })).toThrow(/queries is an array of 0/);
    const off = [{ start: at(0.5, 0.5, 0.2), goal: at(4.5, 4.5, 0) }];
    expect(() => planQueries(blocks(PLACES, { queries: [queries[0], ...off] }))).toThrow(/query 2: .*plane/);
  });

  test('several robots are asked with a list of configurations', () => {
    const robot = { type: 'rigid', mesh: BRICK, bounds: { min: [-2, -2, -2], max: [2, 2, 2] } } as const;
    const problem: PlanProblem = { robots: [robot, robot], environment: [], timeLimit: 20 };
    const ends = [at(-1.2, 0, 0), at(1.2, 0, 0)];
    const roadmap = new Roadmap(problem, { samples: 0 });
    expect(roadmap.query(ends, [...ends].reverse()).status).toBe('solved');
    expect(() => roadmap.query(ends[0], ends)).toThrow(/start is an array of 7; give a list of 2 configurations/);
  });
});

describe('obstacles that move', () => {
  test('after many moves, answers are proven, and everything that is held holds', () => {
    const { scene } = buildScene({ ...mazeBlocks(), robots: [{ ...mazeBlocks().robots[0], ...ENDS }] as never }, 0);
    const random = createRandom(8);
    const map = new SampledRoadmap(scene, makeSampler(scene, 'uniform'));
    map.grow(300, random, new Deadline(60));
    let [kept, tested] = [0, 0];
    for (let move = 0; move < 12; move++) {
      const index = random.integer(4);
      const held = map.heldEdges;
      const pose = at(random.range(0.5, 4.5), random.range(0.5, 4.5), 0);
      const repair = map.repair(index, pose, random);
      kept += held;
      tested += repair.edgesTested;
      for (let node = 0; node < map.nodes.count; node++) expect(map.free[node]).toBe(scene.isFree(map.nodes.at(node)));
      for (let edge = 0; edge < map.edges.count; edge++) {
        if (map.edges.states[edge] !== PROVEN) continue;
        const [a, b] = [map.edges.from[edge], map.edges.to[edge]].map((node) => map.nodes.at(node));
        expect(scene.advance(a, b)).toBe(1);
      }
    }
    // Most proofs are kept without a test.
    expect(tested).toBeLessThan(0.35 * kept);
  });

  test('a repaired roadmap solves what a new one solves', () => {
    const roadmap = new Roadmap(blocks(PLACES), { samples: 120 });
    const places = PLACES.map((pose) => [...pose]);
    const random = createRandom(12);
    for (let move = 0; move < 5; move++) {
      const index = random.integer(4);
      places[index] = at(random.range(0.5, 4.5), random.range(0.5, 4.5), 0);
      roadmap.moveObstacle(index, places[index]);
      const ends = [at(0.4, 0.4, 0), at(4.6, 4.6, 0)];
      const fresh = new Roadmap(blocks(places), { samples: 120 }).query(ends[0], ends[1], { timeLimit: 5 });
      const repaired = roadmap.query(ends[0], ends[1], { timeLimit: 5 });
      expect(repaired.status).toBe(fresh.status);
      if (fresh.status !== 'solved') continue;
      expectProven(repaired, places);
      expect(repaired.length).toBeLessThan(1.5 * fresh.length + 0.5);
    }
  });

  test('samples that an obstacle blocked return when it is taken away', () => {
    const count = (poses: readonly (readonly number[])[]): number => {
      return new Roadmap(blocks(poses, { sampler: 'uniform' }), { samples: 200 }).nodeCount;
    };
    const away = [...PLACES.slice(0, 3), at(20, 20, 0)];
    const roadmap = new Roadmap(blocks(PLACES, { sampler: 'uniform' }), { samples: 200 });
    expect(roadmap.nodeCount).toBe(count(PLACES));
    expect(roadmap.moveObstacle(3, away[3]).nodesFound).toBeGreaterThan(0);
    expect(roadmap.nodeCount).toBe(count(away));
    expect(() => roadmap.moveObstacle(4, away[3])).toThrow(/obstacle is 4; give the index of one of the 4/);
    expect(() => roadmap.moveObstacle(0, [NaN, 0, 0, 0, 0, 0, 1])).toThrow(/obstacle/);
  });
});

describe('files', () => {
  const saved = (): { roadmap: Roadmap; bytes: Uint8Array } => {
    const roadmap = new Roadmap(blocks(PLACES), { samples: 80 });
    return { roadmap, bytes: roadmap.save() };
  };

  test('a loaded roadmap answers as the saved one, and saves the same bytes', () => {
    const { roadmap, bytes } = saved();
    const loaded = Roadmap.load(bytes, blocks(PLACES));
    expect([loaded.nodeCount, loaded.edgeCount]).toEqual([roadmap.nodeCount, roadmap.edgeCount]);
    const normal = (list: Uint8Array): number[] => [...list.map((value) => (value === CLAIMED ? PROVEN : value))];
    expect(normal(loaded.save()).slice(16)).toEqual(normal(bytes).slice(16));
    const ends = [at(0.5, 0.5, 0), at(4.5, 4.5, 0)];
    const [a, b] = [roadmap.query(ends[0], ends[1]), loaded.query(ends[0], ends[1])];
    expect(b.paths).toEqual(a.paths);
    expectProven(b, PLACES);
  });

  test('obstacles that moved since are repaired', () => {
    const { bytes } = saved();
    const places = [at(2.5, 2.5, 0), ...PLACES.slice(1)];
    const loaded = Roadmap.load(bytes, blocks(places));
    expectProven(loaded.query(at(0.5, 0.5, 0), at(4.5, 4.5, 0)), places);
  });

  test('another scene, and anything damaged or cut off, is refused', () => {
    const { bytes } = saved();
    expect(() => Roadmap.load(bytes, blocks(PLACES, { clearance: 0.01 }))).toThrow(/another scene/);
    expect(() => Roadmap.load(bytes, blocks(PLACES.slice(1)))).toThrow(/another scene/);
    expect(() => Roadmap.load(bytes, mazeProblem())).toThrow(/another scene/);
    expect(() => Roadmap.load('x' as never, blocks(PLACES))).toThrow(/give the bytes that save/);
    const random = createRandom(1);
    for (let i = 0; i < 150; i++) {
      const damaged = bytes.slice();
      damaged[i < 40 ? i : random.integer(bytes.length)] ^= 1 << random.integer(8);
      expect(() => Roadmap.load(damaged, blocks(PLACES))).toThrow(/roadmap/);
      const short = bytes.slice(0, random.integer(bytes.length));
      expect(() => Roadmap.load(short, blocks(PLACES))).toThrow(/roadmap/i);
    }
  });

  test('a file cannot make an edge free: what it claims is proven again', () => {
    // The roadmap of a scene without the obstacle's last place, said to be of the scene with it.
    const away = [...PLACES.slice(0, 3), at(3, 3, 0)];
    const bytes = new Roadmap(blocks(away), { samples: 80 }).save();
    const text = new TextDecoder('latin1').decode(bytes);
    const from = JSON.stringify(away[3]);
    const forged = bytes.slice();
    const place = text.indexOf(from);
    expect(place).toBeGreaterThan(0);
    // As long as before: [2,2,0,…].
    forged.set(new TextEncoder().encode(JSON.stringify(at(2, 2, 0))), place);
    new DataView(forged.buffer).setUint32(12, crc(forged.subarray(16)), true);
    const places = [...PLACES.slice(0, 3), at(2, 2, 0)];
    const loaded = Roadmap.load(forged, blocks(places));
    for (const [start, goal] of [
      [at(0.4, 0.4, 0), at(4.6, 4.6, 0)],
      [at(2.5, 1, 0), at(2.5, 4, 0)],
    ]) {
      const result = loaded.query(start, goal, { timeLimit: 5 });
      if (result.status === 'solved') expectProven(result, places);
    }
  });
});

test('the graph that is drawn has all nodes and edges, and edges only within components', () => {
  const roadmap = new Roadmap(mazeBlocks(), { samples: 60 });
  const { poses, edges, components } = roadmap.graph;
  expect(components).toHaveLength(roadmap.nodeCount);
  expect(poses).toHaveLength(7 * roadmap.nodeCount);
  expect(edges).toHaveLength(2 * roadmap.edgeCount);
  for (let i = 0; i < edges.length; i += 2) expect(components[edges[i]]).toBe(components[edges[i + 1]]);
});

const ENDS = { start: at(0, 0, 0), goal: at(0, 0, 0) };
function mazeBlocks(): PlanProblem {
  return blocks(PLACES);
}

/** CRC-32 bit by bit. */
function crc(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return (value ^ 0xffffffff) >>> 0;
}
