import { byId, element } from './element.js';

const SHOWN_MS = 1500;

/** A button that copies a text, and says so. */
export function copyButton(text: () => string, label: string): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'tool copy', 'aria-label': label }, 'Copy');
  button.addEventListener('click', () => void copyText(text(), button));
  return button;
}

export async function copyText(text: string, button: HTMLElement, refused = 'Not allowed'): Promise<void> {
  const label = button.dataset.label ?? button.textContent ?? '';
  button.dataset.label = label;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
    byId('status').textContent = 'Copied.';
  } catch {
    button.textContent = refused;
    byId('status').textContent = 'The browser does not allow copying.';
  }
  setTimeout(() => {
    button.textContent = label;
  }, SHOWN_MS);
}
