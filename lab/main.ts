// The page: connects the address, the gallery, the open scene, the view and the panels.
import { NearfieldError, type ReadonlyVec3 } from 'nearfield/core';
import { readAddress, writeAddress } from './page/address.js';
import { ControlPanel } from './page/control-panel.js';
import { byId, element } from './page/element.js';
import { FigurePanel } from './page/figure-panel.js';
import { acceptDroppedFiles } from './page/file-drop.js';
import { entries, fillGallery, fillSideBar, markCurrent, type SceneEntry } from './page/gallery.js';
import { bindKeys } from './page/keys.js';
import { ProgressStrip } from './page/progress-strip.js';
import { saveFile } from './page/save-file.js';
import { SceneHost } from './page/scene-host.js';
import { themeSwitch } from './page/theme.js';
import { Drawing } from './viewer/drawing.js';
import { Viewer } from './viewer/viewer.js';

const ADDRESS_DELAY_MS = 200;
const page = document.documentElement;
const nav = byId('scenes');
const legend = byId('legend');
const notice = byId('notice');

const theme = themeSwitch(byId<HTMLButtonElement>('theme'), (chosen) => {
  viewer?.setTheme(chosen);
  host.redraw();
});
const viewer = openViewer();
/** A view that draws nothing: without WebGL, scenes still show their figures. */
const blindDrawing = new Drawing('light', 1, () => {});
const drawing = (): Drawing => viewer?.drawing ?? blindDrawing;

const figurePanel = new FigurePanel(byId('figures'));
const progressStrip = new ProgressStrip(byId('progress'), () => host.cancel());
const controlPanel = new ControlPanel(byId<HTMLFormElement>('controls'), {
  changed: (name, value) => host.set(name, value),
  pressed: (name) => host.press(name),
  opened: (name, file) => void host.openFile(name, file),
});

const host: SceneHost = new SceneHost({
  view: drawing,
  drawBegins: () => {
    page.dataset.state = 'busy';
    drawing().begin();
    figurePanel.begin();
  },
  drawEnds: async () => {
    drawing().end();
    figurePanel.end();
    await viewer?.painted();
    if (!host.busy) page.dataset.state = 'ready';
  },
  figures: (group, figures) => figurePanel.showFigures(group, figures),
  chart: (group, chart) => figurePanel.showChart(group, chart),
  curves: (group, curves) => figurePanel.showCurves(group, curves),
  table: (group, table) => figurePanel.showTable(group, table),
  images: (group, images) => figurePanel.showImages(group, images),
  colors: (group, bar) => figurePanel.showColors(group, bar),
  controls: (controls, values) => controlPanel.show(controls, values),
  progress: (progress) => progressStrip.show(progress),
  error: showError,
  valuesChanged: rememberAddressSoon,
  save: saveFile,
});

let current: SceneEntry | null = null;
let shownLegend = '';
let addressTimer: ReturnType<typeof setTimeout> | undefined;

function openViewer(): Viewer | null {
  const stage = byId('stage');
  try {
    const opened = new Viewer(stage, theme.theme);
    opened.onCamera = rememberAddressSoon;
    opened.onDrawing = showLegend;
    return opened;
  } catch {
    stage.classList.add('blind');
    stage.append(
      element(
        'p',
        { class: 'blind-text' },
        'This browser does not provide WebGL, so there is no picture. The controls and the figures still work. ' +
          'To see the shapes, allow hardware acceleration in the browser’s settings or use another browser.',
      ),
    );
    return null;
  }
}

function followAddress(): void {
  const { path, query } = readAddress();
  const entry = entries.find((candidate) => candidate.path === path) ?? null;
  if (path !== '' && entry === null) {
    location.replace('#/');
    return;
  }
  clearTimeout(addressTimer);
  if (entry === null) showGallery();
  else if (entry === current) host.readQuery(query);
  else showScene(entry, query);
  if (entry !== null) placeCamera(query);
}

function showGallery(): void {
  host.close();
  current = null;
  byId('scene').hidden = true;
  byId('gallery').hidden = false;
  document.title = 'nearfield lab';
  page.dataset.page = 'gallery';
  page.dataset.state = 'ready';
  markCurrent(nav, '');
  closeMenu();
}

function showScene(entry: SceneEntry, query: URLSearchParams): void {
  const { title, chapter, summary } = entry.scene;
  const first = page.dataset.page === undefined;
  current = entry;
  byId('gallery').hidden = true;
  byId('scene').hidden = false;
  byId('scene-title').textContent = title;
  byId('scene-chapter').textContent = chapter;
  byId('scene-summary').textContent = summary;
  document.title = `${title} · nearfield lab`;
  page.dataset.page = 'scene';
  markCurrent(nav, entry.path);
  closeMenu();
  viewer?.describe(
    entry.scene.flat
      ? `Flat view: ${title}. Plus and minus zoom, 0 resets.`
      : `3D view: ${title}. Arrow keys turn, plus and minus zoom, 0 resets.`,
  );
  drawing().clear();
  viewer?.setFlat(entry.scene.flat ?? false);
  figurePanel.clear();
  host.open(entry, query);
  if (!first) byId('scene-title').focus({ preventScroll: true });
}

function placeCamera(query: URLSearchParams): void {
  const place = (query.get('view') ?? '').split(',').map(Number);
  const sound = (place.length === 3 || place.length === 6) && place.every(Number.isFinite) && place[2] > 0;
  if (sound) viewer?.placeCamera(place);
  else viewer?.resetCamera();
}

/** Writes the values and the camera into the address. The delay is needed because browsers limit the rate of changes. */
function rememberAddressSoon(): void {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(rememberAddress, ADDRESS_DELAY_MS);
}

function rememberAddress(): void {
  clearTimeout(addressTimer);
  if (current === null) return;
  const query = new URLSearchParams();
  host.writeQuery(query);
  const camera = viewer?.cameraPlace() ?? null;
  if (camera !== null) query.set('view', camera.join(','));
  history.replaceState(null, '', writeAddress({ path: current.path, query }));
}

function showLegend(): void {
  const entries = drawing().legend;
  const shown = entries.map(({ name, color }) => `${name} ${color}`).join();
  if (shown === shownLegend) return;
  shownLegend = shown;
  const items = entries.map(({ name, color }) => {
    const swatch = element('span', { class: 'swatch', 'aria-hidden': 'true' });
    swatch.style.backgroundColor = color;
    return element('li', {}, swatch, name);
  });
  legend.replaceChildren(...items);
}

function showError(error: Error | null): void {
  notice.hidden = error === null;
  if (error === null) return;
  const canceled = error instanceof NearfieldError && error.code === 'aborted';
  const again = element('button', { type: 'button', class: 'tool' }, canceled ? 'Run again' : 'Try again');
  again.addEventListener('click', () => host.redraw());
  notice.classList.toggle('calm', canceled);
  notice.replaceChildren(
    element('strong', {}, canceled ? 'Canceled' : error instanceof NearfieldError ? 'No answer' : 'A fault of ours'),
    element('p', {}, canceled ? 'What is already drawn stays; the rest was not computed.' : error.message),
    again,
  );
}

function announce(text: string): void {
  byId('status').textContent = text;
}

async function copyLink(): Promise<void> {
  rememberAddress();
  const button = byId('copy-link');
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = 'Copied';
    announce('The link is copied.');
  } catch {
    button.textContent = 'See address bar';
    announce('The browser does not allow copying; copy the link from the address bar.');
  }
  setTimeout(() => {
    button.textContent = 'Copy link';
  }, 1500);
}

function focusControls(): void {
  byId('controls').querySelector<HTMLElement>('input, select, button')?.focus();
}

function stepScene(step: number): void {
  const index = current === null ? -1 : entries.indexOf(current);
  const next = entries[(index + step + entries.length) % entries.length];
  location.hash = `#/${next.path}`;
}

function setMenu(open: boolean): void {
  nav.classList.toggle('open', open);
  byId('menu').setAttribute('aria-expanded', String(open));
}

function closeMenu(): void {
  setMenu(false);
}

fillSideBar(nav);
fillGallery(byId('gallery'));
byId('menu').addEventListener('click', () => setMenu(!nav.classList.contains('open')));
byId('reset-view').addEventListener('click', () => viewer?.resetCamera());
byId('copy-link').addEventListener('click', () => void copyLink());
byId('skip').addEventListener('click', (event) => {
  event.preventDefault();
  focusControls();
});
const help = byId<HTMLDialogElement>('help-dialog');
byId('help').addEventListener('click', () => help.showModal());
bindKeys({
  '?': () => help.showModal(),
  '[': () => stepScene(-1),
  ']': () => stepScene(1),
  v: () => viewer?.canvas.focus(),
  c: focusControls,
  t: () => theme.turn(),
  Escape: () => {
    closeMenu();
    host.cancel();
  },
});
acceptDroppedFiles(
  byId('drop-hint'),
  () => host.takesFiles,
  (files) => void host.openDropped(files),
);
addEventListener('hashchange', followAddress);
followAddress();

/** For tests: where a point of the world is on the page, in CSS pixels; null without WebGL or behind the camera. */
const hooks = { project: (point: ReadonlyVec3) => viewer?.project(point) ?? null };
declare global {
  interface Window {
    nearfieldLab: typeof hooks;
  }
}
window.nearfieldLab = hooks;
