// Nodes that are held and moved along keyframes.
import type { ElasticBody } from '../body/elastic-body.js';
import type { HoldKeyframe } from './world-options.js';

interface Hold {
  readonly body: ElasticBody;
  readonly nodes: ArrayLike<number>;
  readonly from: Float64Array;
  readonly keyframes: readonly HoldKeyframe[];
}

export class HoldSchedule {
  #holds: Hold[] = [];

  /** Holds nodes from where they are now. */
  add(body: ElasticBody, nodes: ArrayLike<number>, keyframes: readonly HoldKeyframe[]): void {
    body.hold(nodes);
    const from = new Float64Array(3 * nodes.length);
    for (let i = 0; i < from.length; i++) from[i] = body.positions[3 * nodes[Math.floor(i / 3)] + (i % 3)];
    this.#holds.push({ body, nodes, from, keyframes });
  }

  /** Forgets the holds of a body. */
  remove(body: ElasticBody): void {
    this.#holds = this.#holds.filter((hold) => hold.body !== body);
  }

  /** Says where all held nodes are to be at a time; between two keyframes they go straight. */
  place(time: number): void {
    const to: number[] = [];
    for (const { body, nodes, from, keyframes } of this.#holds) {
      let next = 0;
      while (next < keyframes.length && keyframes[next].time <= time) next++;
      const [before, after] = [keyframes[Math.max(0, next - 1)], keyframes[Math.min(next, keyframes.length - 1)]];
      const length = after.time - before.time;
      const share = length > 0 ? (time - before.time) / length : 0;
      to.length = from.length;
      for (let i = 0; i < from.length; i++) {
        const k = i % 3;
        to[i] = from[i] + before.offset[k] + share * (after.offset[k] - before.offset[k]);
      }
      body.hold(nodes, to);
    }
  }
}
