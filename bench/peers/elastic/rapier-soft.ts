// Soft bodies of Rapier beside ours: its finite elements and its constraints, on the same tetrahedra.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TetrahedralMesh } from 'nearfield/elastic';
import { findPeer } from '../find-peer.js';

/** A body held at some nodes, under gravity. */
export interface ElasticCase {
  readonly mesh: TetrahedralMesh;
  readonly held: readonly number[];
  readonly young: number;
  readonly poisson: number;
  readonly density: number;
  readonly timestep: number;
}

export interface ElasticPeer {
  readonly name: string;
  create(given: ElasticCase): { step(): void; heightOf(node: number): number; free(): void };
}

/** As much of Rapier's declarations as is used here. */
interface SoftBodyDesc {
  setCells(cells: Uint32Array): SoftBodyDesc;
  setMaterial(material: object): SoftBodyDesc;
  setMasses(masses: Float32Array): SoftBodyDesc;
  setPinnedParticles(nodes: Uint32Array): SoftBodyDesc;
  setCellModel(model: number): SoftBodyDesc;
  setSolver(solver: number): SoftBodyDesc;
  setNoSurfaceCollider(): SoftBodyDesc;
  setCanSleep(can: boolean): SoftBodyDesc;
}
interface RapierModule {
  init(): Promise<void>;
  readonly World: new (gravity: {
    x: number;
    y: number;
    z: number;
  }) => {
    timestep: number;
    step(): void;
    free(): void;
    createSoftBody(desc: SoftBodyDesc): { particlePosition(i: number): { y: number } };
  };
  readonly SoftBodyDesc: new (positions: Float32Array) => SoftBodyDesc;
  readonly SoftBodyMaterial: new () => { youngModulus: number; poissonRatio: number; elasticDampingRatio: number };
  readonly SoftBodyCellModel: { readonly NeoHookean: number };
  readonly SoftBodySolver: { readonly Constraints: number; readonly Fem: number };
}

/** None where it is not installed, or has no soft bodies. */
export async function loadRapierSoft(): Promise<ElasticPeer[]> {
  const location = findPeer('@dimforge/rapier3d-compat');
  if (location === null) return [];
  const module = await import(/* @vite-ignore */ pathToFileURL(join(location.folder, 'dist/rapier.mjs')).href);
  const rapier: RapierModule = module.default ?? module;
  await rapier.init();
  if (rapier.SoftBodyDesc === undefined) return [];
  const kinds = [
    ['finite elements', rapier.SoftBodySolver.Fem],
    ['constraints', rapier.SoftBodySolver.Constraints],
  ] as const;
  return kinds.map(([kind, solver]) => ({
    name: `Rapier ${location.version}, ${kind}`,
    create: (given) => create(rapier, solver, given),
  }));
}

function create(rapier: RapierModule, solver: number, given: ElasticCase): ReturnType<ElasticPeer['create']> {
  const { mesh, held, young, poisson, density, timestep } = given;
  const world = new rapier.World({ x: 0, y: -9.81, z: 0 });
  world.timestep = timestep;
  const material = new rapier.SoftBodyMaterial();
  material.youngModulus = young;
  material.poissonRatio = poisson;
  material.elasticDampingRatio = 0;
  const desc = new rapier.SoftBodyDesc(Float32Array.from(mesh.positions))
    .setCells(mesh.elements)
    .setMaterial(material)
    .setMasses(nodeMasses(mesh, density))
    .setPinnedParticles(Uint32Array.from(held))
    .setCellModel(rapier.SoftBodyCellModel.NeoHookean)
    .setSolver(solver)
    .setNoSurfaceCollider()
    .setCanSleep(false);
  const body = world.createSoftBody(desc);
  return {
    step: () => world.step(),
    heightOf: (node) => body.particlePosition(node).y,
    free: () => world.free(),
  };
}

function nodeMasses({ positions: p, elements }: TetrahedralMesh, density: number): Float32Array {
  const masses = new Float32Array(p.length / 3);
  for (let e = 0; e < elements.length; e += 4) {
    const [a, b, c, d] = elements.subarray(e, e + 4);
    const edge = (to: number, axis: number) => p[3 * to + axis] - p[3 * a + axis];
    const volume =
      edge(b, 0) * (edge(c, 1) * edge(d, 2) - edge(c, 2) * edge(d, 1)) +
      edge(b, 1) * (edge(c, 2) * edge(d, 0) - edge(c, 0) * edge(d, 2)) +
      edge(b, 2) * (edge(c, 0) * edge(d, 1) - edge(c, 1) * edge(d, 0));
    for (const node of [a, b, c, d]) masses[node] += (density * Math.abs(volume)) / 24;
  }
  return masses;
}
