// Bodies of a scene that break: one body of the world until contacts push it hard enough, then one for each piece.
import * as pose from '../core/pose.js';
import type { Vec3 } from '../core/vec3.js';
import { fractureSolid } from '../decomposition/fracture/fracture-solid.js';
import type { RigidWorld } from '../dynamics/world.js';
import { CollisionShape } from '../manifold/shape/collision-shape.js';
import type { Mesh } from '../mesh/mesh.js';
import { massProperties } from '../mesh/report/mass-properties.js';
import type { CheckedBody } from './check-scene.js';

/**
 * Chosen: the width of cracks as a share of the size of the body: pieces that touch exactly would begin with the least gap at
 * rest.
 */
const CRACK = 1e-3;

/** A piece, in the frame of the whole. */
export interface Piece {
  readonly mesh: Mesh;
  readonly center: Vec3;
}

/** A body that may break. */
interface Breakable {
  readonly body: CheckedBody;
  readonly whole: number;
  readonly shapes: readonly CollisionShape[];
  readonly centers: readonly Vec3[];
  readonly density: number;
  /** Ids of the pieces in the world; null while it is whole. */
  ids: readonly number[] | null;
}

/** The bodies of one scene that break. */
export class BreakingBodies {
  readonly #world: RigidWorld;
  readonly #bodies: Breakable[] = [];

  constructor(world: RigidWorld) {
    this.#world = world;
  }

  /** Watches a body of the world; returns its pieces. */
  add(body: CheckedBody, whole: number, mesh: Mesh): Piece[] {
    const { pieces: fragments, seed } = body.fracture!;
    const shape = this.#world.shapeOf(whole);
    const gap = CRACK * shape.boundingRadius;
    const pieces = fractureSolid(mesh, { fragments, seed, gap }).fragments.map((piece): Piece => {
      return { mesh: piece.mesh, center: massProperties(piece.mesh).centerOfMass };
    });
    this.#bodies.push({
      body,
      whole,
      shapes: pieces.map((piece) => CollisionShape.solid(piece.mesh)),
      centers: pieces.map(({ center }) => center),
      density: this.#world.massOf(whole) / massProperties(mesh).volume,
      ids: null,
    });
    return pieces;
  }

  /** The body of the world that a piece is, or is a part of. */
  idOf(whole: number, piece: number): { readonly id: number; readonly isWhole: boolean } {
    const ids = this.#bodies.find((body) => body.whole === whole)?.ids ?? null;
    return ids === null ? { id: whole, isWhole: true } : { id: ids[piece], isWhole: false };
  }

  /** Breaks the bodies that were pushed hard enough in the last step. Pieces go on as they moved in the whole. */
  update(): void {
    for (const breakable of this.#bodies) {
      if (breakable.ids !== null || this.#world.contactImpulse(breakable.whole) < breakable.body.fracture!.impulse)
        continue;
      breakable.ids = this.#break(breakable);
    }
  }

  #break({ body, whole, shapes, centers, density }: Breakable): number[] {
    const world = this.#world;
    const placed = world.poseOf(whole);
    const center = world.centerOf(whole);
    const velocity = world.velocityOf(whole);
    const angularVelocity = world.angularVelocityOf(whole);
    world.removeBody(whole);
    const { friction, restitution, staticFriction, damping, group, mask, name } = body;
    return shapes.map((shape, i) => {
      const at = pose.transformPoint(placed, centers[i]);
      const arm = at.map((value, k) => value - center[k]);
      const moved = velocity.map((value, k) => {
        const [next, last] = [(k + 1) % 3, (k + 2) % 3];
        return value + angularVelocity[next] * arm[last] - angularVelocity[last] * arm[next];
      }) as Vec3;
      return world.addBody({
        ...{ shape, pose: placed, velocity: moved, angularVelocity, density, friction, restitution, damping },
        ...{ staticFriction: staticFriction ?? undefined, group, mask, name: name === '' ? undefined : name },
      });
    });
  }
}
