// The five scenes of Hoff, Zaferakis, Lin and Manocha 2001 frame by frame, for queries: the motion of their worlds, recorded.

import { layOutPlane, PLANE_SCENES, type PlaneSceneName } from './plane-shapes.js';
import { createPlaneWorld } from './plane-worlds.js';

/** A shape of a scene; `advance` changes its pose, or its rings, in place. */
export interface PlaneBody {
  readonly rings: readonly Float64Array[];
  /** x, y, angle. */
  readonly pose: Float64Array;
}

export interface PlaneScenario {
  readonly name: string;
  readonly title: string;
  readonly bodies: readonly PlaneBody[];
  /** Edges of all bodies. */
  readonly lines: number;
  /** The mean diameter of a body; the error of the paper's tables is 0.2 % of an object's. */
  readonly diameter: number;
  /** Places the bodies as they are in a frame. */
  advance(frame: number): void;
}

/** Frames of every scene. */
export const PLANE_FRAMES = 600;

/** The scenes by name. */
export const planeScenarios: Readonly<Record<string, () => PlaneScenario>> = Object.fromEntries(
  PLANE_SCENES.map((name) => [name, () => record(name)]),
);

/** Runs the world of a scene once and keeps its poses, of soft bodies the points. */
function record(name: PlaneSceneName): PlaneScenario {
  const { title, starts } = layOutPlane(name);
  const { world, ids } = createPlaneWorld(name);
  const isSoft = name === 'wavy';
  const bodies = starts.map(({ ring }): PlaneBody => ({ rings: [ring.slice()], pose: new Float64Array(3) }));
  const frames = Array.from({ length: PLANE_FRAMES }, (_, frame) => {
    if (frame > 0) world.step();
    return ids.map((id) => (isSoft ? world.nodesOf(id).slice() : Float64Array.from(world.poseOf(id))));
  });
  const advance = (frame: number): void => {
    frames[frame % PLANE_FRAMES].forEach((values, i) => {
      (isSoft ? bodies[i].rings[0] : bodies[i].pose).set(values);
    });
  };
  advance(0);
  return {
    name,
    title,
    bodies,
    lines: starts.reduce((sum, { ring }) => sum + ring.length / 2, 0),
    diameter: starts.reduce((sum, { ring }) => sum + diagonal([ring]), 0) / starts.length,
    advance,
  };
}

function diagonal(rings: readonly Float64Array[]): number {
  const xs = rings.flatMap((ring) => Array.from(ring).filter((_, i) => i % 2 === 0));
  const ys = rings.flatMap((ring) => Array.from(ring).filter((_, i) => i % 2 === 1));
  return Math.hypot(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
}
