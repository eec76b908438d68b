// PFHub's benchmark 3a for a short time on a coarse grid; bench/gpu-ice.ts runs it to its end at three spacings.
import { expect, test } from 'vitest';
import { runPfhub } from '../../bench/pfhub.js';
import record from '../../bench/results/gpu-ice.json' with { type: 'json' };

test('the first moments of benchmark 3a: energy falls, ice grows, both schemes agree', async () => {
  const explicit = await runPfhub({ spacing: 2, end: 30, samples: 3 });
  const implicit = await runPfhub({ spacing: 2, end: 30, samples: 3, scheme: 'semi-implicit' });
  for (let i = 1; i < 4; i++) {
    expect(explicit.series[i].freeEnergy).toBeLessThan(explicit.series[i - 1].freeEnergy);
    expect(explicit.series[i].solidFraction).toBeGreaterThan(explicit.series[i - 1].solidFraction);
    expect(explicit.series[i].tip).toBeGreaterThan(explicit.series[i - 1].tip);
  }
  expect(implicit.tip / explicit.tip).toBeGreaterThan(0.97);
  expect(implicit.tip / explicit.tip).toBeLessThan(1.03);
});

test('the recorded runs reach t = 1500 and converge inside the published range', () => {
  const runs = record.pfhub;
  expect(runs.length).toBeGreaterThanOrEqual(2);
  for (const { series, tip } of runs) {
    expect(series.at(-1)!.time).toBe(1500);
    expect(tip).toBeGreaterThan(217);
    expect(tip).toBeLessThan(285);
    for (let i = 1; i < series.length; i++) expect(series[i].freeEnergy).toBeLessThan(series[i - 1].freeEnergy);
  }
  const [coarse, middle, fine] = runs.map(({ tip }) => tip);
  // Second order: each halving leaves a quarter of the difference.
  expect((middle - coarse) / (fine - middle)).toBeGreaterThan(3);
});
