// Quick verdicts on configurations and edges of chains by balls and a field of distances: what they prove needs no mesh. Balls
// around links are larger than these, so that "clear" is a proof; balls inside of them are smaller, and so "met" is one too. On an
// edge a ball moves over half a stretch by no more than its speed in the middle and the bound of its acceleration allow; what
// is not proven of a stretch, nor by planes between hulls, is looked at again in its halves. The rest is left to exact queries.
import type { Vec3 } from '../../core/vec3.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import type { ChainRobot } from '../robot/chain-robot.js';
import { farthestVertex } from '../robot/rigid-robot.js';
import { DISTANCE_ROUNDING } from '../validity/distance-rounding.js';
import type { Obstacle } from '../validity/obstacle.js';
import { BALL, BALL_COVER, type BallCover } from './ball-cover.js';
import { ChainMotion, largestBend, largestJerk, type Mover } from './chain-motion.js';
import { ClearanceField } from './clearance-field.js';
import { HullFilter, type HullQuestion } from './hull-filter.js';
import { COARSE_COVER, HULL_TREE } from './hull-tree.js';
import { type PairTable, pairTable } from './pair-table.js';

/** What is tested: a link against all obstacles (`other` is −1), or two links. Numbers are those of links in the scene. */
export interface FilterItem {
  readonly link: number;
  readonly other: number;
}

/** 'open': left to exact queries. */
export type FilterVerdict = 'clear' | 'met' | 'open';

/** A stretch of an edge, in shares of it, on which an item is open. */
export interface OpenStretch {
  item: number;
  from: number;
  to: number;
}

/** Rounding: balls made later may have their middles farther from the origin than every vertex by this share. */
const ROOM = 1e-9;

/** Chosen: the coarsest cubes of the field, as a share of the largest link. */
const CUBE = 1;

/** Chosen: the most times that a stretch is halved. */
const MAX_HALVINGS = 8;

/** Chosen: where balls overlap obstacles in the middle of a stretch, it is halved only this often: it stays open there. */
const OVERLAP_HALVINGS = 5;

/** Chosen: the most stretches of an edge that are looked at, those of different items counted apart. */
const MAX_STRETCHES = 4000;

/** Chosen: parts of hulls are looked at where half a stretch is no longer than this share of the edge. */
const DEEP = 0.5 ** 6;

/** Label: the verdict of a test that no solid is met. */
const CLEAR = 1;

/** Label: the verdict of a test that proves nothing. */
const OPEN = 0;

/** Label: the verdict of a test that solids meet. */
const MET = -1;

export class BallFilter {
  readonly items: readonly FilterItem[];
  readonly field: ClearanceField;
  /** The item that was met last, and a point inside of its link; see {@link metAt}. */
  met = -1;
  readonly metAt: Vec3 = [0, 0, 0];
  /** What is open after the last test of a configuration. */
  readonly open: number[] = [];
  readonly stretches: OpenStretch[] = [];
  /** The stretch of the last edge on which {@link met} was met, in its middle. */
  readonly metStretch: OpenStretch = { item: -1, from: 0, to: 0 };
  readonly #links: readonly ProximityModel[];
  readonly #motion: ChainMotion;
  /** By link: its balls, the ball around all of it first, then the coarse and the fine ones. */
  readonly #first: Int32Array;
  readonly #coarseEnd: Int32Array;
  /** By ball: the first of its fine balls, and the end of them. */
  #fine = new Int32Array(0);
  #fineEnd = new Int32Array(0);
  #balls = new Float64Array(0);
  /** Whether fine balls have been made. */
  #isFine = false;
  /** By ball: the middle in the world and its velocity, six numbers, at the placement that it was made for. */
  #placed = new Float64Array(0);
  #stamps = new Int32Array(0);
  #stamp = 0;
  /** The configuration that links are placed at. */
  #at: Float64Array;
  readonly #bends: Float64Array;
  readonly #jerks: Float64Array;
  /** Items in the order of quick tests: one that has refused moves to the front, as it likely refuses again. */
  readonly #order: Int32Array;
  /** By item: the balls that left it open last, which are tried first; −1 before. */
  readonly #witnesses: Int32Array;
  /** By item: the table of two links with few joints between them; null for others. */
  readonly #tables: readonly (PairTable | null)[];
  /** By item of two links of which the first carries the other: the joints between; null for others. */
  readonly #between: readonly (readonly Mover[] | null)[];
  /** By item of two links: the bounds of their motion against each other. */
  readonly #pairBends: Float64Array;
  readonly #pairJerks: Float64Array;
  readonly #hulls: HullFilter;
  readonly #question: HullQuestion = { half: 0, limit: 0, bent: 0, isDeep: false };
  /** The count of changes of the field that the hulls have followed. */
  #changes = 0;
  /** Whether what is open counts as refused. */
  #isQuick = false;
  readonly #q: Float64Array;
  #rounding = 0;
  /** Stretches that wait: the middle and the half of their length by number, and their items as a range of a list. */
  #waiting: number[] = [];
  #waitingItems: number[] = [];
  /** Whether the balls of the last open item overlap something where it is, so that a shorter stretch does not help. */
  #isOverlap = false;
  /** Whether the first of the two links in question carries the other one. */
  #isCarried = false;

  /**
   * @param chains in the order of the scene.
   * @param pairs of links that must stay apart, by number in the scene.
   * @param isTested by link: whether it must stay apart from obstacles.
   */
  constructor(
    chains: readonly ChainRobot[],
    obstacles: readonly Obstacle[],
    size: number,
    pairs: readonly (readonly [number, number])[],
    isTested: readonly boolean[],
  ) {
    const links = chains.flatMap((chain) => chain.links);
    const items: FilterItem[] = [];
    for (const [link, tested] of isTested.entries())
      if (tested && obstacles.length > 0) items.push({ link, other: -1 });

    // The link that carries the other one comes first.
    const jointsOf = chains.flatMap((chain) => {
      return chain.links.map(({ name }) => [...chain.jointsOf(chain.linkNames.indexOf(name))].length);
    });
    for (const [link, other] of pairs) {
      const isFirst = jointsOf[link] <= jointsOf[other];
      items.push(isFirst ? { link, other } : { link: other, other: link });
    }
    this.items = items;
    this.#links = links.map(({ model }) => model);
    const radii = links.map(({ model }) => farthestVertex(model.mesh.positions) * (1 + ROOM));
    this.#bends = new Float64Array(links.length);
    this.#jerks = new Float64Array(links.length);
    this.#q = this.#at = new Float64Array(size);
    this.#first = new Int32Array(links.length + 1);
    this.#coarseEnd = new Int32Array(links.length);
    this.#order = Int32Array.from(items, (_, i) => i);
    this.#witnesses = new Int32Array(2 * items.length);
    this.#fill(false);
    this.#motion = new ChainMotion(chains, size, radii);
    this.#between = items.map(({ link, other }) => (other < 0 ? null : this.#motion.moversBetween(link, other)));
    this.#pairBends = new Float64Array(items.length);
    this.#pairJerks = new Float64Array(items.length);
    const chainOf = chains.flatMap((chain) => chain.links.map((_, own) => ({ chain, own })));
    this.#tables = items.map(({ link, other }) => {
      if (other < 0 || chainOf[link].chain !== chainOf[other].chain) return null;
      return pairTable(chainOf[link].chain, chainOf[link].own, chainOf[other].own);
    });
    const { low, high } = spaceOf(
      chains,
      links.map(({ model }) => model.radius),
    );
    const largest = Math.max(...links.map(({ model }) => model.radius));
    this.field = new ClearanceField(obstacles, low, high, CUBE * largest);
    this.#hulls = new HullFilter(
      links.map(({ model }) => model),
      obstacles,
      this.#motion,
    );
    this.#changes = this.field.changes;
    this.#rounding = DISTANCE_ROUNDING * low.concat(high).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  }

  /**
   * Takes balls around links. Coarse ones are those of halves of halves of surfaces where these have hulls, and fine ones are then
   * left out: they are made when something asks for them.
   */
  #fill(isFine: boolean): void {
    this.#isFine = isFine;
    const covers = this.#links.map((model): BallCover => {
      return model.parts.get(isFine || model.parts.get(HULL_TREE) === null ? BALL_COVER : COARSE_COVER);
    });
    const count = covers.reduce((sum, { balls }) => sum + 1 + balls.length / BALL, 0);
    this.#balls = new Float64Array(BALL * count);
    this.#fine = new Int32Array(count);
    this.#fineEnd = new Int32Array(count);
    let at = 0;
    for (const [i, model] of this.#links.entries()) {
      const { balls, coarse, first } = covers[i];
      this.#first[i] = at;
      this.#balls.set([...model.center, model.radius * (1 + DISTANCE_ROUNDING), 0], BALL * at);
      this.#balls.set(balls, BALL * (at + 1));
      for (let k = 0; k < coarse; k++) {
        this.#fine[at + 1 + k] = at + 1 + first[k];
        this.#fineEnd[at + 1 + k] = at + 1 + first[k + 1];
      }
      this.#coarseEnd[i] = at + 1 + coarse;
      at += 1 + balls.length / BALL;
    }
    this.#first[this.#links.length] = at;
    this.#placed = new Float64Array(6 * count);
    this.#stamps = new Int32Array(count);
    this.#stamp = 1;
    this.#witnesses.fill(-1);
  }

  /** Makes what questions to hulls need, which otherwise the first of them does. */
  prepare(): void {
    this.#hulls.prepare();
    // Fine balls are for what hulls do not decide. They take long, so that searches should not have to make them.
    const areEnough = this.items.every(({ other }, i) => other < 0 || this.#between[i] !== null);
    if (!this.#isFine && !(areEnough && this.#hulls.areAllDecisive)) this.#fill(true);
  }

  /** Bytes of what is known of distances so far. */
  get bytes(): number {
    let sum = this.field.bytes;
    for (let i = 0; i < this.#tables.length; i++) sum += this.#tables[i]?.bytes ?? 0;
    return sum;
  }

  /** Whether balls alone prove that a configuration keeps a clearance. */
  clears(q: Float64Array, clearance: number): boolean {
    this.#isQuick = true;
    this.#refresh();
    this.#motion.rest();
    this.#bends.fill(0);
    this.#jerks.fill(0);
    this.#pairBends.fill(0);
    this.#pairJerks.fill(0);
    this.#place(q);
    for (let i = 0; i < this.items.length; i++) {
      if (this.#test(this.#order[i], 0, clearance) === CLEAR) continue;
      this.#moveUp(this.#order[i]);
      return false;
    }
    return true;
  }

  /** Whether balls alone prove that an edge keeps a clearance. */
  clearsEdge(a: Float64Array, b: Float64Array, clearance: number): boolean {
    return this.#follow(a, b, clearance, true) === 'clear';
  }

  /** Whether a configuration keeps a clearance; `open` lists the items that balls do not decide. */
  testConfiguration(q: Float64Array, clearance: number): FilterVerdict {
    this.#isQuick = false;
    this.#refresh();
    this.#motion.rest();
    this.#bends.fill(0);
    this.#jerks.fill(0);
    this.#pairBends.fill(0);
    this.#pairJerks.fill(0);
    this.#place(q);
    this.open.length = 0;
    for (let i = 0; i < this.items.length; i++) {
      const verdict = this.#test(i, 0, clearance);
      if (verdict === MET) return 'met';
      if (verdict === OPEN) this.open.push(i);
    }
    return this.open.length === 0 ? 'clear' : 'open';
  }

  /** Whether hulls alone prove that a link keeps a distance from an obstacle in the configuration tested last. */
  keepsFrom(link: number, obstacle: number, distance: number): boolean {
    return this.#hulls.clearsObstacle(link, this.#ask(0, distance, 0, 0), obstacle);
  }

  /** Whether an edge keeps a clearance; `stretches` lists what balls do not decide, in order of items and along the edge. */
  testEdge(a: Float64Array, b: Float64Array, clearance: number): FilterVerdict {
    return this.#follow(a, b, clearance, false);
  }

  #refresh(): void {
    this.field.refresh();
    if (this.field.changes === this.#changes) return;
    this.#changes = this.field.changes;
    this.#hulls.refresh();
  }

  /** Bounds the motion of two links against each other. */
  #boundPairs(): void {
    const { changes } = this.#motion;
    for (let i = 0; i < this.items.length; i++) {
      const { link, other } = this.items[i];
      if (other < 0) continue;
      const between = this.#between[i];
      const isCarried = between !== null;
      this.#pairBends[i] = isCarried ? largestBend(between, changes) : this.#bends[link] + this.#bends[other];
      this.#pairJerks[i] = isCarried ? largestJerk(between, changes) : this.#jerks[link] + this.#jerks[other];
    }
  }

  /** What hulls are asked over a stretch. */
  #ask(half: number, clearance: number, bent: number, jerk: number): HullQuestion {
    const question = this.#question;
    question.half = half;
    question.limit = clearance + (jerk * half * half * half) / 6 + this.#rounding;
    question.bent = bent;
    question.isDeep = !this.#isQuick && (half === 0 || half <= DEEP);
    return question;
  }

  #follow(a: Float64Array, b: Float64Array, clearance: number, isQuick: boolean): FilterVerdict {
    this.#isQuick = isQuick;
    this.#refresh();
    this.#motion.begin(a, b);
    for (let link = 0; link < this.#bends.length; link++) {
      this.#bends[link] = this.#motion.bend(link);
      this.#jerks[link] = this.#motion.jerk(link);
    }
    this.#boundPairs();
    const { stretches, items } = this;
    stretches.length = 0;
    const waiting = this.#waiting;
    const list = this.#waitingItems;
    waiting.length = list.length = 0;
    for (let i = 0; i < items.length; i++) list.push(isQuick ? this.#order[i] : i);
    waiting.push(0.5, 0, 0, list.length);
    // Long stretches first: what is met is met soon.
    for (let at = 0; at < waiting.length; at += 4) {
      const middle = waiting[at];
      const level = waiting[at + 1];
      const begin = waiting[at + 2];
      const end = waiting[at + 3];
      const half = 0.5 ** (level + 1);
      for (let k = 0; k < this.#q.length; k++) this.#q[k] = a[k] + middle * (b[k] - a[k]);
      this.#place(this.#q);
      const kept = list.length;
      for (let i = begin; i < end; i++) {
        const verdict = this.#test(list[i], half, clearance);
        if (verdict === CLEAR) continue;
        if (verdict === MET) {
          this.metStretch.item = list[i];
          this.metStretch.from = middle - half;
          this.metStretch.to = middle + half;
          return 'met';
        }
        if (isQuick && (this.#isOverlap || level >= MAX_HALVINGS)) {
          this.#moveUp(list[i]);
          return 'open';
        }
        const limit = this.#isOverlap ? OVERLAP_HALVINGS : MAX_HALVINGS;
        if (level >= limit || list.length > MAX_STRETCHES) {
          stretches.push({ item: list[i], from: middle - half, to: middle + half });
        } else list.push(list[i]);
      }
      if (list.length === kept) continue;
      waiting.push(middle - half / 2, level + 1, kept, list.length);
      waiting.push(middle + half / 2, level + 1, kept, list.length);
    }
    if (stretches.length === 0) return 'clear';
    this.#mergeStretches();
    return 'open';
  }

  /** Tests an item first from now on: what quick tests answer does not depend on their order. */
  #moveUp(item: number): void {
    const order = this.#order;
    const at = order.indexOf(item);
    order.copyWithin(1, 0, at);
    order[0] = item;
  }

  /** Joins stretches of an item that follow each other. */
  #mergeStretches(): void {
    const { stretches } = this;
    stretches.sort((a, b) => a.item - b.item || a.from - b.from);
    let last = 0;
    for (let i = 1; i < stretches.length; i++) {
      if (stretches[i].item === stretches[last].item && stretches[i].from <= stretches[last].to) {
        stretches[last].to = Math.max(stretches[last].to, stretches[i].to);
      } else stretches[++last] = stretches[i];
    }
    stretches.length = last + 1;
  }

  #place(q: Float64Array): void {
    this.#at = q;
    this.#motion.place(q);
    this.#stamp++;
  }

  #test(item: number, half: number, clearance: number): number {
    const { link, other } = this.items[item];
    this.#isOverlap = false;
    const verdict =
      other < 0 ? this.#testLink(item, link, half, clearance) : this.#testPair(item, link, other, half, clearance);
    if (verdict === MET) this.met = item;
    return verdict;
  }

  /** Moves a ball to where it is; returns where its numbers are. */
  #ballAt(ball: number, link: number): number {
    const at = 6 * ball;
    if (this.#stamps[ball] === this.#stamp) return at;
    this.#stamps[ball] = this.#stamp;
    const { frames, bodyFrames } = this.#motion;
    const f = bodyFrames[link];
    const b = BALL * ball;
    const x = this.#balls[b];
    const y = this.#balls[b + 1];
    const z = this.#balls[b + 2];
    const dx = frames[f] * x + frames[f + 1] * y + frames[f + 2] * z;
    const dy = frames[f + 3] * x + frames[f + 4] * y + frames[f + 5] * z;
    const dz = frames[f + 6] * x + frames[f + 7] * y + frames[f + 8] * z;
    const placed = this.#placed;
    placed[at] = frames[f + 9] + dx;
    placed[at + 1] = frames[f + 10] + dy;
    placed[at + 2] = frames[f + 11] + dz;
    const wx = frames[f + 12];
    const wy = frames[f + 13];
    const wz = frames[f + 14];
    placed[at + 3] = frames[f + 15] + wy * dz - wz * dy;
    placed[at + 4] = frames[f + 16] + wz * dx - wx * dz;
    placed[at + 5] = frames[f + 17] + wx * dy - wy * dx;
    return at;
  }

  #testLink(item: number, link: number, half: number, clearance: number): number {
    const curved = (this.#bends[link] * half * half) / 2 + this.#rounding;
    let first = this.#first[link];
    if (this.#look(first, link, half, curved, clearance, false) === CLEAR) return CLEAR;
    let isOpen = false;
    for (let coarse = first + 1; coarse < this.#coarseEnd[link] && !isOpen; coarse++) {
      isOpen = this.#look(coarse, link, half, curved, clearance, false) !== CLEAR;
    }
    if (!isOpen || this.#hulls.clearsObstacles(link, this.#ask(half, clearance, curved, this.#jerks[link])))
      return CLEAR;
    if (this.#hulls.isDecisive(link)) {
      // Where they are too near in the middle, a shorter stretch does not help.
      this.#isOverlap = half > 0 && !this.#hulls.clearsObstacle(link, this.#ask(0, clearance, 0, 0));
      return OPEN;
    }
    if (!this.#isFine) {
      this.#fill(true);
      first = this.#first[link];
    }
    const witness = this.#witnesses[2 * item];
    if (witness >= 0) {
      const found = this.#look(witness, link, half, curved, clearance, true);
      if (found === MET || (found === OPEN && !this.#goesOn())) return found;
    }
    let verdict = CLEAR;
    for (let coarse = first + 1; coarse < this.#coarseEnd[link]; coarse++) {
      if (this.#look(coarse, link, half, curved, clearance, false) === CLEAR) continue;
      for (let fine = this.#fine[coarse]; fine < this.#fineEnd[coarse]; fine++) {
        const found = this.#look(fine, link, half, curved, clearance, true);
        if (found === MET) return MET;
        if (found === CLEAR) continue;
        verdict = OPEN;
        this.#witnesses[2 * item] = fine;
        if (!this.#goesOn()) return OPEN;
      }
    }
    return verdict;
  }

  /** Whether an open item may be met: then its other balls are looked at too. */
  #goesOn(): boolean {
    return this.#isOverlap && !this.#isQuick;
  }

  /** @param isFine whether the exact distance is asked for where the field does not tell. */
  #look(ball: number, link: number, half: number, curved: number, clearance: number, isFine: boolean): number {
    const at = this.#ballAt(ball, link);
    const placed = this.#placed;
    const x = placed[at];
    const y = placed[at + 1];
    const z = placed[at + 2];
    let moved = curved;
    if (half > 0) {
      const vx = placed[at + 3];
      const vy = placed[at + 4];
      const vz = placed[at + 5];
      moved += half * Math.sqrt(vx * vx + vy * vy + vz * vz);
    }
    const own = this.#balls[BALL * ball + 3] + clearance;
    const inner = this.#balls[BALL * ball + 4];
    const refused = isFine && inner > 0 ? inner + clearance : -Infinity;
    const wanted = own + moved;
    const { field } = this;
    field.look(x, y, z, wanted, refused);
    if (field.low > wanted) return CLEAR;
    if (isFine && !(field.high < refused) && field.high > wanted) {
      field.exact(x, y, z, field.low > 0);
      if (field.low > wanted) return CLEAR;
    }
    if (field.high < refused) {
      this.metAt[0] = x;
      this.metAt[1] = y;
      this.metAt[2] = z;
      return MET;
    }
    if (isFine && field.high < own) this.#isOverlap = true;
    return OPEN;
  }

  #testPair(item: number, link: number, other: number, half: number, clearance: number): number {
    const curved = (this.#pairBends[item] * half * half) / 2 + this.#rounding;
    this.#isCarried = this.#between[item] !== null;
    const first = this.#first[link];
    const second = this.#first[other];
    if (this.#compare(first, link, second, other, half, curved, clearance) === CLEAR) return CLEAR;
    const question = this.#ask(half, clearance, curved, this.#pairJerks[item]);
    if (this.#isCarried && this.#hulls.clearsLinks(link, other, question)) return CLEAR;
    const table = this.#tables[item];
    const wanted = table === null ? 0 : clearance + (half > 0 ? table.moved(this.#motion.changes, half) : 0);
    // What balls decide needs no cell of the table that is not known yet.
    if (table?.areApart(this.#at, wanted, true)) return CLEAR;
    if (this.#isCarried && this.#hulls.areDecisive(link, other)) {
      if (table?.areApart(this.#at, wanted, false)) return CLEAR;
      this.#isOverlap = half > 0 && !this.#hulls.clearsLinks(link, other, this.#ask(0, clearance, 0, 0));
      return OPEN;
    }
    if (!this.#isFine) this.#fill(true);
    const witness = this.#witnesses[2 * item];
    if (witness >= 0 && table === null) {
      const found = this.#compare(witness, link, this.#witnesses[2 * item + 1], other, half, curved, clearance);
      if (found === MET || (found === OPEN && !this.#goesOn())) return found;
    }
    const verdict = this.#testBalls(item, link, other, half, curved, clearance);
    return verdict === OPEN && table?.areApart(this.#at, wanted, false) ? CLEAR : verdict;
  }

  #testBalls(item: number, link: number, other: number, half: number, curved: number, clearance: number): number {
    const [first, second] = [this.#first[link], this.#first[other]];
    let verdict = CLEAR;
    for (let i = first + 1; i < this.#coarseEnd[link]; i++) {
      if (this.#compare(i, link, second, other, half, curved, clearance) === CLEAR) continue;
      for (let k = second + 1; k < this.#coarseEnd[other]; k++) {
        if (this.#compare(i, link, k, other, half, curved, clearance) === CLEAR) continue;
        for (let n = this.#fine[i]; n < this.#fineEnd[i]; n++) {
          if (this.#compare(n, link, k, other, half, curved, clearance) === CLEAR) continue;
          for (let m = this.#fine[k]; m < this.#fineEnd[k]; m++) {
            const found = this.#compare(n, link, m, other, half, curved, clearance);
            if (found === MET) return MET;
            if (found === CLEAR) continue;
            verdict = OPEN;
            this.#witnesses[2 * item] = n;
            this.#witnesses[2 * item + 1] = m;
            if (!this.#goesOn()) return OPEN;
          }
        }
      }
    }
    return verdict;
  }

  #compare(
    ball: number,
    link: number,
    second: number,
    other: number,
    half: number,
    curved: number,
    clearance: number,
  ): number {
    const p = this.#ballAt(ball, link);
    const q = this.#ballAt(second, other);
    const placed = this.#placed;
    const x = placed[q] - placed[p];
    const y = placed[q + 1] - placed[p + 1];
    const z = placed[q + 2] - placed[p + 2];
    const distance = Math.sqrt(x * x + y * y + z * z);
    let moved = curved;
    if (half > 0) {
      let vx = placed[q + 3] - placed[p + 3];
      let vy = placed[q + 4] - placed[p + 4];
      let vz = placed[q + 5] - placed[p + 5];
      if (this.#isCarried) {
        // As seen from the link that carries the other one.
        const { frames, bodyFrames } = this.#motion;
        const f = bodyFrames[link];
        vx -= frames[f + 13] * z - frames[f + 14] * y;
        vy -= frames[f + 14] * x - frames[f + 12] * z;
        vz -= frames[f + 12] * y - frames[f + 13] * x;
      }
      moved += half * Math.sqrt(vx * vx + vy * vy + vz * vz);
    }
    const balls = this.#balls;
    const own = balls[BALL * ball + 3] + balls[BALL * second + 3] + clearance;
    if (distance > own + moved) return CLEAR;
    const [inner, innerOther] = [balls[BALL * ball + 4], balls[BALL * second + 4]];
    if (inner > 0 && innerOther > 0 && distance < inner + innerOther + clearance - this.#rounding) {
      for (let k = 0; k < 3; k++) this.metAt[k] = placed[p + k];
      return MET;
    }
    if (distance < own && ball >= this.#coarseEnd[link] && second >= this.#coarseEnd[other]) this.#isOverlap = true;
    return OPEN;
  }
}

/** A box around all places of all links. */
function spaceOf(chains: readonly ChainRobot[], radii: readonly number[]): { readonly low: Vec3; readonly high: Vec3 } {
  const [low, high]: [Vec3, Vec3] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  let body = 0;
  for (const chain of chains) {
    const base = chain.frameAt(new Float64Array(chain.offset + chain.size), 0);
    let reach = 0;
    for (const { name, model } of chain.links) {
      let lever = radii[body++] + Math.hypot(...model.center);
      for (const j of chain.jointsOf(chain.linkNames.indexOf(name))) {
        const { type, origin, limits } = chain.joints[j];
        lever += Math.hypot(origin[0], origin[1], origin[2]);
        if (type === 'prismatic') lever += Math.max(Math.abs(limits[0]), Math.abs(limits[1]));
      }
      reach = Math.max(reach, lever);
    }
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k], base[k] - reach);
      high[k] = Math.max(high[k], base[k] + reach);
    }
  }
  return { low, high };
}
