// How an elastic body moves as a whole: the rotation that fits it best, its center of mass, and the turning that has its
// angular momentum.
import * as pose from '../core/pose.js';
import * as quat from '../core/quat.js';
import type { Vec3 } from '../core/vec3.js';
import type { ElasticBody } from '../elastic/body/elastic-body.js';
import { centerOfMass, findWholeMotion } from '../elastic/body/whole-motion.js';
import { SignedSvd } from '../elastic/element/signed-svd.js';
import type { BodyState } from './simulation.js';

export class ElasticMotion {
  readonly #body: ElasticBody;
  /** Of the shape's frame at rest. */
  readonly #placed: pose.Pose;
  readonly #restCenter: Vec3;
  readonly #svd = new SignedSvd();

  /** @param placed where the shape's frame is at rest. */
  constructor(body: ElasticBody, placed: pose.Pose) {
    this.#body = body;
    this.#placed = placed;
    this.#restCenter = centerOfMass(body.part.masses, body.part.rest);
  }

  get restCenter(): Vec3 {
    return this.#restCenter;
  }

  state(): BodyState {
    const { positions, part } = this.#body;
    const { center, velocity, angularVelocity } = findWholeMotion(part.masses, positions, part.momentum());
    return { pose: this.#pose(center), centerOfMass: center, velocity, angularVelocity };
  }

  /**
   * The rest shape turned by the rotation nearest to where the nodes are, by mass (Horn 1987), about the center of
   * mass.
   */
  #pose(center: Vec3): pose.Pose {
    const { positions, part } = this.#body;
    const { rest, masses } = part;
    const from = this.#restCenter;
    const sum = new Float64Array(9);
    for (let node = 0; node < masses.length; node++) {
      for (let i = 0; i < 3; i++) {
        const weighted = masses[node] * (positions[3 * node + i] - center[i]);
        for (let j = 0; j < 3; j++) sum[3 * i + j] += weighted * (rest[3 * node + j] - from[j]);
      }
    }
    const svd = this.#svd;
    svd.decompose(sum);
    const turn = new Array<number>(9).fill(0);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        for (let k = 0; k < 3; k++) turn[3 * i + j] += svd.u[3 * i + k] * svd.v[3 * j + k];
      }
    }
    const rotation = quat.fromMatrix3(turn);
    const arm = pose.transformVector([0, 0, 0, ...rotation], from);
    const moved: pose.Pose = [center[0] - arm[0], center[1] - arm[1], center[2] - arm[2], ...rotation];
    return pose.multiply(moved, this.#placed);
  }
}
