// What a peer that simulates rigid bodies offers. It gets the same meshes, poses and materials as we do.
import type { Pose } from 'nearfield/core';
import type { Mesh } from 'nearfield/mesh';

export interface PeerBody {
  /** Null for a ball. */
  readonly mesh: Mesh | null;
  readonly radius: number;
  /** Corners of convex pieces whose union is the solid; null makes the peer use the mesh itself. */
  readonly pieces: readonly Float32Array[] | null;
  readonly pose: Pose;
  readonly fixed: boolean;
  readonly velocity: readonly number[];
  readonly angularVelocity: readonly number[];
  readonly density: number;
  readonly friction: number;
  readonly restitution: number;
}

export interface PeerWorld {
  step(): void;
  /** Seven numbers a body. */
  readPoses(out: Float64Array): void;
  free(): void;
}

export interface DynamicsPeer {
  readonly name: string;
  create(bodies: readonly PeerBody[], gravity: readonly number[], timestep: number): PeerWorld;
}
