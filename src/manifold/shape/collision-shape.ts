// What a body is for contacts: a closed mesh, or an exact ball about the origin of its frame. Bodies share shapes.
import { NearfieldError } from '../../core/errors.js';
import type { Mesh } from '../../mesh/mesh.js';
import { thickenSurface } from '../../mesh/repair/thicken-surface.js';
import { ProximityModel } from '../../proximity/proximity-model.js';
import { soundModelOf } from '../../proximity/sound-model.js';
import { CONTACT_FEATURES } from './contact-features.js';
import { FEATURE_TREES } from './feature-tree.js';
import { INSCRIBED_RADIUS } from './inscribed-ball.js';

/** A shape that bodies share. */
export class CollisionShape {
  /** The mesh prepared for queries; null for a ball. */
  readonly model: ProximityModel | null;
  /** The radius of a ball; 0 for a mesh. */
  readonly ballRadius: number;
  /** The radius of a ball about the origin of the shape's frame that holds the shape. */
  readonly boundingRadius: number;

  private constructor(model: ProximityModel | null, ballRadius: number) {
    this.model = model;
    this.ballRadius = ballRadius;
    this.boundingRadius =
      model === null ? ballRadius : model.radius + Math.hypot(model.center[0], model.center[1], model.center[2]);
  }

  /** Makes what contacts need of the shape; otherwise the first contact does. */
  prepare(): void {
    if (this.model === null) return;
    const { parts } = this.model;
    parts.get(CONTACT_FEATURES);
    parts.get(FEATURE_TREES);
    parts.get(INSCRIBED_RADIUS);
  }

  /** An exact ball about the origin. */
  static ball(radius: number): CollisionShape {
    if (radius > 0 && Number.isFinite(radius)) return new CollisionShape(null, radius);
    throw new NearfieldError('bad-argument', `The radius of the sphere is ${radius}; give a positive number.`);
  }

  /** The solid that a closed mesh bounds, or one that is closed once it is made sound. */
  static solid(mesh: Mesh | ProximityModel): CollisionShape {
    const model = soundModelOf(mesh instanceof ProximityModel ? mesh : new ProximityModel(mesh));
    if (!model.closed) {
      throw new NearfieldError(
        'open-mesh',
        'The mesh of the body is open, so it bounds no solid; close it first, for instance by repairMesh, or give it a thickness.',
      );
    }
    return new CollisionShape(model, 0);
  }

  /** The sheet of a thickness around an open surface, half of it on each side: touched from both. */
  static surface(mesh: Mesh, thickness: number): CollisionShape {
    return CollisionShape.solid(thickenSurface(mesh, thickness));
  }
}
