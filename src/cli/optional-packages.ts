// The packages that some formats need: those beside this package, else those of the folder where the command runs.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PEER_PACKAGES, type PeerImports, type PeerPackage } from '../io/peer/load-peer.js';

/** Imports for `readModel`. */
export const optionalPackages = Object.fromEntries(
  (Object.keys(PEER_PACKAGES) as PeerPackage[]).map((name) => [name, () => importFrom(name)]),
) as PeerImports;

async function importFrom(name: string): Promise<unknown> {
  try {
    return await import(name);
  } catch (error) {
    let path: string;
    try {
      path = createRequire(join(process.cwd(), 'package.json')).resolve(name);
    } catch {
      throw error;
    }
    return import(pathToFileURL(path).href);
  }
}
