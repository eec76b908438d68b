// What is proven of configurations and edges, kept while obstacles move. A proof stays where the obstacles that moved since
// are out of reach; otherwise only these are tested again. What was blocked stays so until the obstacle in the way moves.
import type { Box } from '../../core/box.js';
import type { Vec3 } from '../../core/vec3.js';
import { boxOfObstacle, gapBetween } from './boxes.js';
import type { CollisionScene } from './collision-scene.js';

/** A verdict on the edge from a to b, or on a configuration where both are the same. */
export interface Certificate {
  readonly a: Float64Array;
  readonly b: Float64Array;
  isFree: boolean;
  /** The obstacle that blocks it; −1 for bounds. */
  blocker: number;
  /** The number of moves of obstacles that it takes into account. */
  moves: number;
  /** Contains all that the robots sweep. */
  readonly min: Vec3;
  readonly max: Vec3;
}

/** How much was proven anew. */
export interface CertificateCounters {
  /** Configurations and edges tested against all obstacles. */
  tested: number;
  /** Those tested again, against the obstacles that moved near them only. */
  retested: number;
  /** Those found to hold without a test. */
  kept: number;
}

/** Chosen: the most places left by obstacles that are remembered; older certificates no longer hold. */
const MAX_LEFT = 256;

export class Certificates {
  readonly counters: CertificateCounters = { tested: 0, retested: 0, kept: 0 };
  readonly #scene: CollisionScene;
  readonly #boxes: Box[];
  /** Boxes that moved obstacles left, with the numbers of the moves, and how many are kept. */
  readonly #left: { readonly move: number; readonly box: Box }[] = [];
  /** By obstacle: the number of its last move. */
  readonly #lastMoves: number[];
  /** How near an obstacle has to be to matter. */
  readonly #margin: number;
  #moves = 0;

  constructor(scene: CollisionScene) {
    this.#scene = scene;
    this.#margin = scene.clearance + 1e-9 * scene.scale;
    this.#boxes = scene.obstacles.map(boxOfObstacle);
    this.#lastMoves = scene.obstacles.map(() => 0);
  }

  /** The number of moves of obstacles so far. */
  get moves(): number {
    return this.#moves;
  }

  /** To be called after an obstacle has moved. */
  obstacleMoved(index: number): void {
    this.#lastMoves[index] = ++this.#moves;
    this.#left.push({ move: this.#moves, box: this.#boxes[index] });
    if (this.#left.length > MAX_LEFT) this.#left.shift();
    this.#boxes[index] = boxOfObstacle(this.#scene.obstacles[index]);
  }

  /** Boxes around the obstacles that have moved since a number of moves, before and after. */
  movedBoxes(since: number): Box[] {
    if (since === this.#moves) return [];
    const everywhere: Box = { min: [-Infinity, -Infinity, -Infinity], max: [Infinity, Infinity, Infinity] };
    if (this.#moves - since > this.#left.length) return [everywhere];
    const before = this.#left.filter(({ move }) => move > since).map(({ box }) => box);
    return [...before, ...this.#boxes.filter((_, index) => this.#lastMoves[index] > since)];
  }

  /** A verdict on a configuration, or on an edge from a free one. */
  make(a: Float64Array, b: Float64Array): Certificate {
    const min: Vec3 = [Infinity, Infinity, Infinity];
    const max: Vec3 = [-Infinity, -Infinity, -Infinity];
    for (const q of [a, b]) this.#growBox(q, min, max);
    const certificate = { a, b, isFree: false, blocker: -1, moves: this.#moves, min, max };
    this.#test(certificate);
    return certificate;
  }

  /** Whether it holds now. */
  holds(certificate: Certificate): boolean {
    const { moves, isFree, blocker } = certificate;
    if (moves === this.#moves) {
      this.counters.kept++;
      return isFree;
    }
    certificate.moves = this.#moves;
    if (!isFree) {
      if (blocker >= 0 && this.#lastMoves[blocker] > moves) this.#test(certificate);
      else this.counters.kept++;
      return certificate.isFree;
    }
    let isKept = true;
    for (let o = 0; o < this.#boxes.length; o++) {
      if (this.#lastMoves[o] <= moves || gapBetween(certificate, this.#boxes[o]) > this.#margin) continue;
      isKept = false;
      this.counters.retested++;
      if (this.#isClearOf(certificate, o)) continue;
      certificate.isFree = false;
      certificate.blocker = o;
      return false;
    }
    if (isKept) this.counters.kept++;
    return true;
  }

  #test(certificate: Certificate): void {
    const scene = this.#scene;
    const { a, b } = certificate;
    this.counters.tested++;
    certificate.isFree = a === b ? scene.isFree(a) : scene.proves(a, b);
    certificate.blocker = certificate.isFree ? -1 : scene.blocker;
  }

  #isClearOf({ a, b }: Certificate, obstacle: number): boolean {
    const scene = this.#scene;
    return scene.isFree(a, obstacle) && (a === b || scene.advance(a, b, scene.clearance, obstacle) === 1);
  }

  /** Links stay within their radius about their origins, which move on straight lines. */
  #growBox(q: Float64Array, min: Vec3, max: Vec3): void {
    const poses = this.#scene.posesAt(q);
    let at = 0;
    for (const { links, speeds } of this.#scene.robots) {
      for (const { model } of links) {
        const reach = speeds === null ? Math.hypot(...model.center) + model.radius : Infinity;
        for (let k = 0; k < 3; k++) {
          min[k] = Math.min(min[k], poses[at + k] - reach);
          max[k] = Math.max(max[k], poses[at + k] + reach);
        }
        at += 7;
      }
    }
  }
}
