// A folder for the lab's page, which the browser tests build once for all of them; removed after the last.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

export default function provideLabFolder(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'nearfield-lab-'));
  project.provide('labFolder', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
