/** Keys that work anywhere on the page, except where text is typed or a dialog is open. */
export function bindKeys(actions: Readonly<Record<string, () => void>>): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = actions[event.key];
    if (action === undefined || document.querySelector('dialog[open]') !== null) return;
    const { target } = event;
    const typing = target instanceof HTMLInputElement && ['number', 'text', 'search'].includes(target.type);
    // A list chooses by the letters one types.
    if (event.key !== 'Escape' && (typing || target instanceof HTMLSelectElement)) return;
    // Space presses what has the focus.
    if (event.key === ' ' && target instanceof Element && target.closest('button, input, a, summary') !== null) return;
    event.preventDefault();
    action();
  });
}
