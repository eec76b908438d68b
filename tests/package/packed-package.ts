// The tarball that npm would publish, unpacked into the node_modules of a folder, with the packages it depends on linked
// from the repository's own.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Packs into a folder; returns the name of the tarball. dist/ is built by npm test, not by packing, under other tests. */
export function packInto(folder: string): string {
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root, stdio: 'pipe' });
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm pack wrote no tarball');
  return tarball;
}

/** A project that has the package installed, with these others beside it. Remove its folder when done. */
export function projectWithPackage(...linked: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'nearfield-project-'));
  const installed = join(folder, 'node_modules', 'nearfield');
  mkdirSync(installed, { recursive: true });
  const tarball = packInto(folder);
  execFileSync('tar', ['-xzf', join(folder, tarball), '--strip-components=1', '-C', installed]);
  rmSync(join(folder, tarball));
  for (const name of linked) {
    const path = join(folder, 'node_modules', name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), path);
  }
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  return folder;
}
