// What a segment of a motion keeps, as a proven interval. A piece is proven by its chord: an even motion that keeps the bound
// and what the piece deviates from it (`CollisionScene.proves`). Where that fails, the piece is measured in its middle and
// halved: then either a place is found that is nearer, or pieces become so short that their chords are proven.
import type { Deadline } from '../../core/deadline.js';
import type { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import type { BodyPair } from '../../kinematics/validity/watched-pairs.js';
import type { MotionPiece, TimedMotion } from './timed-motion.js';

/** A stretch of time with what is proven of it. */
export interface ProvenStretch {
  readonly from: number;
  readonly to: number;
  /** Nothing comes nearer. */
  readonly lower: number;
}

/** A bound of the clearance at a time, and the pair that has it. */
export interface MeasuredPlace {
  readonly distance: number;
  readonly time: number;
  readonly pair: BodyPair | null;
  readonly scene: CollisionScene;
}

/** What is known of a segment. */
export interface SegmentState {
  readonly index: number;
  verdict: 'holds' | 'violated' | 'undecided';
  /** The nearest place measured. */
  least: MeasuredPlace;
  /** In no order; they cover the segment, but for segments in which bodies meet. */
  stretches: ProvenStretch[];
}

/** A piece to be proven, and what is known of it. */
interface OpenPiece {
  readonly piece: MotionPiece;
  readonly known: number;
}

/** How far what is proven may be below what is measured, as shares of it. */
export interface ProofErrors {
  /** Of a segment on its own. */
  readonly segment: number;
  /** Of the segment that is nearest of all. */
  readonly least: number;
}

/** Chosen: a segment is halved this often at most: its parts are then shorter than the rounding of times. */
const MAX_LEVEL = 48;

/** Chosen: the count of steps of the search for the nearest place around one. */
const GOLDEN_STEPS = 30;

/** Proven: the golden section, by which each step of the search shortens its interval. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Chosen: a clearance nearer to what is wanted than this share of the size of the largest link is not told from it. */
const RESOLUTION = 4e-9;

/** Chosen: distances beyond this many times the least of a segment are not measured. */
const FAR = 3;

/** Rounding: poses at the ends of pieces are off by less than this share of the coordinates. */
const POSE_ROUNDING = 1e-13;

export class SegmentProver {
  /** Measured distances and tried proofs. */
  queries = 0;
  readonly #motion: TimedMotion;
  readonly #scenes: readonly CollisionScene[];
  readonly #wanted: number;
  readonly #deadline: Deadline | null;
  readonly #q: Float64Array;
  readonly #scale: number;
  readonly #rounding: number;
  readonly #errors: ProofErrors;

  /** @param wanted the clearance that a segment holds or not. */
  constructor(
    motion: TimedMotion,
    scenes: readonly CollisionScene[],
    wanted: number,
    errors: ProofErrors,
    deadline: Deadline | null,
  ) {
    this.#errors = errors;
    this.#motion = motion;
    this.#scenes = scenes;
    this.#wanted = wanted;
    this.#deadline = deadline;
    this.#q = new Float64Array(motion.size);
    this.#scale = scenes[0].scale;
    let size = 0;
    for (const { boxMax, boxMin } of scenes[0].obstacles.map(({ model }) => model)) {
      for (let k = 0; k < 3; k++) size = Math.max(size, Math.abs(boxMax[k]), Math.abs(boxMin[k]));
    }
    this.#rounding = POSE_ROUNDING * (size + this.#scale);
  }

  /** A clearance that differs from another by less than this is not told from it. */
  get resolution(): number {
    return RESOLUTION * this.#scale;
  }

  /** Measures a segment in its middle, and proves nothing of it yet. */
  begin(index: number): SegmentState {
    const piece = this.#motion.segment(index);
    const least = this.measure(piece, (piece.from + piece.to) / 2);
    const state: SegmentState = { index, verdict: 'undecided', least, stretches: [] };
    state.stretches.push({ from: piece.from, to: piece.to, lower: 0 });
    return state;
  }

  /** The distance at a time of a piece, up to a cut-off. */
  measure(piece: MotionPiece, time: number, cutoff = Infinity): MeasuredPlace {
    this.queries++;
    this.#motion.write(piece, time, this.#q);
    let distance = cutoff;
    let [pair, scene]: [BodyPair | null, CollisionScene] = [null, this.#scenes[0]];
    for (const own of this.#scenes) {
      const found = own.distance(this.#q, distance);
      if (!(found < distance)) continue;
      distance = found;
      pair = own.nearest;
      scene = own;
    }
    return { distance, time, pair, scene };
  }

  /**
   * Proves what the segment keeps: at least what is wanted where that holds, and nearly the nearest place found or at least
   * `enough`, whichever is less. What was proven before is kept.
   */
  prove(state: SegmentState, enough: number): void {
    if (this.#isViolated(state.least)) state.verdict = 'violated';
    const target = this.#target(state, enough);
    const open = state.stretches.filter(({ lower }) => lower < target);
    if (open.length === 0) return;
    state.stretches = state.stretches.filter(({ lower }) => lower >= target);
    const whole = this.#motion.segment(state.index);
    const pieces = open.map((stretch) => ({ piece: this.#pieceOf(whole, stretch), known: stretch.lower }));
    this.#work(state, pieces.reverse(), enough);
  }

  /** The piece of a stretch, which is one of the halves of halves of the segment. */
  #pieceOf(whole: MotionPiece, { from, to }: ProvenStretch): MotionPiece {
    let piece = whole;
    while (piece.from < from || piece.to > to) {
      const [left, right] = this.#motion.halves(piece);
      piece = from < left.to ? left : right;
    }
    return piece;
  }

  #isViolated({ distance }: MeasuredPlace): boolean {
    return this.#wanted > 0 ? distance < this.#wanted - this.#rounding : distance === 0;
  }

  /** What is to be proven of a segment. */
  #target({ verdict, least: { distance } }: SegmentState, enough: number): number {
    const { segment, least } = this.#errors;
    const floor = verdict === 'violated' ? 0 : this.#wanted;
    return Math.max(floor, (1 - segment) * distance, Math.min(enough, (1 - least) * distance));
  }

  #note(state: SegmentState, place: MeasuredPlace): void {
    if (!(place.distance < state.least.distance)) return;
    state.least = place;
    if (this.#isViolated(place)) state.verdict = 'violated';
  }

  #work(state: SegmentState, waiting: OpenPiece[], enough: number): void {
    for (let open = waiting.pop(); open !== undefined; open = waiting.pop()) {
      const { piece, known } = open;
      const { from, to } = piece;
      // Bodies that meet are as near as they can be.
      const isDone = state.least.distance === 0 || piece.level > MAX_LEVEL;
      if (isDone || (this.#deadline?.isOver('Certifying') ?? false)) {
        state.stretches.push({ from, to, lower: known });
        continue;
      }
      if (!(to > from)) {
        state.stretches.push({ from, to, lower: Math.max(0, state.least.distance - this.#rounding) });
        continue;
      }
      const middle = this.#middle(state, piece);
      const gap = state.least.distance - this.#wanted;
      // What is so near to what is wanted is not told from it: proofs would never end.
      const isEven = state.verdict !== 'violated' && gap < this.resolution;
      const bound = isEven ? (1 - this.#errors.least) * state.least.distance : this.#target(state, enough);
      if (this.#proves(piece, bound, middle)) {
        state.stretches.push({ from, to, lower: bound });
        continue;
      }
      const [left, right] = this.#motion.halves(piece);
      waiting.push({ piece: right, known }, { piece: left, known });
    }
    if (state.verdict === 'violated') return;
    const holds = state.stretches.every(({ lower }) => lower > 0 && lower >= this.#wanted - this.#rounding);
    state.verdict = holds ? 'holds' : 'undecided';
  }

  /** About the distance in the middle of a piece, no more than it is. */
  #middle(state: SegmentState, piece: MotionPiece): number {
    const time = (piece.from + piece.to) / 2;
    if (time === state.least.time) return state.least.distance;
    const place = this.measure(piece, time, FAR * state.least.distance);
    this.#note(state, place);
    return place.distance;
  }

  #proves({ a, b, deviation }: MotionPiece, bound: number, middle: number): boolean {
    const wanted = bound + deviation + this.#rounding;
    if (!(wanted < middle)) return false;
    this.queries++;
    return this.#scenes.every((scene) => scene.proves(a, b, wanted));
  }

  /** Looks for the nearest place around the one that is known, by golden sections. */
  descend(state: SegmentState, around: number): void {
    const piece = this.#motion.segment(state.index);
    const length = piece.to - piece.from;
    const { time } = state.least;
    let low = Math.max(piece.from, time - around * length);
    let high = Math.min(piece.to, time + around * length);
    const at = (share: number): number => {
      const place = this.measure(piece, share);
      this.#note(state, place);
      return place.distance;
    };
    let left = high - GOLDEN * (high - low);
    let right = low + GOLDEN * (high - low);
    let [atLeft, atRight] = [at(left), at(right)];
    for (let i = 0; i < GOLDEN_STEPS && state.least.distance > 0; i++) {
      if (atLeft <= atRight) {
        [high, right, atRight] = [right, left, atLeft];
        left = high - GOLDEN * (high - low);
        atLeft = at(left);
      } else {
        [low, left, atLeft] = [left, right, atRight];
        right = low + GOLDEN * (high - low);
        atRight = at(right);
      }
    }
  }
}
