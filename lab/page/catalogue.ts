// All scenes: found by their place in the folders, grouped by what people come for, and found again by old addresses.
import type { Control } from '../controls.js';
import type { Scene } from '../scene.js';

export interface SceneEntry {
  /** `meshes/models`, from scenes/meshes/models.ts. */
  readonly path: string;
  readonly scene: Scene;
  /** The addresses of its pictures, from the files of the same name ending in .webp and .dark.webp. */
  readonly picture: string | null;
  readonly darkPicture: string | null;
}

export interface SceneGroup {
  readonly title: string;
  readonly entries: readonly SceneEntry[];
}

/** Groups by interest, each with the folders of its chapters; folders that are not listed here form the last group. */
const GROUPS: readonly { readonly title: string; readonly folders: readonly string[] }[] = [
  { title: 'Clearance and clashes', folders: ['proximity', 'culling'] },
  { title: 'Overlap and the way out', folders: ['penetration', 'pivot'] },
  { title: 'Paths for robots and parts', folders: ['planning'] },
  { title: 'Distance fields and solids', folders: ['fields'] },
  { title: 'Bodies that move and bend', folders: ['elastic', 'dynamics', 'ice'] },
  { title: 'Meshes and convex pieces', folders: ['meshes', 'decomposition', 'convex'] },
  { title: 'Voronoi diagrams', folders: ['voronoi'] },
];
const REST = 'More';

const modules = import.meta.glob<Scene>('../scenes/*/*.ts', { eager: true, import: 'default' });
const pictures = import.meta.glob<string>('../scenes/*/*.webp', { eager: true, import: 'default', query: '?url' });

const found: readonly SceneEntry[] = Object.entries(modules).map(([file, scene]) => ({
  path: file.replace('../scenes/', '').replace('.ts', ''),
  scene,
  picture: pictures[file.replace('.ts', '.webp')] ?? null,
  darkPicture: pictures[file.replace('.ts', '.dark.webp')] ?? null,
}));

export const groups: readonly SceneGroup[] = [...GROUPS, { title: REST, folders: [] }].flatMap(({ title, folders }) => {
  const known = GROUPS.flatMap((group) => group.folders);
  const holds = (folder: string): boolean => (title === REST ? !known.includes(folder) : folders.includes(folder));
  const entries = found.filter((entry) => holds(folderOf(entry)));
  const order = (entry: SceneEntry): number => 1000 * folders.indexOf(folderOf(entry)) + (entry.scene.rank ?? 0);
  entries.sort((a, b) => order(a) - order(b) || a.path.localeCompare(b.path));
  return entries.length === 0 ? [] : [{ title, entries }];
});

export const entries: readonly SceneEntry[] = groups.flatMap((group) => group.entries);

function folderOf({ path }: SceneEntry): string {
  return path.split('/')[0];
}

/** The scene of an address, under its present path or a former one, and the query that shows the same there. */
export function findScene(path: string, query: URLSearchParams): { entry: SceneEntry; query: URLSearchParams } | null {
  const entry = entries.find((candidate) => candidate.path === path);
  if (entry !== undefined) return { entry, query };
  for (const candidate of entries) {
    const former = candidate.scene.formerly?.[path];
    if (former === undefined) continue;
    return { entry: candidate, query: new URLSearchParams([...new URLSearchParams(former), ...query]) };
  }
  return null;
}

/** The query that shows a scene at an address without one: the state of its picture. */
export function openingOf({ scene }: SceneEntry): URLSearchParams {
  return new URLSearchParams(scene.opening ?? scene.picture ?? '');
}

/** How many files of these names the scene can open: one with those that belong to it, or each in a control of its own. */
export function filesTaken({ scene }: SceneEntry, names: readonly string[]): number {
  for (const control of Object.values(scene.controls)) {
    if (control.kind !== 'file' || control.beside === undefined) continue;
    const { accept, beside } = control;
    if (names.some((name) => accepts(accept, name)))
      return names.filter((name) => accepts(`${accept},${beside}`, name)).length;
  }
  const free = fileControls(scene.controls);
  let taken = 0;
  for (const name of names) {
    const at = free.findIndex((accept) => accepts(accept, name));
    if (at >= 0) free.splice(at, 1);
    if (at >= 0) taken++;
  }
  return taken;
}

function fileControls(controls: Readonly<Record<string, Control>>): string[] {
  return Object.values(controls).flatMap((control) => (control.kind === 'file' ? [control.accept] : []));
}

/** Whether a file control with the list `.obj,.stl` takes a file of this name. */
export function accepts(accept: string, name: string): boolean {
  return accept.split(',').some((ending) => name.toLowerCase().endsWith(ending.trim().toLowerCase()));
}

/** Whether every word of the text is in the scene's title, chapter, summary or path. */
export function matches({ path, scene }: SceneEntry, text: string): boolean {
  const haystack = `${scene.title} ${scene.chapter} ${scene.summary} ${path}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word));
}
