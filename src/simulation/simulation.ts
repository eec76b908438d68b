// A scene that runs, in space or in the plane, as the command, the lab and the benchmarks see it.
import type { Mesh } from '../mesh/mesh.js';
import type { Polygon } from '../mesh/polygon/polygon.js';

/** A body in a frame: in space 7, 3, 3 and 3 numbers; in the plane 3, 2 and 2, and a number for the turning. */
export interface BodyState {
  /** Of the shape's own frame; of an elastic body with the rotation that fits it best, about its center of mass. */
  readonly pose: readonly number[];
  readonly centerOfMass: readonly number[];
  /** Of the center of mass, m/s. */
  readonly velocity: readonly number[];
  /** rad/s. */
  readonly angularVelocity: readonly number[] | number;
  /** Where the nodes of an elastic body are, where that was asked. */
  readonly nodes?: readonly (readonly number[])[];
}

/** The state of a simulation at one time. */
export interface SimulationFrame {
  readonly time: number;
  /** In the order of the scene. */
  readonly bodies: readonly BodyState[];
  /** J, of the bodies that are simulated. Gravitational energy is zero at the origin. */
  readonly energy: {
    readonly kinetic: number;
    readonly gravitational: number;
    readonly elastic: number;
    /** Stored in contacts of elastic bodies, and of rigid ones by the method `penalty`. */
    readonly contact: number;
    /** Their sum. Loads of elastic bodies change it by their work. */
    readonly total: number;
  };
  /** kg m/s, and kg m²/s about the origin. */
  readonly momentum: { readonly linear: readonly number[]; readonly angular: readonly number[] | number };
  /** Contact points. */
  readonly contacts: number;
  /** An upper bound of the deepest overlap: the length of a translation that parts the two bodies, in meters. */
  readonly worstPenetration: number;
  /** How deep surfaces of two rigid bodies dip into each other at most, in meters: local, beside the way out of the whole. */
  readonly localPenetration: number;
  /** Elements of elastic bodies that are inside out. */
  readonly inverted: number;
  /** Where the scene's probes are. */
  readonly probes: readonly (readonly number[])[];
}

/** A body as it is drawn: a mesh, a ball, a polygon or a disc, in its own frame. */
export type SimulatedShape =
  | { readonly mesh: Mesh }
  | { readonly ball: number }
  | { readonly polygon: Polygon }
  | { readonly circle: number };

/** A body of a {@link Simulation}. Bodies of the same shape share the object. */
export interface SimulatedBody {
  readonly name: string;
  readonly shape: SimulatedShape;
  /** `moved` bodies follow a path. */
  readonly kind: 'fixed' | 'moved' | 'dynamic' | 'elastic';
  /** The id in the world; of an elastic body its index among those of the elastic world. */
  readonly id: number;
}

/** What all simulations have, whatever their world. */
export interface SimulationBase {
  readonly bodies: readonly SimulatedBody[];
  /** Seconds a step. */
  readonly timestep: number;
  /** Substeps of the solver in a step. */
  readonly substeps: number;
  /** Elements of elastic bodies. */
  readonly elements: number;
  /** Steps and equilibria of elastic bodies so far that were not found to the tolerance. */
  readonly unsolved: number;
  /** Seconds of motion that steps have left out so far, since there were more impacts in them than they answer. */
  readonly lostTime: number;
  /**
   * Advances by one step.
   * @param maxMilliseconds the time that it may take, looked at within the step.
   * @returns false if it ran out; then the bodies are where they were before, or where the parts that were done of a step of
   * elastic bodies end: the next step goes on from there.
   */
  step(maxMilliseconds?: number): boolean;
  /** The state now. */
  frame(): SimulationFrame;
  /** Where the nodes of an elastic body are; null for others. */
  nodesOf(body: number): number[][] | null;
  /** Where the vertices of the mesh of an elastic body are, three numbers each; null for others. */
  surfaceOf(body: number): Float64Array | null;
}
