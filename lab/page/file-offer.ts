// Asks which scene shall open the files that were dropped: those that take them, the ones that take most of them first.
import { entries, filesTaken, type SceneEntry } from './catalogue.js';
import { byId, element } from './element.js';

/** What people usually want to know of their own file comes first. */
const FIRST = ['meshes/inspect', 'proximity/clash', 'penetration/depth', 'fields/explorer', 'fields/solidify'];

/** The scenes that open these files, best first. */
export function scenesFor(names: readonly string[]): SceneEntry[] {
  const rank = ({ path }: SceneEntry): number => (FIRST.includes(path) ? FIRST.indexOf(path) : FIRST.length);
  return entries
    .map((entry) => ({ entry, taken: filesTaken(entry, names) }))
    .filter(({ taken }) => taken > 0)
    .sort((a, b) => b.taken - a.taken || rank(a.entry) - rank(b.entry))
    .map(({ entry }) => entry);
}

export class FileOffer {
  readonly #dialog = byId<HTMLDialogElement>('file-dialog');
  readonly #text = byId('file-dialog-text');
  readonly #list = byId('file-dialog-scenes');

  constructor(readonly chosen: (entry: SceneEntry, files: readonly File[]) => void) {}

  show(files: readonly File[]): void {
    if (files.length === 0) return;
    const names = files.map(({ name }) => name);
    const offered = scenesFor(names);
    this.#text.textContent =
      offered.length > 0
        ? `${names.join(', ')}: which scene shall open ${files.length === 1 ? 'it' : 'them'}? Files stay on this machine.`
        : `No scene opens ${names.join(', ')}. The lab reads GLB, glTF, 3MF, STEP, IGES, IFC, OBJ, STL, PLY, OFF and DAE models, SVG drawings, PNG pictures, JSON scenes, mechanisms and problems, URDF and MJCF robots, and their trajectories.`;
    this.#list.replaceChildren(...offered.map((entry) => this.#choice(entry, files)));
    if (!this.#dialog.open) this.#dialog.showModal();
  }

  #choice(entry: SceneEntry, files: readonly File[]): HTMLElement {
    const { scene, picture } = entry;
    const image = picture === null ? [] : [element('img', { src: picture, alt: '', width: 128, height: 80 })];
    const button = element(
      'button',
      { type: 'button', class: 'offer', 'data-offer': entry.path },
      ...image,
      element('span', {}, element('strong', {}, scene.title), element('span', { class: 'offer-text' }, scene.summary)),
    );
    button.addEventListener('click', () => {
      this.#dialog.close();
      this.chosen(entry, files);
    });
    return element('li', {}, button);
  }
}
