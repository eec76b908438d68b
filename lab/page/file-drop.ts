/** Files dragged over the page: the hint shows, and the dropped ones go to `opened`. The browser never opens them itself. */
export function acceptDroppedFiles(hint: HTMLElement, opened: (files: File[]) => void): void {
  // Entering a child leaves its parent: only as many leaves as enters mean that the pointer is out of the window.
  let depth = 0;
  const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
  addEventListener('dragenter', (event) => {
    if (!carriesFiles(event)) return;
    depth++;
    hint.hidden = false;
  });
  addEventListener('dragleave', () => {
    depth = Math.max(0, depth - 1);
    if (depth === 0) hint.hidden = true;
  });
  addEventListener('dragover', (event) => {
    if (carriesFiles(event)) event.preventDefault();
  });
  addEventListener('drop', (event) => {
    depth = 0;
    hint.hidden = true;
    if (!carriesFiles(event)) return;
    event.preventDefault();
    opened([...(event.dataTransfer?.files ?? [])]);
  });
}
