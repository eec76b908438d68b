// The first page below its head: a card for each scene, by group.
import { groups, matches, type SceneEntry } from './catalogue.js';
import { element } from './element.js';

export function fillGallery(host: HTMLElement): void {
  for (const { title, entries } of groups) {
    host.append(
      element(
        'section',
        {},
        element('h2', { class: 'cards-title' }, title),
        element('ul', { class: 'cards' }, ...entries.map(card)),
      ),
    );
  }
  host.append(element('p', { class: 'no-match', hidden: true }, 'No scene matches. Try one word, such as distance.'));
}

/** Shows only the scenes that match the text. */
export function filterGallery(host: HTMLElement, text: string): void {
  const shown = showMatching(host, text);
  const none = host.querySelector<HTMLElement>('.no-match');
  if (none !== null) none.hidden = shown > 0;
}

/** Hides links to scenes that do not match, and sections without any; returns how many links are left. */
export function showMatching(host: HTMLElement, text: string): number {
  let shown = 0;
  const known = new Map(groups.flatMap((group) => group.entries).map((entry) => [entry.path, entry]));
  for (const section of host.querySelectorAll<HTMLElement>('section')) {
    let left = 0;
    for (const link of section.querySelectorAll<HTMLElement>('[data-scene], [data-card]')) {
      const entry = known.get(link.dataset.scene ?? link.dataset.card ?? '');
      const fits = entry !== undefined && matches(entry, text.trim());
      (link.closest('li') as HTMLElement).hidden = !fits;
      if (fits) left++;
    }
    section.hidden = left === 0;
    shown += left;
  }
  return shown;
}

function card({ path, scene, picture, darkPicture }: SceneEntry): HTMLElement {
  const image = (source: string | null, theme: string): HTMLElement =>
    source === null
      ? element('div', { class: `card-picture ${theme}` })
      : element('img', {
          class: `card-picture ${theme}`,
          src: source,
          alt: '',
          width: 640,
          height: 400,
          loading: 'lazy',
          decoding: 'async',
        });
  const images =
    darkPicture === null ? [image(picture, '')] : [image(picture, 'of-light'), image(darkPicture, 'of-dark')];
  const text = element(
    'div',
    { class: 'card-text' },
    element('h3', {}, scene.title),
    element('p', {}, firstSentence(scene.summary)),
  );
  return element(
    'li',
    {},
    element('a', { class: 'card', href: `#/${path}`, 'data-card': path, title: scene.summary }, ...images, text),
  );
}

function firstSentence(text: string): string {
  const [first] = text.split(/(?<=[.?!]) /);
  return first;
}
