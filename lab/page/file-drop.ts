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
    takeFiles(event.dataTransfer, opened);
  });
}

/** All files that were dropped, at once where there is no folder; those of folders with the folders in their names. */
function takeFiles(transfer: DataTransfer | null, opened: (files: File[]) => void): void {
  // Entries are there only while the event is.
  const entries = [...(transfer?.items ?? [])].map((item) => item.webkitGetAsEntry());
  if (!entries.some((entry) => entry?.isDirectory)) {
    opened([...(transfer?.files ?? [])]);
    return;
  }
  const nested = entries.map((entry) => (entry === null ? [] : filesBelow(entry)));
  void Promise.all(nested).then((files) => opened(files.flat()));
}

async function filesBelow(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed));
    return [new File([file], entry.fullPath.replace(/^\//, ''))];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: File[] = [];
  // Readers give a part of a folder at a time, and none at its end.
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
    if (part.length === 0) return found;
    found.push(...(await Promise.all(part.map(filesBelow))).flat());
  }
}
