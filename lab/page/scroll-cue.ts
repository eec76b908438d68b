import { element } from './element.js';

/** Shows at the foot of a pane that it goes on below. */
export function cueScrolling(pane: HTMLElement, label: string): void {
  const cue = element('p', { class: 'more-below', 'aria-hidden': 'true' }, label);
  pane.append(cue);
  const show = (): void => {
    cue.classList.toggle('shown', pane.scrollTop + pane.clientHeight < pane.scrollHeight - 24);
  };
  pane.addEventListener('scroll', show, { passive: true });
  const sizes = new ResizeObserver(show);
  for (const part of [pane, ...pane.children]) sizes.observe(part);
}
