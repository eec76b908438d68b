// A thousand random mechanisms: what is proven is below every sample of half a degree.
import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { MotionStudy } from '../../src/sweep/motion-study.js';
import { randomArms, randomMechanism, sweepArms } from '../sweep/random-mechanism.js';

/** Steps of a sample, in radians or meters: half a degree. */
const STEP = Math.PI / 360;

const MECHANISMS = Number(process.env.NEARFIELD_SWEEP_MECHANISMS ?? 1000);

test(`${MECHANISMS} random mechanisms`, () => {
  const random = createRandom(1000);
  for (let round = 0; round < MECHANISMS; round++) {
    const mechanism = randomMechanism(random);
    const [first] = mechanism.joints;
    const clearance = random.range(0, 0.4);
    const vary = { [first.name]: null };
    const at = Object.fromEntries(mechanism.joints.slice(1).map(({ name }) => [name, 0]));
    const study = new MotionStudy(mechanism, { clearance, vary, at, within: 2, depth: false });
    const { pairs } = study.sweep();
    const [{ low, high }] = study.axes;
    for (const { a, b, lower, upper, violated } of pairs) {
      const samples = study.curve(a, b, undefined, undefined, Math.max(2, Math.ceil((high - low) / STEP) + 1));
      const least = Math.min(...samples.map(({ gap }) => gap));
      expect(lower, `round ${round}: ${a}, ${b}`).toBeLessThanOrEqual(least + 1e-12);
      for (const { at: place, gap } of samples) {
        if (gap >= clearance) continue;
        const isSaid = violated.some(({ from, to }) => {
          const [start, end] = [from, to].map((end) => (end as Record<string, number>)[first.name]);
          return start <= place + 1e-12 && place <= end + 1e-12;
        });
        expect(isSaid, `round ${round}: ${a}, ${b} at ${place}`).toBe(true);
      }
      // Where a sample is too near the sweep knows it.
      if (least < clearance) expect(upper).toBeLessThan(clearance);
    }
  }
});

test(`${MECHANISMS} pairs of thin arms on geared shafts: what samples miss is counted`, () => {
  const random = createRandom(7);
  const found = Array.from({ length: MECHANISMS }, () => sweepArms(randomArms(random)));
  const meet = found.filter((own) => own.meet);
  const missed = meet.filter(({ isSeen }) => !isSeen);
  console.log(`${meet.length} of ${MECHANISMS} meet; samples of half a degree miss ${missed.length} of them`);
  expect(missed.length).toBeGreaterThan(MECHANISMS / 20);
});
