/** One pass of a radix sort: `items` ordered by keys[item] < keyCount, equal keys in their old order. O(n + keys). */
export function sortByKey(items: Uint32Array, keys: Uint32Array, keyCount: number): Uint32Array<ArrayBuffer> {
  const start = new Uint32Array(keyCount + 1);
  for (let i = 0; i < items.length; i++) start[keys[items[i]] + 1]++;
  for (let key = 0; key < keyCount; key++) start[key + 1] += start[key];
  const sorted = new Uint32Array(items.length);
  for (let i = 0; i < items.length; i++) sorted[start[keys[items[i]]]++] = items[i];
  return sorted;
}
