// Distances to objects and the objects nearest to a place. An object is one or more sites; its distance is that of the
// nearest of its elements.
import type { SpaceElements } from '../sites/space-elements.js';
import { ElementDistances } from './element-distances.js';
import { ElementTree } from './element-tree.js';

/** Chosen: objects that are listed as nearest to one place. */
const MAX_NEAREST = 64;

export class SpaceSearch {
  readonly elements: SpaceElements;
  /** Objects whose distances differ by no more are equally near. */
  readonly tie: number;
  readonly #measure: ElementDistances;
  readonly #all: ElementTree;
  readonly #ofObject: Int32Array[];
  readonly #trees: (ElementTree | undefined)[] = [];
  readonly #slack: number;
  readonly #excluded: Uint8Array;

  constructor(elements: SpaceElements, slack: number, tie: number) {
    this.elements = elements;
    this.tie = tie;
    this.#slack = slack;
    this.#measure = new ElementDistances(elements, 1);
    const ids = Int32Array.from({ length: elements.count }, (_, element) => element);
    this.#all = new ElementTree(this.#measure, ids, slack);
    const lists: number[][] = elements.objectNames.map(() => []);
    for (const element of ids) lists[elements.objectOfSite[elements.site[element]]].push(element);
    this.#ofObject = lists.map((list) => Int32Array.from(list));
    this.#excluded = new Uint8Array(elements.objectNames.length);
  }

  /** The distance to one object, with its gradient. */
  measure(object: number, x: number, y: number, z: number): ElementTree {
    this.#trees[object] ??= new ElementTree(this.#measure, this.#ofObject[object], this.#slack);
    const tree = this.#trees[object] as ElementTree;
    tree.find(x, y, z, null);
    return tree;
  }

  /** The nearest element of objects other than those in the list. */
  nearestExcept(objects: readonly number[], x: number, y: number, z: number): ElementTree {
    for (const object of objects) this.#excluded[object] = 1;
    this.#all.find(x, y, z, this.#excluded);
    for (const object of objects) this.#excluded[object] = 0;
    return this.#all;
  }

  objectOf(element: number): number {
    return this.elements.objectOfSite[this.elements.site[element]];
  }

  /** The objects equally near to a place, in ascending order. */
  nearestObjects(x: number, y: number, z: number): number[] {
    const found: number[] = [];
    let least = Infinity;
    while (found.length < MAX_NEAREST) {
      const { element, value } = this.nearestExcept(found, x, y, z);
      if (element < 0 || value > least + this.tie) break;
      least = Math.min(least, value);
      found.push(this.objectOf(element));
    }
    return found.sort((a, b) => a - b);
  }

  /** The nearest site of each object, in ascending order. */
  sitesOf(objects: readonly number[], x: number, y: number, z: number): number[] {
    return objects.map((object) => this.elements.site[this.measure(object, x, y, z).element]).sort((a, b) => a - b);
  }
}
