// A tower crane of real shapes: lattice mast, jib with counterweight and cabin, trolley, rope, hook and a girder on it.

import type { ChainPlanRobot, PlanJoint } from '../../kinematics/robot/chain-description.js';
import type { Mesh } from '../../mesh/mesh.js';
import { joinMeshes, placeAt } from '../../mesh/place-mesh.js';
import { type ProfilePoint, revolve } from '../../models/parts/surface-of-revolution.js';
import { type Block, blockSolid } from './block-solid.js';

/** Layout: the count of pieces of the rope, which the hoist draws apart. */
const ROPES = 4;

type Range = readonly [number, number];

/** How large a crane is, in meters and radians. */
export interface CraneSize {
  /** Of the underside of the jib. */
  readonly height: number;
  /** Sections and details are those of a crane of 22 m, times this. */
  readonly scale: number;
  /** Where the jib ends behind and before the mast. */
  readonly jib: Range;
  /** Half of the girder's length. */
  readonly load: number;
  /** Limits of the joints, in order; the last is the girder's turn on the hook. */
  readonly slew: Range;
  readonly trolley: Range;
  readonly hoist: Range;
  readonly swivel: Range;
}

/** Joint values are slew, trolley, hoist and swivel; the pieces of the rope follow the hoist. */
export function towerCrane(size: CraneSize): ChainPlanRobot {
  const { height, scale: s } = size;
  const ropes = Array.from({ length: ROPES - 1 }, (_, i) => `rope ${i + 1}`);
  const piece = size.hoist[1] / ROPES;
  const rope = prism(0.05 * s, 0.02 * s, piece, 8);
  const hook = HOOK.map(([radius, y]): ProfilePoint => [s * radius, s * y]);
  const links = [
    { name: 'tower', mesh: mast(height - 0.6 * s, s) },
    { name: 'jib', mesh: jib(size.jib, s) },
    { name: 'trolley', mesh: blockSolid(scaled(TROLLEY, s)) },
    ...ropes.map((name) => ({ name, mesh: rope })),
    { name: 'hook', mesh: joinMeshes([prism(0.05 * s, 0.5 * s, piece, 8), revolve(hook, 20)]) },
    { name: 'load', mesh: girder(size.load, s) },
  ];
  const hoist: Omit<PlanJoint, 'name' | 'child'> = {
    type: 'prismatic',
    parent: 'trolley',
    axis: [0, -1, 0],
    limits: size.hoist,
  };
  const joints: PlanJoint[] = [
    {
      name: 'slew',
      type: 'revolute',
      parent: 'tower',
      child: 'jib',
      axis: [0, 1, 0],
      origin: placeAt([0, height, 0]),
      limits: size.slew,
    },
    { name: 'trolley', type: 'prismatic', parent: 'jib', child: 'trolley', axis: [1, 0, 0], limits: size.trolley },
    ...ropes.map((child, i): PlanJoint => {
      return { name: child, child, ...hoist, mimic: { joint: 'hoist', factor: (i + 1) / ROPES } };
    }),
    { name: 'hoist', child: 'hook', ...hoist },
    { name: 'swivel', type: 'revolute', parent: 'hook', child: 'load', axis: [0, 1, 0], limits: size.swivel },
  ];
  // The pieces of the rope lie within each other, and pass the jib.
  const inner = [...ropes, 'hook'];
  const ignore = inner.flatMap((a, i) => [
    [a, 'jib'] as const,
    [a, 'trolley'] as const,
    ...inner.slice(0, i).map((b) => [a, b] as const),
    ...(a === 'hook' ? [] : [[a, 'load'] as const]),
  ]);
  return { type: 'chain', name: 'crane', links, joints, ignore };
}

/** The frame of the trolley, and its winch. */
const TROLLEY: readonly Block[] = [
  [-0.7, -0.5, -0.6, 0.7, -0.2, 0.6],
  [-0.3, -0.8, -0.3, 0.3, -0.4, 0.3],
];

/** The block of the hook. */
const HOOK: readonly ProfilePoint[] = [
  [0, -0.1],
  [0.12, -0.1],
  [0.3, 0.05],
  [0.3, 0.3],
  [0.12, 0.45],
  [0, 0.45],
];

function scaled(blocks: readonly Block[], s: number): Block[] {
  return blocks.map(([x, y, z, u, v, w]) => [s * x, s * y, s * z, s * u, s * v, s * w]);
}

/** A bar about y from a height on. */
function prism(radius: number, bottom: number, length: number, sides: number): Mesh {
  return revolve(
    [
      [0, bottom],
      [radius, bottom],
      [radius, bottom + length],
      [0, bottom + length],
    ],
    sides,
  );
}

/** A girder of I section under the hook, with slings' lugs. */
function girder(half: number, s: number): Mesh {
  return blockSolid([
    [-half, -0.75 * s, -0.25 * s, half, -0.67 * s, 0.25 * s],
    [-half, -0.7 * s, -0.04 * s, half, -0.3 * s, 0.04 * s],
    [-half, -0.33 * s, -0.25 * s, half, -0.25 * s, 0.25 * s],
    [-0.3 * s, -0.3 * s, -0.1 * s, 0.3 * s, -0.15 * s, 0.1 * s],
  ]);
}

/** A mast of four posts with frames between. */
function mast(top: number, s: number): Mesh {
  const [half, post] = [0.8 * s, 0.12 * s];
  const blocks: Block[] = [];
  for (const x of [-half, half - post]) {
    for (const z of [-half, half - post]) blocks.push([x, 0, z, x + post, top, z + post]);
  }
  for (let i = 0; i * s <= top - post; i++) {
    const y = i * s;
    for (const side of [-half, half - post]) {
      blocks.push([-half, y, side, half, y + post, side + post], [side, y, -half, side + post, y + post, half]);
    }
  }
  return blockSolid(blocks);
}

/** Jib, counter-jib with its weight, and cabin in one. */
function jib([back, front]: Range, s: number): Mesh {
  const blocks: Block[] = [];
  const [chord, top, half, inner] = [0.12 * s, 1.12 * s, 0.7 * s, 0.58 * s];
  const [first, last] = [back + 2 * s, front - s];
  for (const z of [-half, inner]) {
    blocks.push([back, 0, z, front, chord, z + chord], [first, s, z, last, top, z + chord]);
    for (let x = first; x < last; x += 1.5 * s) blocks.push([x, 0, z, x + chord, top, z + chord]);
  }
  for (let x = first; x < last; x += 1.5 * s) {
    blocks.push([x, 0, -half, x + chord, chord, half], [x, s, -half, x + chord, top, half]);
  }
  blocks.push(
    [back, 0, -half, back + 1.6 * s, 1.6 * s, half],
    ...scaled(
      [
        [1.1, -1.7, 0.65, 2.4, 0.1, 1.8],
        [-0.9, -0.35, -0.7, 0.9, 0.1, 0.7],
      ],
      s,
    ),
  );
  return blockSolid(blocks);
}
