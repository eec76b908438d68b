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
  /** `static` is for elastic bodies. */
  readonly analysis?: 'dynamic' | 'static';
  /** `static` is for elastic bodies. */
  readonly start?: 'rest' | 'static';
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

/** A point of a body, by where it is at the start, in the world. */
export interface SceneProbe {
  readonly body: number | string;
  readonly point: readonly number[];
}
