// The contact queries of two models, and what they keep. Most pairs of a scene are farther apart than the tolerance, so a
// tolerance query comes first unless the models were near in the last call.
import type { ReadonlyPose } from '../../core/pose.js';
import * as pose from '../../core/pose.js';
import { CONTACT_OPTIONS, type ContactOptions } from '../options.js';
import type { PairQueries } from '../pair-queries.js';
import type { Contact, ContactsResult, QueryCounters } from '../result.js';
import type { ContactFinder, FoundContact } from './contact-finder.js';
import { ContactSearch } from './contact-search.js';
import { createContactFinder } from './model-contacts.js';

/** Finds the contacts of two models at poses. {@link Pair} documents the query. */
export class PairContacts {
  readonly #pair: PairQueries;
  /** Made by the first query that finds the models near. */
  #finder: ContactFinder | null = null;
  /** Likewise, where boxes are searched. */
  #boxes: ContactSearch | null = null;
  /** The last query found the models within its tolerance; the next need not test that first. */
  #wasNear = false;
  /** Pairs of volumes and of triangles that the query looked at besides those of the last search. */
  #volumePairs = 0;
  #trianglePairs = 0;

  constructor(pair: PairQueries) {
    this.#pair = pair;
  }

  get bytes(): number {
    return this.#finder?.bytes ?? 0;
  }

  reset(): void {
    this.#wasNear = false;
    this.#boxes?.reset();
  }

  findContacts(poseA: ReadonlyPose, poseB: ReadonlyPose, options: ContactOptions): ContactsResult {
    CONTACT_OPTIONS.assert(options);
    const { tolerance } = options;
    const pair = this.#pair;
    if (!pair.keeps) this.reset();
    const motion = pair.place(poseA, poseB, false);
    this.#volumePairs = 0;
    this.#trianglePairs = 0;
    const near = this.#wasNear || this.#areNear(motion, tolerance);
    const since = this.#wasNear ? motion : 0;
    const found = near ? this.#search(since, tolerance) : [];
    const intersects = found === null || pair.contains();
    pair.record(intersects);
    const contacts = found === null || intersects ? [] : found.map((contact) => inWorld(contact, pair.poseA));
    return { intersects, contacts, counters: this.#counters() };
  }

  /**
   * Whether the surfaces come within the tolerance. Contacts need the whole trees, their cones of normals and the surroundings
   * of every edge and vertex: two models of 250,000 triangles took 4 s to find that they have none.
   */
  #areNear(motion: number, tolerance: number): boolean {
    const { search, placement } = this.#pair;
    if (!search.testTolerance(placement, motion, tolerance * (1 + TOLERANCE_ROUNDING))) return false;
    this.#volumePairs = search.outcome.volumePairs;
    this.#trianglePairs = search.outcome.trianglePairs;
    return true;
  }

  /** The contacts, in A's frame; null if the surfaces cross. */
  #search(motion: number, tolerance: number): FoundContact[] | null {
    const { a, b, search, placement } = this.#pair;
    this.#finder ??= createContactFinder(a, b);
    const finder = this.#finder;
    finder.begin(placement, tolerance);
    let apart: boolean;
    if (search.findContacts) apart = search.findContacts(placement, motion, tolerance, finder);
    else {
      this.#boxes ??= new ContactSearch(a.boxes, b.boxes);
      apart = this.#boxes.findContacts(placement, tolerance, finder, search.outcome);
    }
    this.#trianglePairs += finder.trianglePairs;
    this.#wasNear = !apart || finder.trianglePairs > 0;
    return apart ? finder.finish() : null;
  }

  #counters(): QueryCounters {
    const last = this.#pair.counters();
    return {
      ...last,
      volumePairs: last.volumePairs + this.#volumePairs,
      trianglePairs: last.trianglePairs + this.#trianglePairs,
    };
  }
}

/** Rounding: the tolerance query must not miss a contact whose distance rounds down to the tolerance; a share of it. */
const TOLERANCE_ROUNDING = 1e-12;

function inWorld(found: FoundContact, frame: ReadonlyPose): Contact {
  return {
    pointA: pose.transformPoint(frame, found.pointA),
    pointB: pose.transformPoint(frame, found.pointB),
    distance: found.distance,
    normal: pose.transformVector(frame, found.normal),
    featureA: found.featureA,
    featureB: found.featureB,
  };
}
