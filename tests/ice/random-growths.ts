// Growths with random options, and what must hold for each.
import { createRandom, type Random } from '../../src/core/random.js';
import { createIce } from '../../src/ice/create-ice.js';
import type { Ice, IceState, IceStroke } from '../../src/ice/ice.js';
import type { IceOptions } from '../../src/ice/options.js';
import { ICE_PRESETS, type IcePreset } from '../../src/ice/parameters.js';
import type { BatchPool } from '../../src/proximity/batch/batch-pool.js';

interface RandomGrowth {
  readonly options: IceOptions;
  readonly steps: number;
  /** Painted after half of the steps. */
  readonly strokes: readonly IceStroke[];
}

function pick<const Item>(random: Random, items: readonly Item[]): Item {
  return items[random.integer(items.length)];
}

export function randomGrowth(seed: number): RandomGrowth {
  const random = createRandom(seed);
  const isSpace = random.next() < 0.4;
  const most = isSpace ? 40 : 150;
  const size = Array.from({ length: isSpace ? 3 : 2 }, () => 1 + random.integer(random.next() < 0.2 ? 5 : most));
  const preset = pick(random, Object.keys(ICE_PRESETS) as IcePreset[]);
  const spacing = ICE_PRESETS[preset].spacing * random.range(0.7, 1.3);
  const stroke = (): IceStroke => {
    const center = size.map((count) => spacing * random.range(-0.5, 0.5) * count);
    return {
      center,
      radius: spacing * random.range(0, 8),
      ...(random.next() < 0.5 && { to: center.map((x) => x + spacing * random.range(-20, 20)) }),
      ...(random.next() < 0.7 && { phase: pick(random, [0, 1, random.next()]) }),
      ...(random.next() < 0.3 && { temperature: random.range(-1, 0.9) }),
      ...(random.next() < 0.25 && { obstacle: random.next() < 0.8 }),
    };
  };
  const strokes = (count: number): IceStroke[] => Array.from({ length: count }, stroke);
  return {
    options: {
      size,
      preset,
      spacing,
      scheme: pick(random, ['explicit', 'explicit', 'semi-implicit']),
      boundary: pick(random, ['no-flux', 'fixed', 'periodic']),
      parameters: {
        fold: random.integer(9),
        delta: random.range(0, 0.05),
        orientation: random.range(-4, 4),
        axial: random.range(-0.1, 0.1),
        noise: pick(random, [0, random.range(0, 0.1)]),
        latentHeat: random.range(0.5, 2),
      },
      wallTemperature: random.range(-0.5, 0),
      seeds: [{ center: size.map(() => 0), radius: 4 * spacing, phase: 1 }, ...strokes(random.integer(6))],
      seed: random.integer(2 ** 31),
      still: pick(random, [undefined, 0, 1e-5]),
    },
    steps: 4 + random.integer(isSpace ? 12 : 60),
    strokes: strokes(random.integer(3)),
  };
}

/** What does not hold, one line each. */
export async function checkGrowth(seed: number, pools: readonly BatchPool[]): Promise<string[]> {
  const { options, steps, strokes } = randomGrowth(seed);
  const bad: string[] = [];
  for (const precision of ['float32', 'float64'] as const) {
    const grow = async (more: Partial<IceOptions>): Promise<IceState> => {
      const ice = await createIce({ ...options, precision, ...more });
      if (ice.precision !== precision) bad.push(`${seed} ${precision}: computed in ${ice.precision}`);
      await ice.advance(steps >> 1);
      ice.paint(strokes);
      const painted = await ice.read();
      await ice.advance(steps - (steps >> 1));
      const state = await ice.read();
      for (const fault of faultsOf(ice, painted, state)) bad.push(`${seed} ${precision}: ${fault}`);
      return state;
    };
    const full = await grow({ band: false });
    const others: [string, IceState][] = [['band', await grow({ band: true })]];
    for (const pool of pools) others.push([`${pool.size} workers`, await grow({ band: pool.size % 2 === 0, pool })]);
    for (const [name, state] of others) {
      for (const field of ['phase', 'temperature'] as const) {
        const isSame = Buffer.from(state[field].buffer).equals(Buffer.from(full[field].buffer));
        if (!isSame) bad.push(`${seed} ${precision}: the ${field} with ${name} is not that of the full grid`);
      }
    }
  }
  return bad;
}

function* faultsOf(ice: Ice, before: IceState, after: IceState): Generator<string> {
  for (const field of ['phase', 'temperature'] as const) {
    if (!after[field].every(Number.isFinite)) yield `a ${field} is not finite`;
  }
  const { room, phase } = after;
  if (room !== null && phase.some((p, i) => room[i] === 0 && p !== 0)) yield 'there is ice in an obstacle';
  if (ice.boundary === 'fixed') return;
  const isKarma = ice.parameters.model === 'karma-rappel';
  const heat = ({ phase: p, temperature }: IceState): number => {
    let sum = 0;
    for (let i = 0; i < p.length; i++) sum += temperature[i] - (isKarma ? 1 : ice.parameters.latentHeat) * p[i];
    return sum / p.length;
  };
  // Roundings of the step, of which those of uniform lines of an implicit solver are alike.
  const perStep = ice.precision === 'float64' ? 1e-15 : ice.scheme === 'explicit' ? 2e-8 : 1e-7;
  const change = Math.abs(heat(after) - heat(before));
  if (change > 1e-13 + perStep * 4 * (after.steps - before.steps)) yield `the heat changed by ${change}`;
}
