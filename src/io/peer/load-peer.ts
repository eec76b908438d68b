// Loads an optional package when a file needs it. Its name is a variable, so that bundlers leave the package out of
// applications that do not use it; these pass a function that imports it.
import { NearfieldError } from '../../core/errors.js';

/** The packages that some formats need, none of which is installed with this one. */
export const PEER_PACKAGES = { draco3d: '1.5.9', 'occt-import-js': '0.0.23', 'web-ifc': '0.0.78' } as const;

/** The name of an optional package. */
export type PeerPackage = keyof typeof PEER_PACKAGES;

/** Functions that import optional packages, for bundled pages: `{ draco3d: () => import('draco3d') }`. */
export type PeerImports = { readonly [Name in PeerPackage]?: (() => Promise<unknown>) | undefined };

/**
 * The exports of an optional package.
 * @param need what cannot be done without it, as the beginning of a sentence.
 * @throws NearfieldError `unsupported` with the command that installs it.
 */
export async function loadPeer<Exports>(name: PeerPackage, need: string, imports: PeerImports = {}): Promise<Exports> {
  const packageName: string = name;
  try {
    const load = imports[name] ?? (() => import(/* @vite-ignore */ /* webpackIgnore: true */ packageName));
    const exports = (await load()) as { readonly default?: unknown };
    // Packages in CommonJS have their exports in `default`.
    return (exports.default ?? exports) as Exports;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/\n.*/s, '') : String(error);
    throw new NearfieldError(
      'unsupported',
      `${need} needs the package "${name}", which did not load (${reason}). Install it: npm install ${name}@${PEER_PACKAGES[name]}. ` +
        `In a bundled page give the option packages: { '${name}': () => import('${name}') }.`,
    );
  }
}
