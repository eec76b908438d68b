// Rapier beside us (WebAssembly, 32-bit floats). It has no distance of meshes: only the contact within a distance
// that must be known in advance, so that is asked with a tenth more than the true distance.
import type { Pose } from 'nearfield/core';
import type { Mesh } from 'nearfield/mesh';
import type { PairAnswer, PeerModel } from './peer.js';

/** As much of Rapier's declarations as is used here. Raw shapes are made once: its other calls copy the mesh each time. */
interface Freed {
  free(): void;
}
interface RawShape {
  intersectsShape(p1: Freed, r1: Freed, shape: RawShape, p2: Freed, r2: Freed): boolean;
  contactShape(
    p1: Freed,
    r1: Freed,
    shape: RawShape,
    p2: Freed,
    r2: Freed,
    prediction: number,
  ): (Freed & { distance(): number }) | undefined;
}
interface RapierModule {
  init(): Promise<void>;
  version(): string;
  readonly TriMesh: new (vertices: Float32Array, indices: Uint32Array) => { intoRaw(): RawShape };
  readonly VectorOps: { intoRaw(v: { x: number; y: number; z: number }): Freed };
  readonly RotationOps: { intoRaw(q: { x: number; y: number; z: number; w: number }): Freed };
}

export interface Rapier {
  readonly version: string;
  build(mesh: Mesh): PeerModel;
  readonly intersects: PairAnswer;
  /** Told the true distances. */
  distance(known: (frame: number, pair: number) => number): PairAnswer;
}

/** Null where it is not installed. */
export async function loadRapier(): Promise<Rapier | null> {
  try {
    // No dependency of any kind: named in a variable, so that nothing looks for it before it runs.
    const name = '@dimforge/rapier3d-compat';
    const module = await import(/* @vite-ignore */ name);
    const rapier: RapierModule = module.default ?? module;
    await rapier.init();
    const shapes = new Map<Mesh, RawShape>();
    const withPoses = <T>([a, b]: readonly [Pose, Pose], ask: (p1: Freed, r1: Freed, p2: Freed, r2: Freed) => T): T => {
      const raw = [a, b].flatMap(([x, y, z, i, j, k, w]) => [
        rapier.VectorOps.intoRaw({ x, y, z }),
        rapier.RotationOps.intoRaw({ x: i, y: j, z: k, w }),
      ]);
      const answer = ask(raw[0], raw[1], raw[2], raw[3]);
      for (const each of raw) each.free();
      return answer;
    };
    return {
      version: rapier.version(),
      build: (mesh) => {
        const start = performance.now();
        shapes.set(mesh, new rapier.TriMesh(Float32Array.from(mesh.positions), mesh.indices).intoRaw());
        return { buildMilliseconds: performance.now() - start, bytes: null };
      },
      intersects: (meshA, meshB, a, b) => {
        const [shapeA, shapeB] = [shapes.get(meshA)!, shapes.get(meshB)!];
        return Number(withPoses([a, b], (p1, r1, p2, r2) => shapeA.intersectsShape(p1, r1, shapeB, p2, r2)));
      },
      distance: (known) => (meshA, meshB, a, b, frame, pair) => {
        const [shapeA, shapeB] = [shapes.get(meshA)!, shapes.get(meshB)!];
        return withPoses([a, b], (p1, r1, p2, r2) => {
          const contact = shapeA.contactShape(p1, r1, shapeB, p2, r2, 1.1 * known(frame, pair));
          const distance = contact?.distance() ?? Number.NaN;
          contact?.free();
          return distance;
        });
      },
    };
  } catch {
    return null;
  }
}
