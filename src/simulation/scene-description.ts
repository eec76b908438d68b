import type { ElementName } from '../elastic/element/element-shapes.js';
import type { MaterialName } from '../elastic/element/material.js';

/** What a scene file of `nearfield simulate` holds, as JSON: meters, seconds, kilograms, radians, Y up. */
export interface SceneDescription {
  /** In space or in the plane; 3 by default. */
  readonly dimension?: 2 | 3;
  /** m/s², three numbers in space and two in the plane; −9.81 along y by default. */
  readonly gravity?: readonly number[];
  /** Seconds a step, the time between frames; 1/60 by default. */
  readonly timestep?: number;
  /** `auto` by default. */
  readonly method?: SimulationMethod;
  /**
   * `static`: each step is the equilibrium of elastic bodies under holds and loads at its time; `dynamic` by default.
   */
  readonly analysis?: 'dynamic' | 'static';
  /** `static`: begin in the equilibrium of the loads that hold at time 0; `rest` by default. */
  readonly start?: 'rest' | 'static';
  /** How steps of elastic bodies are made. */
  readonly solver?: SceneSolver;
  /** Of anything random; 1 by default. */
  readonly seed?: number;
  readonly bodies: readonly SceneBody[];
  readonly joints?: readonly SceneJoint[];
  readonly probes?: readonly SceneProbe[];
}

/** How contacts are resolved. */
export type SimulationMethod = 'auto' | 'penalty' | 'backtracking' | 'time-of-contact';

/** A body of a scene. Its pose places the shape's own frame: seven numbers in space, x, y and angle in the plane. */
export interface SceneBody {
  readonly name?: string;
  readonly shape: SceneShape;
  /** At the origin by default. */
  readonly pose?: readonly number[];
  /** kg/m³, in the plane kg/m²; 1000 by default. */
  readonly density?: number;
  /** kg, in place of a density. */
  readonly mass?: number;
  /** Of the center of mass, m/s. */
  readonly velocity?: readonly number[];
  /** rad/s, in the plane one number. */
  readonly angularVelocity?: readonly number[] | number;
  /** Coulomb's coefficient, 0.5 by default; a pair has the geometric mean. */
  readonly friction?: number;
  /** From 0, the default, to 1; a pair has the larger one. */
  readonly restitution?: number;
  /** Never moves. */
  readonly fixed?: boolean;
  /** A body that is moved, not simulated: evenly between keyframes, at rest before and after them. */
  readonly path?: readonly SceneKeyframe[];
  /** Makes the body elastic; for bodies in space that are neither fixed nor moved. */
  readonly elastic?: SceneElasticity;
  /** Nodes of an elastic body that are held. */
  readonly hold?: readonly SceneHold[];
  /** Forces on nodes of an elastic body. */
  readonly loads?: readonly SceneLoad[];
}

/** What an elastic body of a scene is made of. */
export interface SceneElasticity {
  /** Young's modulus, Pa. */
  readonly young: number;
  /** Poisson's ratio, 0 to 0.49; 0.3 by default. */
  readonly poisson?: number;
  /** Rayleigh damping by mass (1/s) and stiffness (s); 0 by default. */
  readonly damping?: 0 | { readonly mass?: number; readonly stiffness?: number };
  /** Elements along the longest side of the shape; 16 by default. Given tetrahedra stay as they are. */
  readonly resolution?: number;
  readonly element?: ElementName;
  /** `linear`: small strains only, to compare with theory; `nonlinear` by default. */
  readonly strain?: 'nonlinear' | 'linear';
  /** Of nonlinear strain; `stable-neo-hookean` by default. */
  readonly material?: MaterialName;
  /** Whether the body meets itself; true by default. */
  readonly selfCollision?: boolean;
}

/** Nodes of an elastic body: those in a box, by their place at rest in the world, or by number. */
export type SceneNodes =
  | { readonly box: readonly number[]; readonly nodes?: never }
  | { readonly nodes: readonly number[]; readonly box?: never };

/** Nodes that stay where they are at rest, or at positions, or are moved along keyframes. */
export type SceneHold = SceneNodes & {
  /** A point for each node; of a box in the order of their numbers. */
  readonly positions?: readonly (readonly number[])[];
  readonly keyframes?: readonly { readonly time: number; readonly offset: readonly number[] }[];
};

/** A total force, N, spread by area over the surface among the nodes. */
export type SceneLoad = SceneNodes & {
  readonly force: readonly number[];
  /** When it ends, s; never by default. */
  readonly until?: number;
};

/** How steps of elastic bodies are made. */
export interface SceneSolver {
  /** `auto` by default: the midpoint rule with energy kept, and BDF2 where bodies touch. */
  readonly integrator?: 'auto' | 'midpoint' | 'bdf2' | 'euler';
  /** Of a step; by default what the slowest vibration needs, up to 4. */
  readonly substeps?: number;
  /** `barrier`: bodies never overlap, and must not at the start; `field` by default. */
  readonly contact?: 'field' | 'barrier';
  /** `real-time`: a bounded number of iterations a step; `converged` by default. */
  readonly mode?: 'converged' | 'real-time';
  /** Of mode `real-time`; 8 by default. */
  readonly iterations?: number;
}

/** Where a moved body is at a time. */
export interface SceneKeyframe {
  readonly time: number;
  readonly pose: readonly number[];
}

/** The shape of a body, in its own frame. A sphere and a circle are exact. */
export type SceneShape =
  | { readonly file: string }
  | { readonly model: string; readonly parameters?: Readonly<Record<string, number>> }
  | { readonly box: readonly number[] }
  | { readonly sphere: number }
  | {
      readonly tetrahedra: {
        readonly positions: readonly (readonly number[])[];
        readonly elements: readonly (readonly number[])[];
      };
    }
  | { readonly polygon: readonly (readonly number[])[]; readonly holes?: readonly (readonly (readonly number[])[])[] }
  | { readonly circle: number };

/** A joint of a body with another one, or with the world. Bodies go by index or by name. */
export interface SceneJoint {
  readonly type: 'pin' | 'hinge' | 'slider' | 'ball' | 'fixed';
  readonly body: number | string;
  /** The world by default. */
  readonly other?: number | string;
  /** The joint's point at the start, in the world. */
  readonly at: readonly number[];
  /** Of sliders, and of pins and hinges in space (z by default): a direction in the world. */
  readonly axis?: readonly number[];
  /** Of a motor: rad/s, of a slider m/s. */
  readonly speed?: number;
  /** The most that the motor gives: N·m, of a slider N. Without it, what the speed takes. */
  readonly strength?: number;
  /** The least and the largest angle, of a slider the least and the largest way, from the start. */
  readonly limits?: readonly number[];
}

/** A point of a body by where it is at rest, in the world, or a node of an elastic one. */
export type SceneProbe =
  | { readonly body: number | string; readonly point: readonly number[]; readonly node?: never }
  | { readonly body: number | string; readonly node: number; readonly point?: never };
