import type { TimeOfContactMethod } from '../dynamics/impact/time-of-contact.js';
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
  /** How the method `time-of-contact` finds times of impacts, in space; `certified` by default. */
  readonly timeOfContact?: TimeOfContactMethod;
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
  /** Of rigid bodies in a step; 8 by default. */
  readonly substeps?: number;
  /** Of penalty forces in the plane, N/m² (force by depth and length of boundary); what the substeps can follow by default. */
  readonly stiffness?: number;
  readonly forces?: readonly SceneForce[];
  /** What pairs of bodies in space have where they touch each other, in place of what both have. */
  readonly surfaces?: readonly SceneSurface[];
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
  /** Of points that do not slide; the friction by default. A pair has the geometric mean. */
  readonly staticFriction?: number;
  /** Is moved evenly from its pose, not simulated. */
  readonly moves?: SceneMoves;
  /** Of a body that is fixed or moved: the time from which it is simulated, s. */
  readonly letGo?: number;
  /** Axes of the world along which its center of mass stays (x, y, z), or about which it does not turn (rx, ry, rz). */
  readonly locks?: readonly ('x' | 'y' | 'z' | 'rx' | 'ry' | 'rz')[];
  /** How fast velocities die away, 1/s; 0 by default. */
  readonly damping?: { readonly linear?: number; readonly angular?: number };
  /** Bits of the groups it belongs to; 1 by default. */
  readonly group?: number;
  /** Bits of the groups it collides with; all by default. Two bodies collide if each accepts the other. */
  readonly mask?: number;
  /** Pushes nothing; false by default. */
  readonly sensor?: boolean;
  /** Each connected part of the mesh is a body of its own. */
  readonly split?: boolean;
  /** Poses of as many bodies, in place of one pose: their names end with 1, 2, … */
  readonly instances?: readonly (readonly number[])[];
  /** Breaks into pieces once contacts push it with this much in a step. */
  readonly fracture?: SceneFracture;
  /**
   * Makes the body elastic; for bodies in space that are neither fixed nor moved. In the plane a polygon whose boundary
   * carries waves; if fixed, its rest shape stays.
   */
  readonly elastic?: SceneElasticity | SceneWave;
  /** Nodes of an elastic body that are held. */
  readonly hold?: readonly SceneHold[];
  /** Forces on nodes of an elastic body. */
  readonly loads?: readonly SceneLoad[];
}

/** An even motion: the center of mass moves straight, and the body turns about it. */
export interface SceneMoves {
  /** m/s. */
  readonly velocity?: readonly number[];
  /** rad/s. */
  readonly angularVelocity?: readonly number[];
  /** When it ends and the body stands, s; never by default. */
  readonly until?: number;
}

/** How a body breaks: along the Voronoi cells of random points. */
export interface SceneFracture {
  /** N s of contacts in a step. */
  readonly impulse: number;
  /** 8 by default. */
  readonly pieces?: number;
  /** 1 by default. */
  readonly seed?: number;
}

/** A soft body in the plane. */
export interface SceneWave {
  /** Of waves along the boundary, m/s. */
  readonly waveSpeed: number;
  /** Of a displacement of the whole boundary about the rest shape, Hz. */
  readonly frequency: number;
  /** 1/s; 0 by default. */
  readonly damping?: number;
  /** Where the points of the polygon are at the start, in the world; those of the rest shape by default. */
  readonly nodes?: readonly (readonly number[])[];
  /** Their velocities. */
  readonly velocities?: readonly (readonly number[])[];
}

/** A force, N, or a torque, N m, over some time. */
export interface SceneForce {
  readonly body: number | string;
  readonly force?: readonly number[];
  /** One number in the plane. */
  readonly torque?: readonly number[] | number;
  /** Where the force acts at the start, in the world, from where on the point moves with the body; the center of mass by default. */
  readonly at?: readonly number[];
  /** When it begins, s; 0 by default. */
  readonly from?: number;
  /** When it ends, s; never by default. */
  readonly to?: number;
}

/** Friction and restitution of two bodies where they touch each other. */
export interface SceneSurface {
  readonly bodies: readonly (number | string)[];
  readonly friction?: number;
  readonly staticFriction?: number;
  readonly restitution?: number;
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

/** What is made of a mesh. */
export interface SceneShapeChange {
  /** Along all axes of the shape's frame, or along each; a negative factor mirrors. */
  readonly scale?: number | readonly number[];
  /** Takes the mesh as a surface: a sheet this thick, half of it on each side, touched from both. Open meshes need it. */
  readonly thickness?: number;
}

/**
 * The shape of a body, in its own frame. A sphere and a circle are exact. `plane` is a floor: a box whose top is at y = 0 and
 * that reaches this far to all sides and down.
 */
export type SceneShape =
  | ({ readonly file: string } & SceneShapeChange)
  | ({ readonly model: string; readonly parameters?: Readonly<Record<string, number>> } & SceneShapeChange)
  | { readonly plane: number }
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
  readonly type: 'pin' | 'hinge' | 'slider' | 'ball' | 'fixed' | 'distance' | 'spring';
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
  /** The two bodies collide with each other all the same; in space. */
  readonly collide?: boolean;
  /** Of a distance or a spring: the point of the other body or the world, at the start. */
  readonly to?: readonly number[];
  /** Of a spring: N/m, N s/m (0 by default), and the length without force (that at the start by default). */
  readonly stiffness?: number;
  readonly damping?: number;
  readonly length?: number;
}

/** A point of a body by where it is at rest, in the world, or a node of an elastic one. */
export type SceneProbe =
  | { readonly body: number | string; readonly point: readonly number[]; readonly node?: never }
  | { readonly body: number | string; readonly node: number; readonly point?: never };
