import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// A path, not new URL(…), which the bundler would inline as an asset.
const manifest = join(dirname(fileURLToPath(import.meta.url)), '../../package.json');

/** The package's version, from its manifest two folders up (the same from src/cli and dist/cli). */
export const version: string = JSON.parse(readFileSync(manifest, 'utf8')).version;
