// The least distance of two links of a chain, by the few joint values between them: cells of these values know the exact
// distance in their middle, which a change of a value changes by no more than its lever. Cells are made when first asked for; they
// depend on the robot alone.
import type { Part } from '../../core/derived-parts.js';
import type { Pose } from '../../core/pose.js';
import { Pair } from '../../proximity/pair.js';
import type { ChainRobot } from '../robot/chain-robot.js';

/** Chosen: pairs with more values between them have no table: too many cells. */
const MAX_VALUES = 3;

/** Chosen: in cells of the three sizes the distance is known but for these shares of the smaller link's radius. */
const ERRORS = [0.5, 0.12, 0.03];

/** Chosen: distances are measured up to this many radii of the smaller link. */
const CUTOFF = 2;

/** Chosen: the most cells of a pair, 6 MB; then distances of other cells are not known. */
const MAX_CELLS = 100_000;

/** Chosen: a distance that is measured may exceed the true one by this share of it. */
const RELATIVE = 0.05;

/** Measured on tables of 100,000 cells: the bytes of a cell. */
const CELL_BYTES = 60;

/** Rounding: distances count as smaller by this share of the size of the links. */
const CELL_ROUNDING = 1e-9;

/** The tables of a chain, by its links. */
const TABLES: Part<ChainRobot, Map<string, PairTable | null>> = { name: 'distances of links', make: () => new Map() };

/** The table of two links with bodies of a chain; null where there are too many values between them. */
export function pairTable(chain: ChainRobot, a: number, b: number): PairTable | null {
  const tables = chain.parts.get(TABLES);
  const key = `${a} ${b}`;
  let table = tables.get(key);
  if (table === undefined) {
    table = PairTable.of(chain, a, b);
    tables.set(key, table);
  }
  return table;
}

export class PairTable {
  /** Distances measured so far. */
  queries = 0;
  readonly #chain: ChainRobot;
  readonly #links: readonly [number, number];
  readonly #queries: Pair;
  readonly #values: readonly number[];
  readonly #levers: Float64Array;
  /** By size of cells: their sides, the count of cells along each value, how much the distance varies in one. */
  readonly #sides: readonly Float64Array[];
  readonly #counts: readonly Float64Array[];
  readonly #errors: readonly number[];
  readonly #cells: readonly Map<number, number>[];
  readonly #cutoff: number;
  readonly #rounding: number;
  readonly #q: Float64Array;
  readonly #offsets: Float64Array;
  readonly #poseA: Pose = [0, 0, 0, 0, 0, 0, 1];
  readonly #poseB: Pose = [0, 0, 0, 0, 0, 0, 1];

  /** Null for links with too many values between them. */
  static of(chain: ChainRobot, a: number, b: number): PairTable | null {
    const levers = leversBetween(chain, a, b);
    const values = [...levers.keys()].sort((p, q) => p - q);
    const areWide = values.every((value) => chain.limits[value][1] > chain.limits[value][0]);
    return values.length > 0 && values.length <= MAX_VALUES && areWide
      ? new PairTable(chain, a, b, values, levers)
      : null;
  }

  private constructor(chain: ChainRobot, a: number, b: number, values: readonly number[], levers: Map<number, number>) {
    this.#chain = chain;
    const [one, other] = [chain.links[a], chain.links[b]];
    this.#links = [chain.linkNames.indexOf(one.name), chain.linkNames.indexOf(other.name)];
    this.#queries = new Pair(one.model, other.model, { volume: 'boxes' });
    this.#values = values;
    this.#levers = Float64Array.from(values, (value) => levers.get(value)!);
    const size = Math.min(one.model.radius, other.model.radius);
    this.#cutoff = CUTOFF * size;
    this.#rounding =
      CELL_ROUNDING * (one.model.radius + other.model.radius + one.model.magnitude + other.model.magnitude);
    this.#errors = ERRORS.map((share) => share * size);
    this.#sides = this.#errors.map((error) => this.#levers.map((lever) => (2 * error) / (values.length * lever)));
    this.#counts = this.#sides.map((sides) => {
      return sides.map((side, i) => {
        const [low, high] = chain.limits[values[i]];
        return Math.max(1, Math.ceil((high - low) / side));
      });
    });
    this.#cells = ERRORS.map(() => new Map());
    this.#q = new Float64Array(chain.offset + chain.size);
    this.#offsets = new Float64Array(values.length);
  }

  /** Bytes of the cells made so far. */
  get bytes(): number {
    return CELL_BYTES * this.queries;
  }

  /** How much the distance may change while every value changes as on half a stretch of an edge. */
  moved(changes: Float64Array, half: number): number {
    let sum = 0;
    for (let i = 0; i < this.#values.length; i++) {
      sum += this.#levers[i] * Math.abs(changes[this.#chain.offset + this.#values[i]]);
    }
    return sum * half;
  }

  /**
   * Whether the links are farther apart than `wanted` where the joints have these values; false where the table does not tell.
   * @param isKnown whether only cells that have been measured before are asked.
   */
  areApart(q: Float64Array, wanted: number, isKnown: boolean): boolean {
    if (wanted >= this.#cutoff) return false;
    for (let size = 0; size < this.#sides.length; size++) {
      const sides = this.#sides[size];
      const counts = this.#counts[size];
      let cell = 0;
      let off = 0;
      for (let i = 0; i < sides.length; i++) {
        const value = q[this.#chain.offset + this.#values[i]];
        const [low] = this.#chain.limits[this.#values[i]];
        const at = Math.min(counts[i] - 1, Math.max(0, Math.floor((value - low) / sides[i])));
        cell = cell * counts[i] + at;
        const middle = low + (at + 0.5) * sides[i];
        this.#offsets[i] = middle;
        off += this.#levers[i] * Math.abs(value - middle);
      }
      let known = this.#cells[size].get(cell);
      if (known === undefined) {
        if (isKnown || this.#cells[size].size >= MAX_CELLS) return false;
        known = this.#measure();
        this.#cells[size].set(cell, known);
      }
      if (known - off - this.#rounding > wanted) return true;
      // Smaller cells tell no more than this.
      if (known < this.#cutoff && known * (1 + RELATIVE) + off <= wanted) return false;
    }
    return false;
  }

  #measure(): number {
    const { offset } = this.#chain;
    for (let i = 0; i < this.#values.length; i++) this.#q[offset + this.#values[i]] = this.#offsets[i];
    this.queries++;
    for (const [n, out] of [this.#poseA, this.#poseB].entries()) {
      const frame = this.#chain.frameAt(this.#q, this.#links[n]);
      for (let k = 0; k < 7; k++) out[k] = frame[k];
    }
    const options = { cutoff: this.#cutoff, relativeError: RELATIVE };
    const { distance } = this.#queries.distance(this.#poseA, this.#poseB, options);
    return distance === null ? this.#cutoff : distance / (1 + RELATIVE);
  }
}

/** By value: the farthest that a unit of it moves the points of two links against each other, in any configuration. */
function leversBetween(chain: ChainRobot, a: number, b: number): Map<number, number> {
  const levers = new Map<number, number>();
  const own = [a, b].map((link) => chain.jointsOf(chain.linkNames.indexOf(chain.links[link].name)));
  for (const [n, joints] of own.entries()) {
    let lever = chain.radiusOf(n === 0 ? a : b);
    for (const j of joints) {
      const { type, origin, limits } = chain.joints[j];
      const { value, factor } = chain.valueOf(j);
      if (type !== 'fixed') {
        const isTurn = type === 'revolute';
        // A joint may follow another one by a factor of 0: no value moves it.
        if (!own[1 - n].includes(j) && factor !== 0) {
          const rate = Math.abs(factor) * (isTurn ? lever : 1) * (1 + 1e-12);
          levers.set(value, (levers.get(value) ?? 0) + rate);
        }
        if (!isTurn) lever += Math.max(Math.abs(limits[0]), Math.abs(limits[1]));
      }
      lever += Math.hypot(origin[0], origin[1], origin[2]);
    }
  }
  return levers;
}
