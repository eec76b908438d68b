// The head of the first page: what the library is for, how to get it, files to drop, and two solids to drag.
import type { Figure } from '../figures.js';
import { formatFigure } from '../figures.js';
import { heroScene } from '../hero-scene.js';
import type { Scene } from '../scene.js';
import type { Theme } from '../viewer/palette.js';
import { Viewer } from '../viewer/viewer.js';
import type { TaskRunner } from '../worker/task-runner.js';
import { copyButton } from './copy-button.js';
import { byId, element } from './element.js';
import { SceneHost } from './scene-host.js';

const INSTALL = 'npm install nearfield';
const DOCUMENTATION = 'https://www.npmjs.com/package/nearfield';
const CAMERA = [20, 24, 1.16];

export class Hero {
  readonly #viewer: Viewer | null;
  readonly #host: SceneHost;
  readonly #stage = byId('hero-stage');
  readonly #figures = byId('hero-figures');
  #opened = false;

  constructor(theme: Theme, runner: TaskRunner, openFiles: (files: File[]) => void) {
    this.#viewer = openViewer(this.#stage, theme);
    const viewer = this.#viewer;
    const nothing = (): void => {};
    this.#host = new SceneHost(
      {
        ...{ chart: nothing, curves: nothing, map: () => {}, table: nothing, images: nothing, colors: nothing },
        ...{
          controls: nothing,
          progress: nothing,
          ask: nothing,
          error: nothing,
          valuesChanged: nothing,
          save: nothing,
          open: nothing,
        },
        view: () => viewer!.drawing,
        drawBegins: () => viewer?.drawing.begin(),
        drawEnds: () => {
          viewer?.drawing.end();
          this.#stage.dataset.state = 'ready';
        },
        figures: (_, figures) => this.#showFigures(figures),
      },
      runner,
    );
    byId('install').append(copyButton(() => INSTALL, 'Copy the command'));
    byId<HTMLAnchorElement>('documentation').href = DOCUMENTATION;
    const picker = byId<HTMLInputElement>('hero-files');
    picker.addEventListener('change', () => {
      openFiles([...(picker.files ?? [])]);
      picker.value = '';
    });
  }

  /** Shows the two solids; in motion until one is dragged, unless less motion is asked for. */
  show(): void {
    if (this.#viewer === null) return;
    if (this.#opened) {
      this.#host.resume();
      return;
    }
    this.#opened = true;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.#host.open(
      { path: '', scene: heroScene as unknown as Scene, picture: null, darkPicture: null },
      new URLSearchParams(still ? '' : 'play=yes'),
    );
  }

  /** Stops the motion while another page is open. */
  hide(): void {
    this.#viewer?.letGo();
    this.#host.pause();
  }

  setTheme(theme: Theme): void {
    this.#viewer?.setTheme(theme);
    this.#host.redraw();
  }

  /** Where a point of the world is on the page. */
  get viewer(): Viewer | null {
    return this.#viewer;
  }

  #showFigures(figures: readonly Figure[]): void {
    this.#figures.replaceChildren(
      ...figures.map((figure) =>
        element(
          'div',
          { 'data-figure': figure.id },
          element('dt', {}, figure.label),
          element('dd', {}, element('data', { value: String(figure.value) }, formatFigure(figure))),
        ),
      ),
    );
  }
}

function openViewer(stage: HTMLElement, theme: Theme): Viewer | null {
  try {
    const viewer = new Viewer(stage, theme, { inPage: true });
    viewer.placeCamera(CAMERA);
    viewer.describe('Two solids. Drag one: the distance, the contacts and the way out follow.');
    return viewer;
  } catch {
    stage.hidden = true;
    return null;
  }
}
