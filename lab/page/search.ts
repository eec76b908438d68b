// The search boxes, one above the cards and one above the list of scenes: both show the same text and filter both.
import { entries, matches, type SceneEntry } from './catalogue.js';
import { filterGallery } from './gallery.js';
import { filterSideBar } from './side-bar.js';

/** `chosen` is called with the first match when Enter is pressed. */
export function bindSearch(
  nav: HTMLElement,
  cards: HTMLElement,
  chosen: (entry: SceneEntry) => void,
): { focus(): void } {
  const boxes = [...document.querySelectorAll<HTMLInputElement>('input.search')];
  const show = (text: string): void => {
    for (const box of boxes) if (box.value !== text) box.value = text;
    filterSideBar(nav, text);
    filterGallery(cards, text);
  };
  for (const box of boxes) {
    box.addEventListener('input', () => show(box.value));
    box.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && box.value !== '') {
        event.preventDefault();
        show('');
      }
      const first = entries.find((entry) => matches(entry, box.value.trim()));
      if (event.key === 'Enter' && box.value.trim() !== '' && first !== undefined) {
        show('');
        box.blur();
        chosen(first);
      }
    });
  }
  return {
    focus: () => {
      const seen = boxes.filter((box) => box.offsetParent !== null);
      (seen.find((box) => !nav.contains(box)) ?? seen[0])?.focus();
    },
  };
}
