// The page: connects the address, the gallery, the open scene, the view and the panels.
import { NearfieldError, type ReadonlyVec3 } from 'nearfield/core';
import { readAddress, writeAddress } from './page/address.js';
import { entries, findScene, openingOf, type SceneEntry } from './page/catalogue.js';
import { CodePanel } from './page/code-panel.js';
import { ControlPanel } from './page/control-panel.js';
import { copyText } from './page/copy-button.js';
import { byId, element } from './page/element.js';
import { FigurePanel } from './page/figure-panel.js';
import { acceptDroppedFiles } from './page/file-drop.js';
import { FileOffer } from './page/file-offer.js';
import { renameUnit } from './page/file-unit.js';
import { fillGallery } from './page/gallery.js';
import { Hero } from './page/hero.js';
import { bindKeys } from './page/keys.js';
import { ProgressStrip, roughTime } from './page/progress-strip.js';
import { saveFile } from './page/save-file.js';
import { type LongWork, SceneHost, type SceneHostEvents } from './page/scene-host.js';
import { cueScrolling } from './page/scroll-cue.js';
import { bindSearch } from './page/search.js';
import { fetchServed } from './page/served-file.js';
import { fillSideBar, markCurrent, SideBarSwitch } from './page/side-bar.js';
import { themeSwitch } from './page/theme.js';
import { Drawing } from './viewer/drawing.js';
import { Viewer } from './viewer/viewer.js';
import { TaskRunner } from './worker/task-runner.js';

const ADDRESS_DELAY_MS = 200;
const page = document.documentElement;
const nav = byId('scenes');
const stage = byId('stage');
const legend = byId('legend');
const notice = byId('notice');

// In a frame of another page, such as the documentation: the scene alone.
if (new URLSearchParams(location.search).has('embed')) page.dataset.embed = '';
const theme = themeSwitch(byId<HTMLButtonElement>('theme'), (chosen) => {
  viewer?.setTheme(chosen);
  hero?.setTheme(chosen);
  host.redraw();
});
const runner = new TaskRunner();
const viewer = openViewer();
/** A view that draws nothing: without WebGL, scenes still show their figures. */
const blindDrawing = new Drawing('light', 1, () => {});
const drawing = (): Drawing => viewer?.drawing ?? blindDrawing;

const figurePanel = new FigurePanel(byId('figures'), byId('answer'));
const progressStrip = new ProgressStrip(byId('progress'), () => host.cancel());
const controlPanel = new ControlPanel(byId<HTMLFormElement>('controls'), {
  changed: (name, value) => host.set(name, value),
  pressed: (name) => host.press(name),
  opened: (name, files) => void host.openPicked(name, files),
});

const events: SceneHostEvents = {
  view: drawing,
  drawBegins: () => {
    if (!host.isPlaying || page.dataset.state !== 'playing') page.dataset.state = 'busy';
    // Nothing to look at yet: the progress takes the middle of the view.
    stage.classList.toggle('empty', drawing().isEmpty);
    drawing().begin();
    figurePanel.begin();
  },
  drawEnds: async () => {
    drawing().end();
    figurePanel.end();
    const shown = current;
    // The next step begins with the next display frame: a page that plays is never ready for longer than a part of one.
    if (host.isPlaying) page.dataset.state = 'playing';
    await codePanel.refresh();
    await viewer?.painted();
    // Meanwhile another scene, or none, may have taken its place.
    if (host.busy || shown !== current || shown === null) return;
    page.dataset.state = host.isPlaying ? 'playing' : 'ready';
  },
  figures: (group, figures) => figurePanel.showFigures(group, figures.map(inUnit)),
  chart: (group, chart) => figurePanel.showChart(group, inUnit(chart)),
  curves: (group, curves) => figurePanel.showCurves(group, inUnit(curves)),
  map: (group, map) => figurePanel.showMap(group, inUnit(map)),
  table: (group, table) => figurePanel.showTable(group, table),
  images: (group, images) => figurePanel.showImages(group, inUnit(images)),
  colors: (group, bar) => figurePanel.showColors(group, inUnit(bar)),
  controls: (controls, values) => controlPanel.show(controls, values),
  progress: (progress) => progressStrip.show(progress),
  ask: showLongWork,
  error: showError,
  valuesChanged: rememberAddressSoon,
  open: (path, query, file) => {
    filesToOpen = file === null ? [] : [new File([file.bytes.slice()], file.name)];
    location.hash = writeAddress({ path, query: new URLSearchParams(query) });
  },
  save: saveFile,
};
const host = new SceneHost(events, runner);
const codePanel = new CodePanel(byId<HTMLDetailsElement>('code'), () => host.code());
const offer = new FileOffer(openInScene);
const sideBar = new SideBarSwitch(nav, byId('menu'), () => markCurrent(nav, current?.path ?? ''));
/** Made when the first page is first shown. */
let hero: Hero | null = null;

let current: SceneEntry | null = null;
/** Counts what was shown: a file of the server that comes later opens nothing. */
let shows = 0;
/** Files chosen for the scene that opens next. */
let filesToOpen: readonly File[] = [];
let shownLegend = '';
let addressTimer: ReturnType<typeof setTimeout> | undefined;
/** The hash that the page last followed or wrote. A different one is a navigation whose event has not come yet. */
let knownHash = location.hash;

/** The same with its unit named after that of the opened file. */
function inUnit<Item extends { readonly unit?: string }>(item: Item): Item {
  const unit = renameUnit(item.unit, host.unit);
  return unit === item.unit || unit === undefined ? item : { ...item, unit };
}

function openViewer(): Viewer | null {
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
  knownHash = location.hash;
  const address = readAddress();
  const found = findScene(address.path, address.query);
  if (address.path !== '' && found === null) {
    location.replace('#/');
    return;
  }
  const { entry, query } = found ?? { entry: null, query: address.query };
  clearTimeout(addressTimer);
  const bare = query.size === 0;
  if (entry === null) showGallery();
  else if (entry === current && host.isOpen && !bare && (query.get('open') ?? host.servedFile) === host.servedFile)
    host.readQuery(query);
  else showScene(entry, bare ? openingOf(entry) : query);
  if (entry !== null) placeCamera(bare ? openingOf(entry) : query, bare);
  // What one comes to by its name alone is shown in motion.
  if (bare && entry !== null && !matchMedia('(prefers-reduced-motion: reduce)').matches) host.play();
}

function showGallery(): void {
  shows++;
  viewer?.letGo();
  host.close();
  current = null;
  byId('scene').hidden = true;
  byId('gallery').hidden = false;
  hero ??= new Hero(theme.theme, runner, (files) => offer.show(files));
  hero.show();
  document.title = 'nearfield lab';
  page.dataset.page = 'gallery';
  page.dataset.state = 'ready';
  markCurrent(nav, '');
  sideBar.close();
}

function showScene(entry: SceneEntry, query: URLSearchParams): void {
  const { title, chapter, summary } = entry.scene;
  const first = page.dataset.page === undefined;
  shows++;
  current = entry;
  viewer?.letGo();
  hero?.hide();
  byId('gallery').hidden = true;
  byId('scene').hidden = false;
  byId('scene-title').textContent = title;
  byId('scene-chapter').textContent = chapter;
  byId('scene-summary').textContent = summary;
  document.title = `${title} · nearfield lab`;
  page.dataset.page = 'scene';
  markCurrent(nav, entry.path);
  sideBar.close();
  viewer?.describe(
    entry.scene.flat
      ? `Flat view: ${title}. Plus and minus zoom, 0 resets.`
      : `3D view: ${title}. Arrow keys turn, plus and minus zoom, 0 resets.`,
  );
  drawing().clear();
  viewer?.setFlat(entry.scene.flat ?? false);
  figurePanel.clear();
  codePanel.reset(entry.scene.code !== undefined);
  const served = query.get('open');
  if (served === null) host.open(entry, query);
  else void openServed(entry, query, served);
  const files = filesToOpen;
  filesToOpen = [];
  if (files.length > 0) void host.openDropped(files);
  if (!first) byId('scene-title').focus({ preventScroll: true });
}

/** Opens a scene with a model that the lab's server was given. */
async function openServed(entry: SceneEntry, query: URLSearchParams, name: string): Promise<void> {
  const show = shows;
  host.close();
  page.dataset.state = 'busy';
  try {
    const file = await fetchServed(name);
    if (show === shows) host.open(entry, query, file);
  } catch (error) {
    if (show !== shows) return;
    host.open(entry, new URLSearchParams());
    showError(error as Error);
  }
}

function placeCamera(query: URLSearchParams, opening: boolean): void {
  const place = (query.get('view') ?? '').split(',').map(Number);
  const sound = (place.length === 3 || place.length === 6) && place.every(Number.isFinite) && place[2] > 0;
  if (sound && opening) viewer?.openCamera(place);
  else if (sound) viewer?.placeCamera(place);
  else viewer?.resetCamera();
}

/** Writes the values and the camera into the address. The delay is needed because browsers limit the rate of changes. */
function rememberAddressSoon(): void {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(rememberAddress, ADDRESS_DELAY_MS);
}

function rememberAddress(): void {
  clearTimeout(addressTimer);
  // While the scene waits for a file of the server it has no values yet: the address names the file.
  if (current === null || !host.isOpen || location.hash !== knownHash) return;
  const query = new URLSearchParams();
  host.writeQuery(query);
  const camera = viewer?.cameraPlace() ?? null;
  if (camera !== null) query.set('view', camera.join(','));
  history.replaceState(null, '', writeAddress({ path: current.path, query }));
  knownHash = location.hash;
}

function showLegend(): void {
  if (!drawing().isEmpty) stage.classList.remove('empty');
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

/** Nothing that takes long begins by itself: what it is, how long it will take, and a button. */
function showLongWork(work: LongWork | null): void {
  const box = byId('long-work');
  box.hidden = work === null;
  if (work === null) return;
  // What was asked for before this is drawn; the rest waits.
  page.dataset.state = 'asking';
  const start = element('button', { type: 'button', class: 'tool primary' }, 'Start');
  start.addEventListener('click', () => {
    page.dataset.state = 'busy';
    work.start();
  });
  const cancel = element('button', { type: 'button', class: 'tool' }, 'Not now');
  cancel.addEventListener('click', () => host.cancel());
  box.replaceChildren(
    element('strong', {}, `This takes ${roughTime(work.seconds)}`),
    element('p', {}, `${work.what}. It runs in the background, and you can cancel it.`),
    element('div', { class: 'long-work-buttons' }, start, cancel),
  );
}

function openDropped(files: File[]): void {
  if (current !== null && host.takes(files)) void host.openDropped(files);
  else offer.show(files);
}

function openInScene(entry: SceneEntry, files: readonly File[]): void {
  if (entry === current) {
    void host.openDropped(files);
    return;
  }
  filesToOpen = files;
  location.hash = `#/${entry.path}`;
}

function copyLink(): void {
  rememberAddress();
  void copyText(location.href, byId('copy-link'), 'See address bar');
}

function focusControls(): void {
  byId('controls').querySelector<HTMLElement>('input, select, button')?.focus();
}

function stepScene(step: number): void {
  // The next key may come before the page has followed the last one.
  const { path, query } = readAddress();
  const asked = findScene(path, query)?.entry;
  const index = asked === undefined ? -1 : entries.indexOf(asked);
  const next = entries[(index + step + entries.length) % entries.length];
  location.hash = `#/${next.path}`;
}

fillSideBar(nav);
fillGallery(byId('cards'));
cueScrolling(byId('panel-top'), 'More controls ↓');
cueScrolling(byId('panel-figures'), 'More figures ↓');
const search = bindSearch(nav, byId('cards'), (entry) => {
  location.hash = `#/${entry.path}`;
});
byId('reset-view').addEventListener('click', () => viewer?.resetCamera());
byId('copy-link').addEventListener('click', copyLink);
byId('skip').addEventListener('click', (event) => {
  event.preventDefault();
  focusControls();
});
const help = byId<HTMLDialogElement>('help-dialog');
byId('help').addEventListener('click', () => help.showModal());
bindKeys({
  '?': () => help.showModal(),
  '/': () => search.focus(),
  ' ': () => host.togglePlay(),
  '[': () => stepScene(-1),
  ']': () => stepScene(1),
  v: () => viewer?.canvas.focus(),
  c: focusControls,
  t: () => theme.turn(),
  Escape: () => {
    sideBar.close();
    host.cancel();
  },
});
acceptDroppedFiles(byId('drop-hint'), openDropped);
addEventListener('hashchange', followAddress);
followAddress();

/** For tests: where a point of the world is on the page, in CSS pixels; null without WebGL or behind the camera. */
const hooks = {
  project: (point: ReadonlyVec3) => (current === null ? hero?.viewer : viewer)?.project(point) ?? null,
};
declare global {
  interface Window {
    nearfieldLab: typeof hooks;
  }
}
window.nearfieldLab = hooks;
