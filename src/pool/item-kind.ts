// What a pool sends along with its work: items, such as models. The chapter that owns them says how they travel.

/** How items of one kind are checked, sent and kept by workers. */
export interface ItemKind<Item extends object> {
  /** Refuses a value that is not a list of items. */
  assertItems(items: readonly Item[]): void;
  /**
   * The item as data that a message can carry; if `shared`, with its large arrays in shared memory. A pool that shares
   * memory calls it once for an item.
   */
  pack(item: Item, shared: boolean): unknown;
  /** Called in the worker: the item made from what `pack` returned. */
  unpack(packed: never): Item;
  /** The size of an item, in the unit of `sizeKept`. */
  sizeOf(item: Item): number;
  /** A worker keeps this count of items for further tasks, whatever their size. */
  readonly countKept: number;
  /** A worker keeps more items than `countKept` while the sum of their sizes is not larger than this. */
  readonly sizeKept: number;
}
