// Records of machines with a GPU lie in bench/results; the pages quote them.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where and with what a record was made. */
export interface RecordOrigin {
  /** As the adapter tells it, with the driver where the system says it. */
  readonly device: string;
  readonly driver: string;
  readonly processor: string;
  readonly node: string;
  /** Of the package `webgpu`. */
  readonly dawn: string;
  readonly date: string;
  /** The code that was measured; a + where files of src differed from it. Older records name none. */
  readonly commit?: string | undefined;
}

/**
 * A record by its path in the repository, or null if the file does not exist. The benchmark runs from dist/bench, or from bench
 * under a test: the record is looked for upwards from there.
 */
export function readRecord<T extends RecordOrigin>(path: string): T | null {
  for (let at = dirname(fileURLToPath(import.meta.url)); at !== dirname(at); at = dirname(at)) {
    try {
      return JSON.parse(readFileSync(join(at, path), 'utf8'));
    } catch {
      // Not here: look further up.
    }
  }
  return null;
}

/** A note on the origin, for the tables. */
export function originNote({ device, driver, processor, node, dawn, date }: RecordOrigin): string {
  return `${device}, ${driver}, webgpu ${dawn}, ${processor}, Node ${node}, ${date}.`;
}
