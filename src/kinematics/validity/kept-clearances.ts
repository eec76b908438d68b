// The clearance of a path whose edges stay while obstacles move: only edges that an obstacle left or came near to are
// measured again.
import { gapBetween } from './boxes.js';
import type { Certificate, Certificates } from './certificates.js';
import type { CollisionScene } from './collision-scene.js';
import { measurePathClearance, type PathClearance, WIDTH_ROUNDING } from './path-clearance.js';

interface Measured {
  /** Proven of the edge. */
  readonly lower: number;
  /** Had at t; Infinity where only the bound is known. */
  readonly upper: number;
  readonly t: number;
  /** Why the interval is wide; see {@link PathClearance}. */
  readonly reason?: string | undefined;
  /** The number of moves of obstacles that it takes into account. */
  moves: number;
}

export class KeptClearances {
  readonly #scene: CollisionScene;
  readonly #certificates: Certificates;
  readonly #measured = new WeakMap<Certificate, Measured>();

  constructor(scene: CollisionScene, certificates: Certificates) {
    this.#scene = scene;
    this.#certificates = certificates;
  }

  /**
   * The clearance of a path of proven edges.
   * @param error the relative width of the interval to aim for.
   */
  measure(path: readonly Certificate[], error: number): PathClearance {
    let least = Infinity;
    for (const edge of path) if (this.#isKept(edge)) least = Math.min(least, this.#measured.get(edge)!.upper);
    if (least === Infinity) return this.#measureAll(path, error);
    // An edge that is measured may bring the least down, never up: bounds that were enough stay so.
    for (const edge of path) least = Math.min(least, this.#compare(edge, least, error));
    return this.#summary(path, error);
  }

  #measureAll(path: readonly Certificate[], error: number): PathClearance {
    const clearance = measurePathClearance(this.#scene, [path[0].a, ...path.map(({ b }) => b)], error);
    for (const [i, edge] of path.entries()) {
      const upper = i === clearance.segment ? clearance.upper : Infinity;
      this.#set(edge, { lower: clearance.lower, upper, t: clearance.t, reason: clearance.reason });
    }
    return clearance;
  }

  /** Proves that an edge keeps nearly the least clearance, or measures it; returns what is measured. */
  #compare(edge: Certificate, least: number, error: number): number {
    const wanted = Math.max(this.#scene.clearance, (1 - error) * least);
    const known = this.#isKept(edge) ? this.#measured.get(edge)! : null;
    if (known !== null && known.lower >= wanted) return known.upper;
    if (known === null || known.upper === Infinity) {
      if (this.#scene.proves(edge.a, edge.b, wanted)) {
        this.#set(edge, { lower: wanted, upper: Infinity, t: 0 });
        return Infinity;
      }
    } else if (known.upper <= least) return known.upper;
    const { segment: _, ...measured } = measurePathClearance(this.#scene, [edge.a, edge.b], error);
    const { upper } = measured;
    this.#set(edge, measured);
    return upper;
  }

  #summary(path: readonly Certificate[], error: number): PathClearance {
    let least: PathClearance = { lower: 0, upper: Infinity, segment: 0, t: 0 };
    let lower = Infinity;
    let reason: string | undefined;
    for (const [segment, edge] of path.entries()) {
      const known = this.#measured.get(edge)!;
      if (known.lower < lower) ({ lower, reason } = known);
      if (known.upper < least.upper) least = { lower, upper: known.upper, segment, t: known.t };
    }
    const isWide = reason !== undefined && lower < (1 - error) * (1 - WIDTH_ROUNDING) * least.upper;
    return { ...least, lower, ...(isWide ? { reason } : {}) };
  }

  #set(edge: Certificate, measured: Omit<Measured, 'moves'>): void {
    this.#measured.set(edge, { ...measured, moves: this.#certificates.moves });
  }

  /** Whether what is known of an edge holds: no obstacle that moved since was, or is, as near as that. */
  #isKept(edge: Certificate): boolean {
    const known = this.#measured.get(edge);
    if (known === undefined) return false;
    const reach = known.upper === Infinity ? known.lower : known.upper;
    for (const box of this.#certificates.movedBoxes(known.moves)) if (!(gapBetween(edge, box) > reach)) return false;
    known.moves = this.#certificates.moves;
    return true;
  }
}
