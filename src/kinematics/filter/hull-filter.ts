// Proves that links keep apart from obstacles and from each other by planes between their hulls, over a whole stretch of an edge at
// once; where hulls do not tell, by the hulls of their parts. What balls leave open is mostly decided here.
import type { ReadonlyPose } from '../../core/pose.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import type { Obstacle } from '../validity/obstacle.js';
import { type ChainMotion, FRAME, rotationOf } from './chain-motion.js';
import { HullGap } from './hull-gap.js';
import { HULL_TREE, type HullNode, type HullTree } from './hull-tree.js';

/** Chosen: the most pairs of hulls that one question compares. */
const MAX_PAIRS = 150;

/** How one question is asked. */
export interface HullQuestion {
  /** Half the length of the stretch; 0 for a single configuration. */
  half: number;
  /** What is to be kept, with how far ways may deviate from parabolas. */
  limit: number;
  /** How far points may deviate from straight ways. */
  bent: number;
  /** Whether parts of hulls are looked at too. */
  isDeep: boolean;
}

export class HullFilter {
  readonly #motion: ChainMotion;
  readonly #links: readonly ProximityModel[];
  readonly #obstacles: readonly Obstacle[];
  readonly #gap = new HullGap();
  /** The frames of obstacles, as those of links, at rest. */
  readonly #frames: Float64Array;
  /** By link and obstacle, and by link and link: the direction that proved them apart last. */
  readonly #directions: Float64Array;
  /** The frame of a link as seen from another one, and that of the other one. */
  readonly #relative = new Float64Array(FRAME);
  readonly #rest = new Float64Array(FRAME);
  /** By link: the obstacle that left it open last. */
  readonly #witnesses: Int32Array;
  readonly #middle = new Float64Array(6);
  readonly #otherMiddle = new Float64Array(6);
  /** The question in hand: the two trees and where they are, and whether the second is not divided. */
  #tree!: HullTree;
  #own!: Float64Array;
  #ownAt = 0;
  #otherTree!: HullTree;
  #others!: Float64Array;
  #otherAt = 0;
  #question!: HullQuestion;
  #isWhole = false;
  /** Pairs of hulls compared for it. */
  #pairs = 0;

  constructor(links: readonly ProximityModel[], obstacles: readonly Obstacle[], motion: ChainMotion) {
    [this.#links, this.#obstacles, this.#motion] = [links, obstacles, motion];
    this.#frames = new Float64Array(FRAME * obstacles.length);
    this.#directions = new Float64Array(3 * links.length * (obstacles.length + links.length));
    this.#witnesses = new Int32Array(links.length);
    placeFrame([0, 0, 0, 0, 0, 0, 1], this.#rest, 0);
    this.refresh();
  }

  /** Makes the trees, which otherwise the first questions do. */
  prepare(): void {
    for (const { parts } of [...this.#links, ...this.#obstacles.map(({ model }) => model)]) parts.get(HULL_TREE);
  }

  /** Takes over where obstacles are now. */
  refresh(): void {
    for (const [i, { pose }] of this.#obstacles.entries()) placeFrame(pose, this.#frames, FRAME * i);
    this.#directions.fill(0);
  }

  /** Whether all links and obstacles are nearly convex: see {@link isDecisive}. */
  get areAllDecisive(): boolean {
    const models = [...this.#links, ...this.#obstacles.map(({ model }) => model)];
    return models.every(({ parts }) => parts.get(HULL_TREE)?.isNearlyConvex === true);
  }

  /** Whether hulls are all that is asked of a link where they are near: it and the obstacle that left it open are nearly convex. */
  isDecisive(link: number): boolean {
    const tree = this.#links[link].parts.get(HULL_TREE);
    const other = this.#obstacles[this.#witnesses[link]].model.parts.get(HULL_TREE);
    return tree !== null && other !== null && tree.isNearlyConvex && other.isNearlyConvex;
  }

  /** The same of two links. */
  areDecisive(link: number, other: number): boolean {
    return [link, other].every((i) => this.#links[i].parts.get(HULL_TREE)?.isNearlyConvex === true);
  }

  /** Whether a link is proven to keep apart from all obstacles. */
  clearsObstacles(link: number, question: HullQuestion): boolean {
    const tree = this.#links[link].parts.get(HULL_TREE);
    if (tree === null) return false;
    const first = this.#witnesses[link];
    const count = this.#obstacles.length;
    const { frames, bodyFrames } = this.#motion;
    const center = this.#middle;
    placeBall(tree.root.ball, frames, bodyFrames[link], center);
    const [x, y, z] = center;
    const reach = tree.root.ball[3] + question.limit + question.bent + question.half * speedOf(center);
    for (let i = 0; i < count; i++) {
      const obstacle = first + i < count ? first + i : first + i - count;
      if (this.#boxGap(x, y, z, obstacle) > reach || this.#clears(link, tree, obstacle, question)) continue;
      this.#witnesses[link] = obstacle;
      return false;
    }
    return true;
  }

  /** Whether a link keeps apart from an obstacle, by default that which left it open last. */
  clearsObstacle(link: number, question: HullQuestion, obstacle = this.#witnesses[link]): boolean {
    const tree = this.#links[link].parts.get(HULL_TREE);
    return tree !== null && this.#clears(link, tree, obstacle, question);
  }

  #clears(link: number, tree: HullTree, obstacle: number, question: HullQuestion): boolean {
    const { model } = this.#obstacles[obstacle];
    const other = model.parts.get(HULL_TREE);
    if (other === null) return false;
    this.#pairs = 0;
    const { frames, bodyFrames } = this.#motion;
    const place = 3 * (link * this.#obstacles.length + obstacle);
    // One configuration: what is in a solid may be far from its surface.
    this.#isWhole = question.half === 0 && model.closed;
    this.#begin(tree, frames, bodyFrames[link], other, this.#frames, FRAME * obstacle, question);
    return this.#areApart(tree.root, other.root, this.#directions, place);
  }

  /** Whether two links are proven to keep apart, as seen from the first one, which carries the other. */
  clearsLinks(link: number, other: number, question: HullQuestion): boolean {
    const tree = this.#links[link].parts.get(HULL_TREE);
    const second = this.#links[other].parts.get(HULL_TREE);
    if (tree === null || second === null) return false;
    this.#pairs = 0;
    this.#motion.writeRelative(link, other, this.#relative);
    const links = this.#links.length;
    this.#isWhole = false;
    this.#begin(second, this.#relative, 0, tree, this.#rest, 0, question);
    return this.#areApart(
      second.root,
      tree.root,
      this.#directions,
      3 * (links * this.#obstacles.length + link * links + other),
    );
  }

  #begin(
    tree: HullTree,
    frames: Float64Array,
    at: number,
    otherTree: HullTree,
    otherFrames: Float64Array,
    otherAt: number,
    question: HullQuestion,
  ): void {
    this.#tree = tree;
    this.#own = frames;
    this.#ownAt = at;
    this.#otherTree = otherTree;
    this.#others = otherFrames;
    this.#otherAt = otherAt;
    this.#question = question;
  }

  /** A lower bound of how far a point is from an obstacle: from the box around it. */
  #boxGap(x: number, y: number, z: number, obstacle: number): number {
    const f = this.#frames;
    const at = FRAME * obstacle;
    const { boxMin, boxMax } = this.#obstacles[obstacle].model;
    const dx = x - f[at + 9];
    const dy = y - f[at + 10];
    const dz = z - f[at + 11];
    let squared = 0;
    for (let k = 0; k < 3; k++) {
      const value = f[at + k] * dx + f[at + 3 + k] * dy + f[at + 6 + k] * dz;
      const gap = value < boxMin[k] ? boxMin[k] - value : value > boxMax[k] ? value - boxMax[k] : 0;
      squared += gap * gap;
    }
    return Math.sqrt(squared);
  }

  /** @param at where in `directions` the one to begin with is, and the one found is written. */
  #areApart(node: HullNode, other: HullNode, directions: Float64Array, at: number): boolean {
    const { half, limit, bent, isDeep } = this.#question;
    if (this.#pairs++ > 0) {
      const [p, q] = [this.#middle, this.#otherMiddle];
      placeBall(node.ball, this.#own, this.#ownAt, p);
      placeBall(other.ball, this.#others, this.#otherAt, q);
      const x = p[0] - q[0];
      const y = p[1] - q[1];
      const z = p[2] - q[2];
      const gap = Math.sqrt(x * x + y * y + z * z) - node.ball[3] - other.ball[3];
      if (gap > limit + bent + half * speedOf(p)) return true;
    }
    const gap = this.#gap;
    gap.begin(node, this.#own, this.#ownAt, other, this.#others, this.#otherAt, half);
    if (gap.isBeyond(limit, directions, at)) return true;
    if (!isDeep || this.#pairs > MAX_PAIRS) return false;
    const own = this.#tree.halvesOf(node);
    const others = this.#isWhole ? null : this.#otherTree.halvesOf(other);
    if (own === null && others === null) return false;
    const isFirst = others === null || (own !== null && node.ball[3] >= other.ball[3]);
    for (const part of isFirst ? own! : others!) {
      const direction = directions.slice(at, at + 3);
      if (!this.#areApart(isFirst ? part : node, isFirst ? other : part, direction, 0)) return false;
    }
    return true;
  }
}

/** Writes where the middle of a ball is, and its velocity. */
function placeBall(ball: Float64Array, f: Float64Array, at: number, out: Float64Array): void {
  const [x, y, z] = ball;
  const dx = f[at] * x + f[at + 1] * y + f[at + 2] * z;
  const dy = f[at + 3] * x + f[at + 4] * y + f[at + 5] * z;
  const dz = f[at + 6] * x + f[at + 7] * y + f[at + 8] * z;
  out[0] = f[at + 9] + dx;
  out[1] = f[at + 10] + dy;
  out[2] = f[at + 11] + dz;
  out[3] = f[at + 15] + f[at + 13] * dz - f[at + 14] * dy;
  out[4] = f[at + 16] + f[at + 14] * dx - f[at + 12] * dz;
  out[5] = f[at + 17] + f[at + 12] * dy - f[at + 13] * dx;
}

function speedOf(middle: Float64Array): number {
  return Math.sqrt(middle[3] * middle[3] + middle[4] * middle[4] + middle[5] * middle[5]);
}

function placeFrame(pose: ReadonlyPose, frames: Float64Array, at: number): void {
  frames.fill(0, at, at + FRAME);
  frames.set(rotationOf(pose), at);
  for (let k = 0; k < 3; k++) frames[at + 9 + k] = pose[k];
}
