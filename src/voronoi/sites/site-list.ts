// What sites of the plane and of space have in common while they become flat arrays: weights, offsets and objects, and
// checks whose messages name the site.
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import { MAX_COORDINATE } from '../../core/tolerances.js';
import type { SiteWeights } from './plane-site.js';

/** By site: its object, weight and offset. */
export interface SiteTable {
  /** By site: the index of its object. */
  readonly objectOfSite: Int32Array;
  /** By object: the name it was given, or null for a site without one. */
  readonly objectNames: readonly (number | string | null)[];
  /** By site: distances are divided by `weights` and then lowered by `offsets`. */
  readonly weights: Float64Array;
  readonly offsets: Float64Array;
  /** False if any weight is not 1 or any offset is not 0. */
  readonly unweighted: boolean;
}

/** Throws unless the sites are an array. */
export function assertSites(sites: readonly unknown[]): void {
  if (Array.isArray(sites)) return;
  throw new NearfieldError('bad-argument', `The sites are ${nameValue(sites)}; give an array of sites.`);
}

/** Collects a {@link SiteTable} site by site, and checks numbers of the current site. */
export class SiteList {
  /** The site that messages name. */
  current = 0;
  readonly #objectOfSite: Int32Array;
  readonly #objectNames: (number | string | null)[] = [];
  readonly #objects = new Map<number | string, number>();
  readonly #weights: Float64Array;
  readonly #offsets: Float64Array;

  constructor(count: number) {
    this.#objectOfSite = new Int32Array(count);
    this.#weights = new Float64Array(count);
    this.#offsets = new Float64Array(count);
  }

  /** Begins the next site. */
  begin(site: SiteWeights, index: number): void {
    if (site === null || typeof site !== 'object') {
      throw new NearfieldError('bad-argument', `Site ${index} is ${nameValue(site)}; give an object with a type.`);
    }
    this.current = index;
    const { weight = 1, offset = 0, object } = site;
    if (!(typeof weight === 'number' && weight > 0 && weight <= MAX_COORDINATE)) {
      throw new NearfieldError(
        'bad-argument',
        `The weight of site ${index} is ${nameValue(weight)}; give a positive number.`,
      );
    }
    this.#weights[index] = weight;
    this.#offsets[index] = this.number(offset, 'offset');
    this.#objectOfSite[index] = this.#objectOf(object);
  }

  finish(): SiteTable {
    return {
      objectOfSite: this.#objectOfSite,
      objectNames: this.#objectNames,
      weights: this.#weights,
      offsets: this.#offsets,
      unweighted: this.#weights.every((weight) => weight === 1) && this.#offsets.every((offset) => offset === 0),
    };
  }

  /** The first `dimension` numbers of a place. */
  point(point: ArrayLike<number>, dimension: 2 | 3, what: string): number[] {
    if (point === null || typeof point !== 'object' || !(point.length >= dimension)) {
      throw new NearfieldError(
        'bad-argument',
        `The ${what} of site ${this.current} is ${nameValue(point)}; give ${dimension === 2 ? 'x, y' : 'x, y, z'}.`,
      );
    }
    const [x, y] = [this.number(point[0], what), this.number(point[1], what)];
    return dimension === 2 ? [x, y] : [x, y, this.number(point[2], what)];
  }

  number(value: number, what: string): number {
    if (typeof value === 'number' && Math.abs(value) <= MAX_COORDINATE) return value;
    throw new NearfieldError(
      'bad-argument',
      `The ${what} of site ${this.current} has ${nameValue(value)}; give numbers up to ${MAX_COORDINATE}.`,
    );
  }

  #objectOf(object: number | string | undefined): number {
    if (object === undefined) return this.#objectNames.push(null) - 1;
    if (typeof object !== 'string' && !Number.isFinite(object)) {
      throw new NearfieldError(
        'bad-argument',
        `The object of site ${this.current} is ${nameValue(object)}; give a number or a name.`,
      );
    }
    const known = this.#objects.get(object);
    if (known !== undefined) return known;
    const added = this.#objectNames.push(object) - 1;
    this.#objects.set(object, added);
    return added;
  }
}
