// Pipelines and their parts, created once per device: compiling one takes milliseconds, finding one a map lookup.

/** Shader modules, layouts and pipelines of one device, by name. It lives as long as the device. */
export class PipelineCache {
  readonly #entries = new Map<string, unknown>();

  /** Returns what was made under this key, or makes it now. A key always stands for the same type. */
  get<T>(key: string, make: () => T): T {
    let entry = this.#entries.get(key) as T | undefined;
    if (entry === undefined) {
      entry = make();
      this.#entries.set(key, entry);
    }
    return entry;
  }

  /** The number of entries. */
  get size(): number {
    return this.#entries.size;
  }
}
