// The lab for one file of tests: started before the first, and nothing that its pages complained of. A page takes two
// seconds of computing to load, a scene half a second: tests take the same page in turn, and go from scene to scene.
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type Lab, type LabPage, startLab } from './lab-page.js';

/**
 * Opens a page at an address; the test fails if it complained. With options, and where the test has a page already, it
 * is a page of its own, closed after the test: give {} for a test that leaves traces, such as a theme.
 */
export function useLab(): (address: string, options?: BrowserContextOptions) => Promise<LabPage> {
  let lab: Lab;
  let shared: LabPage | undefined;
  const pages: LabPage[] = [];

  beforeAll(async () => {
    lab = await startLab();
  });

  afterEach(async ({ task }) => {
    const used = pages.splice(0);
    if (shared !== undefined && used.includes(shared) && task.result?.state !== 'fail') await shared.leave();
    const complaints = used.flatMap((page) => page.complaints.splice(0));
    const failed = task.result?.state === 'fail' || complaints.length > 0;
    for (const page of used) if (page !== shared || failed) await page.close();
    if (failed) shared = undefined;
    expect(complaints).toEqual([]);
  });

  afterAll(() => lab?.close());

  return async (address, options) => {
    const page =
      options === undefined && pages.length === 0 ? await takeShared(address) : await lab.open(address, options);
    pages.push(page);
    return page;
  };

  async function takeShared(address: string): Promise<LabPage> {
    if (shared === undefined) shared = await lab.open(address);
    else if (!/^(#\/?)?$/.test(address)) await shared.follow(address);
    return shared;
  }
}
