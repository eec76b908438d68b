// The lab for one file of tests: started before the first, its pages closed after each, and nothing they complained of.
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type Lab, type LabPage, startLab } from './lab-page.js';

/** Opens a page at an address; it is closed after the test, and the test fails if it complained. */
export function useLab(): (address: string, options?: BrowserContextOptions) => Promise<LabPage> {
  let lab: Lab;
  const pages: LabPage[] = [];

  beforeAll(async () => {
    lab = await startLab();
  });

  afterEach(async () => {
    const complaints = pages.flatMap((page) => page.complaints);
    for (const page of pages.splice(0)) await page.close();
    expect(complaints).toEqual([]);
  });

  afterAll(() => lab?.close());

  return async (address, options) => {
    const page = await lab.open(address, options);
    pages.push(page);
    return page;
  };
}
