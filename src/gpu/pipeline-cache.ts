// Pipelines and what they are made of, made once a device: compiling one takes milliseconds, finding one a map lookup.

/** Shader modules, layouts and pipelines of one device, by name. It lives as long as the device. */
export class PipelineCache {
  private readonly entries = new Map<string, unknown>();

  /** What was made under this key, or what `make` makes now. One key always stands for one type of thing. */
  get<T>(key: string, make: () => T): T {
    let entry = this.entries.get(key) as T | undefined;
    if (entry === undefined) {
      entry = make();
      this.entries.set(key, entry);
    }
    return entry;
  }

  /** How many things it holds. */
  get size(): number {
    return this.entries.size;
  }
}
