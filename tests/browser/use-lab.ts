// The lab for the files of tests of one worker, and nothing that its pages complained of. A page takes two seconds of computing
// to load, a scene half a second: tests take the same page in turn, and go from scene to scene. A file loads the page anew.
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, expect } from 'vitest';
import { type LabPage, shareLab } from './lab-page.js';

let shared: LabPage | undefined;

/**
 * Opens a page at an address; the test fails if it complained. With options, and where the test has a page already, it
 * is a page of its own, closed after the test: give {} for a test that leaves traces, such as a theme.
 */
export function useLab(): (address: string, options?: BrowserContextOptions) => Promise<LabPage> {
  const pages: LabPage[] = [];

  afterEach(async ({ task }) => {
    const used = pages.splice(0);
    if (shared !== undefined && used.includes(shared) && task.result?.state !== 'fail') await shared.leave();
    const complaints = used.flatMap((page) => page.complaints.splice(0));
    const failed = task.result?.state === 'fail' || complaints.length > 0;
    for (const page of used) if (page !== shared || failed) await page.close();
    if (failed && shared !== undefined && used.includes(shared)) shared = undefined;
    expect(complaints).toEqual([]);
  });

  // What the page has learned, such as the pace of the machine, does not reach the next file.
  afterAll(() => shared?.page.goto('about:blank'));

  return async (address, options) => {
    const page =
      options === undefined && pages.length === 0
        ? await takeShared(address)
        : await (await shareLab()).open(address, options);
    pages.push(page);
    return page;
  };

  async function takeShared(address: string): Promise<LabPage> {
    if (shared === undefined) shared = await (await shareLab()).open(address);
    else if (shared.page.url() === 'about:blank') await shared.goto(address);
    else if (!/^(#\/?)?$/.test(address)) await shared.follow(address);
    return shared;
  }
}
