// Peers that are no dependencies of ours: they are used where someone has installed them into bench/.peers.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Where a package is, null where it is not installed. The benchmark runs from dist/bench, or from bench under a test: the
 * checkout is found by its bench/.peers.
 */
export function findPeer(name: string): { folder: string; version: string } | null {
  for (let at = dirname(fileURLToPath(import.meta.url)); at !== dirname(at); at = dirname(at)) {
    const folder = join(at, 'bench/.peers/node_modules', name);
    try {
      return { folder, version: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version };
    } catch {
      // Not here: look further up.
    }
  }
  return null;
}
