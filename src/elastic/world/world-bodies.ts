// The elastic bodies of a world, with what holds and pulls them.
import { assertNumbers } from '../../core/check/check-array.js';
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import type { ReadonlyVec3, Vec3 } from '../../core/vec3.js';
import { ElasticBody } from '../body/elastic-body.js';
import { ContactBody, type ContactConstants } from '../contact/contact-body.js';
import { type GrabSpring, middleOf } from './grab-term.js';
import { HoldSchedule } from './hold-schedule.js';
import { checkKeyframes, type HoldKeyframe } from './world-options.js';

/** Pulls a body by some of its nodes, as a hand would. */
export interface ElasticGrab {
  /** The middle of the nodes, now. */
  readonly point: Vec3;
  /** Moves the hand to a point in the world. */
  moveTo(point: ReadonlyVec3): void;
  /** Lets go. */
  release(): void;
}

export class WorldBodies {
  readonly elastic: ElasticBody[] = [];
  /** The bodies as contact sees them, in the same order. */
  readonly surfaces: ContactBody[] = [];
  readonly grabs: GrabSpring[] = [];
  readonly #holds = new HoldSchedule();

  /** @throws NearfieldError `bad-argument` for what is no body, or one that is here already. */
  assertNew(body: ElasticBody): void {
    if (!(body instanceof ElasticBody)) {
      throw new NearfieldError('bad-argument', `The body is ${nameValue(body)}; give an ElasticBody.`);
    }
    if (this.elastic.includes(body)) throw new NearfieldError('bad-argument', 'The body is in this world already.');
  }

  add(body: ElasticBody, constants: ContactConstants): void {
    const surface = new ContactBody(body.mesh, constants);
    this.elastic.push(body);
    this.surfaces.push(surface);
  }

  /** Removes a body with its holds and grabs. */
  remove(body: ElasticBody): void {
    const at = this.indexOf(body);
    this.elastic.splice(at, 1);
    this.surfaces.splice(at, 1);
    this.#holds.remove(body);
    for (let i = this.grabs.length - 1; i >= 0; i--) if (this.grabs[i].body === body) this.grabs.splice(i, 1);
  }

  /** Holds nodes of a body and moves them along keyframes. */
  hold(body: ElasticBody, nodes: ArrayLike<number>, keyframes: readonly HoldKeyframe[]): void {
    this.indexOf(body);
    checkKeyframes(keyframes);
    this.#holds.add(body, nodes, keyframes);
  }

  /** Says where all held nodes are to be at a time. */
  placeHolds(time: number): void {
    this.#holds.place(time);
  }

  /** Takes a body by some of its nodes, at first where they are. */
  grab(body: ElasticBody, nodes: ArrayLike<number>): ElasticGrab {
    this.indexOf(body);
    body.assertNodes(nodes);
    if (nodes.length === 0) throw new NearfieldError('bad-argument', 'There are no nodes to grab; give at least one.');
    const own = Uint32Array.from(nodes);
    const target = middleOf(body.positions, 0, own);
    const spring = { body, nodes: own, target };
    this.grabs.push(spring);
    return {
      get point(): Vec3 {
        return middleOf(body.positions, 0, own);
      },
      moveTo: (point) => {
        assertNumbers(point, 3, 'coordinates of the point');
        if (!Number.isFinite(point[0] + point[1] + point[2])) {
          throw new NearfieldError('non-finite', 'The point has a coordinate that is not finite; give three numbers.');
        }
        for (let k = 0; k < 3; k++) target[k] = point[k];
      },
      release: () => {
        const at = this.grabs.indexOf(spring);
        if (at >= 0) this.grabs.splice(at, 1);
      },
    };
  }

  /** @throws NearfieldError `bad-argument` for a body that is not here. */
  indexOf(body: ElasticBody): number {
    const at = this.elastic.indexOf(body);
    if (at >= 0) return at;
    throw new NearfieldError('bad-argument', 'The body is not in this world; add it by addBody.');
  }
}
