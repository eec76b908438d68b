// What a scenario is: bodies, the pairs to ask about, and where everything is in each frame. Shared by the benchmarks,
// the lab and the tests; six of them are those of Ehmann and Lin 2001, section 8.2.
import type { Pose } from 'nearfield/core';
import type { Mesh } from 'nearfield/mesh';

/** Frames of every scenario. */
export const FRAME_COUNT = 500;

export interface ScenarioBody {
  readonly name: string;
  /** Bodies of the same shape have the same mesh object. */
  readonly mesh: Mesh;
}

export interface Scenario {
  readonly name: string;
  readonly title: string;
  readonly bodies: readonly ScenarioBody[];
  /** Bodies to ask about: indices into `bodies`, the lower first. */
  readonly pairs: readonly (readonly [number, number])[];
  readonly frameCount: number;
  /** Pose of a body in a frame: seven numbers at 7 · (frame · bodies + body). */
  readonly poses: Float64Array;
}

/** A scenario before its meshes are built and its motion is worked out: up to about two seconds. */
export interface ScenarioDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  build(): Scenario;
}

/** Where a body is in a frame. */
export function poseAt(scenario: Scenario, frame: number, body: number): Pose {
  const start = 7 * (frame * scenario.bodies.length + body);
  return [...scenario.poses.subarray(start, start + 7)] as Pose;
}

/** Where all bodies are in a frame, in their order. */
export function posesAt(scenario: Scenario, frame: number): Pose[] {
  return scenario.bodies.map((_, body) => poseAt(scenario, frame, body));
}

/** The flat poses of a motion given frame by frame. */
export function recordPoses(bodyCount: number, posesOf: (frame: number) => readonly Pose[]): Float64Array {
  const poses = new Float64Array(7 * bodyCount * FRAME_COUNT);
  for (let frame = 0; frame < FRAME_COUNT; frame++) {
    for (const [body, pose] of posesOf(frame).entries()) poses.set(pose, 7 * (frame * bodyCount + body));
  }
  return poses;
}
