// Meshes that others made: those of Debian's package libcgal-demo (not kept here): machined parts, scans,
// broken and degenerate files.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const HELP =
  'The soak needs the meshes of the Debian package libcgal-demo. As root on Debian it fetches them itself; elsewhere get ' +
  'the package (apt-get download libcgal-demo, or packages.debian.org), unpack it (dpkg -x), unpack the data.tar.gz ' +
  'within it, and set NEARFIELD_MESHES to the folder data/meshes.';

/** The paths of all model files of the package. */
export function findOthersMeshes(): string[] {
  const folder = process.env.NEARFIELD_MESHES || fetchPackage();
  const names = readdirSync(folder).filter((name) => /\.(off|ply|stl|obj)$/.test(name));
  if (names.length === 0) throw new Error(`${folder} has no meshes. ${HELP}`);
  return names.sort().map((name) => join(folder, name));
}

/** Fetched once; kept where temporary files are. */
function fetchPackage(): string {
  const folder = join(tmpdir(), 'nearfield-libcgal-demo');
  const meshes = join(folder, 'data/meshes');
  if (existsSync(meshes)) return meshes;
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) throw new Error(HELP);
  mkdirSync(folder, { recursive: true });
  const script =
    'apt-get download libcgal-demo && dpkg -x libcgal-demo_*.deb . && tar -xzf usr/share/doc/libcgal-dev/data.tar.gz';
  try {
    execFileSync('sh', ['-c', script], { cwd: folder });
  } catch (error) {
    throw new Error(`${HELP} Fetching it failed: ${error instanceof Error ? error.message : error}`);
  }
  return meshes;
}
