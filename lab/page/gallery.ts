// All scenes: found by their place in the folders, listed in the side bar and shown as cards.
import type { Scene } from '../scene.js';
import { element } from './element.js';

export interface SceneEntry {
  /** `meshes/models`, from scenes/meshes/models.ts. */
  readonly path: string;
  readonly scene: Scene;
  /** The address of its picture, from the file of the same name ending in .webp. */
  readonly picture: string | null;
}

/** The chapters in the order of the library's layers; chapters not listed here come last. */
const CHAPTERS = [
  'Meshes',
  'Convex',
  'Decomposition',
  'Proximity',
  'Fields',
  'Voronoi',
  'Penetration',
  'Pivot',
  'Culling',
  'Elastic',
  'Dynamics',
  'Planning',
  'Ice',
];

const modules = import.meta.glob<Scene>('../scenes/*/*.ts', { eager: true, import: 'default' });
const pictures = import.meta.glob<string>('../scenes/*/*.webp', { eager: true, import: 'default', query: '?url' });

export const entries: readonly SceneEntry[] = Object.entries(modules)
  .map(([file, scene]) => ({
    path: file.replace('../scenes/', '').replace('.ts', ''),
    scene,
    picture: pictures[file.replace('.ts', '.webp')] ?? null,
  }))
  .sort(
    (a, b) =>
      chapterRank(a) - chapterRank(b) || (a.scene.rank ?? 0) - (b.scene.rank ?? 0) || a.path.localeCompare(b.path),
  );

function chapterRank({ scene }: SceneEntry): number {
  const rank = CHAPTERS.indexOf(scene.chapter);
  return rank < 0 ? CHAPTERS.length : rank;
}

function byChapter(): Map<string, SceneEntry[]> {
  const chapters = new Map<string, SceneEntry[]>();
  for (const entry of entries) chapters.set(entry.scene.chapter, [...(chapters.get(entry.scene.chapter) ?? []), entry]);
  return chapters;
}

export function fillSideBar(nav: HTMLElement): void {
  for (const [chapter, scenes] of byChapter()) {
    const links = scenes.map(({ path, scene }) =>
      element(
        'li',
        {},
        element('a', { href: `#/${path}`, 'data-scene': path, 'data-picture': scene.picture }, scene.title),
      ),
    );
    nav.append(element('section', {}, element('h2', {}, chapter), element('ul', {}, ...links)));
  }
}

export function markCurrent(nav: HTMLElement, path: string): void {
  for (const link of nav.querySelectorAll('a')) {
    if (link.dataset.scene === path) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

export function fillGallery(host: HTMLElement): void {
  host.append(
    element(
      'div',
      { class: 'gallery-head' },
      element('h1', { id: 'gallery-title', tabindex: '-1' }, 'Every proximity question about shapes'),
      element(
        'p',
        {},
        'Each scene answers one of them with the library, in this browser: rotate it, change it, read its figures.',
      ),
    ),
  );
  for (const [chapter, scenes] of byChapter()) {
    host.append(element('h2', {}, chapter), element('ul', { class: 'cards' }, ...scenes.map(card)));
  }
}

function card({ path, scene, picture }: SceneEntry): HTMLElement {
  const image =
    picture === null
      ? element('div', { class: 'card-picture' })
      : element('img', { class: 'card-picture', src: picture, alt: '', width: 640, height: 400 });
  const text = element('div', { class: 'card-text' }, element('h3', {}, scene.title), element('p', {}, scene.summary));
  return element('li', {}, element('a', { class: 'card', href: `#/${path}` }, image, text));
}
