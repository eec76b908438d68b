// The list of scenes beside the page. Each group folds, the whole of it can be closed, and the open scene stays in view.
import { groups } from './catalogue.js';
import { element } from './element.js';
import { showMatching } from './gallery.js';

const KEY = 'nearfield.sidebar';

export function fillSideBar(nav: HTMLElement): void {
  for (const { title, entries } of groups) {
    const links = entries.map(({ path, scene }) =>
      element(
        'li',
        {},
        element('a', { href: `#/${path}`, 'data-scene': path, 'data-picture': scene.picture }, scene.title),
      ),
    );
    nav.append(
      element(
        'section',
        {},
        element(
          'details',
          { open: true },
          element('summary', { class: 'scenes-title' }, title),
          element('ul', {}, ...links),
        ),
      ),
    );
  }
}

/** Marks the open scene, unfolds its group and scrolls the list to it. */
export function markCurrent(nav: HTMLElement, path: string): void {
  for (const link of nav.querySelectorAll('a')) {
    const current = link.dataset.scene === path;
    if (!current) link.removeAttribute('aria-current');
    else {
      link.setAttribute('aria-current', 'page');
      const group = link.closest('details');
      if (group !== null) group.open = true;
      keepInView(nav, link);
    }
  }
}

/** Scrolls only the list: scrollIntoView would scroll the page too. */
function keepInView(nav: HTMLElement, link: HTMLElement): void {
  const [list, item] = [nav.getBoundingClientRect(), link.getBoundingClientRect()];
  if (list.height === 0 || (item.top >= list.top && item.bottom <= list.bottom)) return;
  nav.scrollTop += item.top - list.top - (list.height - item.height) / 2;
}

export function filterSideBar(nav: HTMLElement, text: string): void {
  showMatching(nav, text);
  if (text.trim() !== '') for (const group of nav.querySelectorAll('details')) group.open = true;
}

/** The button that opens and closes the list: beside the page on wide windows, where it is remembered, else above it. */
export class SideBarSwitch {
  readonly #wide = matchMedia('(min-width: 70.01rem)');
  /** On narrow windows. */
  #open = false;

  constructor(
    readonly nav: HTMLElement,
    readonly button: HTMLElement,
    readonly opened: () => void,
  ) {
    if (remembered() === 'closed') document.documentElement.dataset.sidebar = 'closed';
    button.addEventListener('click', () => this.turn());
    this.#wide.addEventListener('change', () => this.#show());
    this.#show();
  }

  turn(): void {
    if (!this.#wide.matches) this.#open = !this.#open;
    else {
      const closed = document.documentElement.dataset.sidebar === 'closed';
      document.documentElement.dataset.sidebar = closed ? 'open' : 'closed';
      remember(closed ? 'open' : 'closed');
    }
    this.#show();
    if (this.button.getAttribute('aria-expanded') === 'true') this.opened();
  }

  /** Closes a list that lies above the page. */
  close(): void {
    this.#open = false;
    this.#show();
  }

  #show(): void {
    this.nav.classList.toggle('open', this.#open);
    const open = this.#wide.matches ? document.documentElement.dataset.sidebar !== 'closed' : this.#open;
    this.button.setAttribute('aria-expanded', String(open));
  }
}

function remembered(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function remember(state: string): void {
  try {
    localStorage.setItem(KEY, state);
  } catch {
    // Storage may be forbidden; the button works all the same, for this visit.
  }
}
