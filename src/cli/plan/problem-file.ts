// Problem files of robots and obstacles, with the files that they name.
import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { NearfieldError } from '../../core/errors.js';
import type { PlanProblem } from '../../planning/problem/plan-problem.js';
import { readPlanProblem } from '../../planning/problem/read-plan-problem.js';
import { loadMesh, readBytes } from '../load-model.js';
import { printWarning } from '../print-warning.js';

/**
 * Reads a problem file.
 * @param packages the folders of packages that URDF files name.
 * @param needsEnds whether robots need a start and a goal.
 */
export async function readProblemFile(
  file: string,
  packages: ReadonlyMap<string, string>,
  needsEnds = true,
): Promise<PlanProblem> {
  const inFolder = (name: string): string => (isAbsolute(name) ? name : join(dirname(file), name));
  return readPlanProblem(new TextDecoder().decode(await readBytes(file)), {
    loadMesh: (name) => loadMesh(inFolder(name)),
    loadText: async (name) => new TextDecoder().decode(await readBytes(inFolder(name))),
    findPackage: (name, urdf) => packages.get(name) ?? findPackage(name, inFolder(urdf)),
    onWarning: printWarning,
    needsEnds,
  });
}

/** Folders of packages, as NAME=DIR. */
export function takePackages(given: unknown): Map<string, string> {
  const packages = new Map<string, string>();
  for (const entry of (given as readonly string[] | undefined) ?? []) {
    const [, name, folder] = /^([^=]+)=(.+)$/.exec(entry) ?? [];
    if (name === undefined) {
      throw new NearfieldError(
        'bad-argument',
        `--package is "${entry}"; give NAME=FOLDER, as in arm_description=../arm`,
      );
    }
    packages.set(name, resolve(folder));
  }
  return packages;
}

/** The folder of a package where robots mostly keep it: a folder of this name that contains the URDF, or lies beside one that does. */
function findPackage(name: string, urdf: string): string | undefined {
  for (let folder = dirname(resolve(urdf)); ; folder = dirname(folder)) {
    if (basename(folder) === name) return folder;
    const beside = join(folder, name);
    if (existsSync(beside)) return beside;
    if (dirname(folder) === folder) return undefined;
  }
}
