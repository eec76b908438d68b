// A scene of elastic bodies that runs in the worker, with what was recorded of it: earlier steps are shown again, later ones
// are simulated. The pointer pulls at a body by a soft spring, or holds a part of it.
import { type Vec3, vec3 } from 'nearfield/core';
import { type ElasticGrab, surfaceMesh } from 'nearfield/elastic';
import { type ElasticSetting, middleOf } from '../../bench/scenarios/elastic/elastic-scene.js';

/** What was recorded of every step, from step 0. */
export interface ElasticRecord {
  /** Of all nodes, one array a body. */
  readonly positions: Float32Array[][];
  /** Seven numbers a rigid body. */
  readonly poses: Float64Array[];
  readonly kinetic: number[];
  readonly elastic: number[];
  readonly contact: number[];
  readonly total: number[];
  readonly inverted: number[];
  readonly milliseconds: number[];
  /** One array a measure of the scene. */
  readonly measures: number[][];
}

export interface Pull {
  readonly body: number;
  readonly from: Vec3;
  readonly to: Vec3;
  readonly kind: 'pull' | 'pinch';
  /** Of what is taken, in meters. */
  readonly radius: number;
  /** What is pinched stays held when the pointer lets go. */
  readonly stays: boolean;
}

export class LiveElastic {
  readonly setting: ElasticSetting;
  readonly record: ElasticRecord;
  readonly surfaces: readonly { readonly nodes: Uint32Array; readonly indices: Uint32Array }[];
  #pull: {
    given: Pull;
    readonly nodes: number[];
    readonly starts: Float64Array;
    /** The middle of the nodes when they were taken. */
    readonly middle: Vec3;
    /** Null for a pinch. */
    readonly grab: ElasticGrab | null;
  } | null = null;

  constructor(setting: ElasticSetting) {
    this.setting = setting;
    this.surfaces = setting.bodies.map(({ body }) => {
      const { mesh, nodes } = surfaceMesh(body.mesh);
      return { nodes, indices: mesh.indices };
    });
    this.record = {
      ...{ positions: [], poses: [], kinetic: [], elastic: [], contact: [], total: [], inverted: [], milliseconds: [] },
      measures: setting.measures.map(() => []),
    };
    this.#write(0);
  }

  /** The last step that was simulated. */
  get steps(): number {
    return this.record.poses.length - 1;
  }

  /** Simulates to a step; `report` may throw to stop. */
  advanceTo(step: number, report: (fraction: number) => void): void {
    const first = this.steps;
    while (this.steps < step) {
      report((this.steps - first) / (step - first));
      const begin = performance.now();
      this.#applyPull();
      this.setting.world.step();
      this.#write(performance.now() - begin);
    }
  }

  /** Takes a body at a point of the last step, or moves what is taken; null lets go. */
  pull(given: Pull | null): void {
    const before = this.#pull;
    if (before !== null && (given === null || given.body !== before.given.body || given.kind !== before.given.kind)) {
      before.grab?.release();
      if (before.grab === null) {
        if (before.given.stays) this.#applyPull();
        else this.setting.bodies[before.given.body].body.release(before.nodes);
      }
      this.#pull = null;
    }
    if (given === null) return;
    if (this.#pull !== null) {
      this.#pull.given = given;
      return;
    }
    const { body } = this.setting.bodies[given.body];
    const nodes = nodesNear(body.positions, given.from, given.radius);
    const starts = Float64Array.from(nodes.flatMap((node) => [...body.positions.subarray(3 * node, 3 * node + 3)]));
    const grab = given.kind === 'pull' ? this.setting.world.grab(body, nodes) : null;
    this.#pull = { given, nodes, starts, middle: middleOf(body, nodes), grab };
  }

  /** Where what is taken is, and where it is pulled to; null if nothing is. */
  get pulled(): { from: Vec3; to: Vec3 } | null {
    if (this.#pull === null) return null;
    const { given, nodes, middle } = this.#pull;
    const moved = vec3.subtract(middleOf(this.setting.bodies[given.body].body, nodes), middle);
    return { from: vec3.add(given.from, moved), to: given.to };
  }

  #applyPull(): void {
    if (this.#pull === null) return;
    const { given, nodes, starts, middle, grab } = this.#pull;
    const by = vec3.subtract(given.to, given.from);
    if (grab !== null) grab.moveTo(vec3.add(middle, by));
    else
      this.setting.bodies[given.body].body.hold(
        nodes,
        starts.map((start, i) => start + by[i % 3]),
      );
  }

  #write(milliseconds: number): void {
    const { world, bodies, rigid, measures } = this.setting;
    const { record } = this;
    record.positions.push(bodies.map(({ body }) => Float32Array.from(body.positions)));
    const ids = rigid?.bodies ?? [];
    const poses = new Float64Array(7 * ids.length);
    for (const [i, id] of ids.entries()) poses.set(rigid!.poseOf(id), 7 * i);
    record.poses.push(poses);
    const { kinetic, elastic, contact, total } = world.energy();
    record.kinetic.push(kinetic);
    record.elastic.push(elastic);
    record.contact.push(contact);
    record.total.push(total);
    record.inverted.push(world.inverted);
    record.milliseconds.push(milliseconds);
    for (const [i, { now }] of measures.entries()) record.measures[i].push(now());
  }
}

/** Nodes within a radius of a point, else the nearest. */
function nodesNear(positions: Float64Array, point: Vec3, radius: number): number[] {
  const near: number[] = [];
  let [nearest, best] = [0, Infinity];
  for (let node = 0; node < positions.length / 3; node++) {
    const distance = vec3.distance(point, positions.subarray(3 * node, 3 * node + 3) as unknown as Vec3);
    if (distance < radius) near.push(node);
    if (distance < best) [nearest, best] = [node, distance];
  }
  return near.length > 0 ? near : [nearest];
}
