// Counting sorts: integers from 0 as keys, equal keys in their old order. O(items + keys), no comparisons, no hashing.

/** One pass of a radix sort: `items` ordered by `keys[item]`, which is below `keyCount`. */
export function sortByKey(items: Uint32Array, keys: Uint32Array, keyCount: number): Uint32Array<ArrayBuffer> {
  const start = new Uint32Array(keyCount + 1);
  for (let i = 0; i < items.length; i++) start[keys[items[i]] + 1]++;
  for (let key = 0; key < keyCount; key++) start[key + 1] += start[key];
  const sorted = new Uint32Array(items.length);
  for (let i = 0; i < items.length; i++) sorted[start[keys[items[i]]]++] = items[i];
  return sorted;
}

/** The items of each key, ascending: those of key k are `items[start[k]]` up to before `start[k + 1]`. */
export interface KeyGroups {
  /** Length keys + 1. */
  readonly start: Uint32Array<ArrayBuffer>;
  readonly items: Uint32Array<ArrayBuffer>;
}

/** Gathers the items of each key. Item i has the key `keys[i]`; an item with a negative key is left out. */
export function groupByKey(keys: Uint32Array | Int32Array, keyCount: number): KeyGroups {
  const start = new Uint32Array(keyCount + 1);
  for (let i = 0; i < keys.length; i++) if (keys[i] >= 0) start[keys[i] + 1]++;
  for (let key = 0; key < keyCount; key++) start[key + 1] += start[key];
  const next = start.slice();
  const items = new Uint32Array(start[keyCount]);
  for (let i = 0; i < keys.length; i++) if (keys[i] >= 0) items[next[keys[i]]++] = i;
  return { start, items };
}
