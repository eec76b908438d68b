// The figures of PFHub's benchmark 3a over time as a plot: three panels, a line for each spacing, the published range of tips.
import type { PfhubRun } from './pfhub.js';

const WIDTH = 300;
const HEIGHT = 220;
const LEFT = 58;
const TOP = 34;
const GAP = 80;
const COLORS = ['#7aa6d8', '#3b6fb6', '#12305c', '#0a1a33'];
/** Tips at the end that others published. */
const PUBLISHED = [217, 285] as const;

export function drawPfhub(runs: readonly PfhubRun[]): string {
  const panels = [
    { title: 'tip position', value: (sample: Sample) => sample.tip, least: 0 },
    { title: 'solid fraction', value: (sample: Sample) => sample.solidFraction, least: 0 },
    { title: 'free energy', value: (sample: Sample) => sample.freeEnergy, least: null },
  ];
  const parts = panels.map((panel, index) => drawPanel(runs, panel, LEFT + index * (WIDTH + GAP), index === 0));
  const legend = runs.map(
    ({ spacing }, i) =>
      `<text x="${LEFT + 12}" y="${TOP + 18 + 16 * i}" fill="${COLORS[i % COLORS.length]}">h = ${spacing}</text>`,
  );
  const width = LEFT + 3 * (WIDTH + GAP);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${HEIGHT + TOP + 44}" font-family="sans-serif" font-size="12" fill="#222">
<title>PFHub's benchmark 3a: tip position, solid fraction and free energy over time</title>
<rect width="100%" height="100%" fill="#fff"/>
${[...parts, ...legend].join('\n')}
</svg>
`;
}

type Sample = PfhubRun['series'][number];

interface Panel {
  readonly title: string;
  readonly value: (sample: Sample) => number;
  readonly least: number | null;
}

function drawPanel(runs: readonly PfhubRun[], { title, value, least }: Panel, x0: number, withRange: boolean): string {
  const all = runs.flatMap(({ series }) => series.map(value));
  const low = least ?? Math.min(...all);
  const high = Math.max(...all, withRange ? 1.05 * PUBLISHED[1] : -Infinity);
  const end = Math.max(...runs.flatMap(({ series }) => series.map(({ time }) => time)));
  const x = (time: number): string => (x0 + (WIDTH * time) / end).toFixed(1);
  const y = (v: number): string => (TOP + HEIGHT * (1 - (v - low) / (high - low))).toFixed(1);
  const digits = high - low > 10 ? 0 : 3;
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const v = low + share * (high - low);
    return `<text x="${x0 - 6}" y="${Number(y(v)) + 4}" text-anchor="end">${v.toFixed(digits)}</text><path d="M${x0} ${y(v)}h${WIDTH}" stroke="#ddd"/>`;
  });
  const times = [0, 0.5, 1].map(
    (share) =>
      `<text x="${x(share * end)}" y="${TOP + HEIGHT + 18}" text-anchor="middle">${(share * end).toFixed(0)}</text>`,
  );
  const lines = runs.map(({ series }, i) => {
    const points = series.map((sample) => `${x(sample.time)},${y(value(sample))}`).join(' ');
    return `<polyline points="${points}" fill="none" stroke="${COLORS[i % COLORS.length]}" stroke-width="1.8"/>`;
  });
  const range = withRange
    ? `<path d="M${x(end)} ${y(PUBLISHED[0])}V${y(PUBLISHED[1])}" stroke="#c2571a" stroke-width="6"/><text x="${Number(x(end)) - 8}" y="${Number(y(PUBLISHED[0])) + 14}" text-anchor="end" fill="#c2571a">published: ${PUBLISHED.join(' to ')}</text>`
    : '';
  return [
    `<text x="${x0}" y="${TOP - 12}" font-weight="bold">${title}</text>`,
    ...ticks,
    ...times,
    `<text x="${x0 + WIDTH / 2}" y="${TOP + HEIGHT + 36}" text-anchor="middle">time</text>`,
    ...lines,
    range,
  ].join('\n');
}
