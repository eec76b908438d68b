// The leaves of tests/browser/leaving.test.ts, of every scene that plays, by every way, at both moments, after any delay.
import { createRandom } from 'nearfield/core';
import { expect, test } from 'vitest';
import { leaveScene, MOMENTS, playingScenes, WAYS } from '../browser/leave-scene.js';
import { useLab } from '../browser/use-lab.js';

/** Times that a scene is left by each way. */
const TIMES = Number(process.env.NEARFIELD_LEAVES ?? 50);
/** The address is written 200 ms after a change. */
const LONGEST_DELAY_MS = 400;

const open = useLab();

test.for(playingScenes())('%s is left at once, whatever it is doing', async (path) => {
  const page = await open('#/');
  const random = createRandom(33);
  for (let time = 0; time < TIMES; time++) {
    for (const way of WAYS) {
      for (const moment of MOMENTS) {
        await leaveScene(page, { path, way, moment, delay: Math.floor(random.range(0, LONGEST_DELAY_MS)) });
      }
    }
  }
  expect(page.complaints).toEqual([]);
});
