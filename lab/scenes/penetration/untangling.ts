import { type Box, type Pose, pose, type Vec3, vec3 } from 'nearfield/core';
import { untangleCode } from '../../code/penetration.js';
import { defineScene } from '../../scene.js';
import type { ColorName } from '../../viewer/palette.js';
import { LETTER_CENTER } from '../../worker/letter-heap.js';

/** The slider's end stands for the end, however many rounds it took. */
const LAST = 32;
/** No point of a letter is farther from its middle. */
const LETTER_RADIUS = 0.75;

export default defineScene({
  title: 'Untangling a heap of letters',
  chapter: 'Penetration',
  rank: 6,
  summary:
    'A heap of overlapping letters is moved apart: in every round, the two letters of each overlapping pair share the shortest translation. Overlapping letters are red; the arrows show how far each letter has moved. Play the rounds, or fix the first letter.',
  picture: 'count=12&round=32&view=30,25,1.2',
  opening: 'view=30,25,1.2',
  motion: { playing: 'play', frame: 'round', speed: 'speed' },
  controls: {
    count: { kind: 'slider', label: 'Letters', min: 2, max: 24, step: 1, initial: 8 },
    seed: { kind: 'slider', label: 'Seed', hint: 'one heap per seed', min: 1, max: 1000, step: 1, initial: 1 },
    firstStays: { kind: 'checkbox', label: 'The first letter stays where it is', initial: false },
    play: { kind: 'toggle', label: 'Play', pressedLabel: 'Pause' },
    round: {
      kind: 'slider',
      label: 'Rounds done',
      hint: 'rounds beyond the last show the last',
      min: 0,
      max: LAST,
      step: 1,
      initial: 0,
    },
    speed: { kind: 'slider', label: 'Speed', hint: 'rounds/s', min: 1, max: 10, step: 1, initial: 2 },
    arrows: { kind: 'checkbox', label: 'Where they came from', initial: true },
    seeThrough: { kind: 'checkbox', label: 'See through the letters', initial: false },
  },

  async code({ values: { count, seed, firstStays, round }, run }) {
    const { bodies, poses } = await run('buildHeap', { count, seed });
    const letters = bodies.map(({ character }, i) => ({ model: modelOf(character), pose: poses[i] }));
    return untangleCode({ letters, firstStays, rounds: round === LAST ? null : round });
  },

  async draw({ values, view, figures, chart, table, run, set }) {
    const { count, seed, firstStays } = values;
    const heap = await run('buildHeap', { count, seed });
    const input = { count, seed, firstStays };
    const whole = await run('untangleHeap', { ...input, maxRounds: null });
    const last = whole.rounds.length;
    const round = values.round === LAST ? last : Math.min(values.round, last);
    const now = round === last ? whole : await run('untangleHeap', { ...input, maxRounds: round });
    const middles = now.poses.map(middleOf);
    view.frame(boxAround([...heap.poses.map(middleOf), ...whole.poses.map(middleOf)]));
    const overlapping = new Set(now.remaining.flat());
    for (const [body, { mesh }] of heap.bodies.entries()) {
      const [color, name] = lookOf(overlapping.has(body), firstStays && body === 0);
      view.addMesh(mesh, { pose: now.poses[body], color, name, opacity: values.seeThrough ? 0.35 : 1 });
      if (values.arrows) {
        const from = vec3.subtract(middles[body], now.moves[body]);
        view.addArrow(from, middles[body], { color: 'probe', onTop: true, name: 'Moved so far' });
      }
    }

    const lengths = now.moves.map((move) => vec3.length(move));
    figures('Heap', [
      { id: 'round', label: 'Rounds done', value: round },
      { id: 'rounds', label: 'Of', value: last },
      {
        id: 'overlapping',
        lead: 'Pairs of letters still overlap after this round.',
        label: 'Pairs that overlap',
        value: now.remaining.length,
        tone: tone(now.remaining.length),
      },
      { id: 'farthest', label: 'Farthest moved', value: Math.max(...lengths), unit: 'm' },
      { id: 'total', label: 'Moved in all', value: lengths.reduce((sum, length) => sum + length, 0), unit: 'm' },
    ]);
    chart('Pairs moved apart in each round', {
      id: 'pairs',
      label: 'Pairs that overlapped, round by round',
      values: [...whole.rounds.map((done) => done.overlapping), whole.remaining.length],
      at: round,
      chosen: (at) => set('round', Math.min(at, LAST)),
    });
    figures('At the end', [
      { id: 'status', label: 'Status', value: whole.status, tone: tone(whole.remaining.length) },
      { id: 'deepest', label: 'Deepest at first', value: whole.rounds[0]?.deepest ?? 0, unit: 'm' },
      { id: 'escaped', label: 'Left the crowd', value: escapedOf(whole.rounds, heap.bodies) },
      { id: 'milliseconds', label: 'Time', value: whole.milliseconds, unit: 'ms', decimals: 1 },
    ]);
    table('Letters', {
      columns: ['Letter', 'Moved, m', 'By'],
      rows: heap.bodies.map(({ character }, body) => ({
        id: `${body}`,
        cells: [character, lengths[body], now.moves[body]],
        current: false,
        ...(overlapping.has(body) ? { tone: 'bad' } : {}),
      })),
    });
  },
});

/** The name of the model of a letter or digit. */
function modelOf(character: string): string {
  return `${/\d/.test(character) ? 'digit' : 'letter'}-${character.toLowerCase()}`;
}

function lookOf(overlaps: boolean, stays: boolean): [color: ColorName, name: string] {
  if (overlaps) return ['clash', 'Overlaps another'];
  return stays ? ['second', 'Stays'] : ['surface', 'Free'];
}

function tone(overlaps: number): 'good' | 'bad' {
  return overlaps === 0 ? 'good' : 'bad';
}

function escapedOf(
  rounds: readonly { readonly escaped: number | null }[],
  bodies: readonly { readonly character: string }[],
): string | null {
  const names = rounds.flatMap(({ escaped }) => (escaped === null ? [] : [bodies[escaped].character]));
  return names.length === 0 ? null : names.join(', ');
}

function middleOf(place: Pose): Vec3 {
  return pose.transformPoint(place, LETTER_CENTER);
}

/** Around all letters whose middles these are. */
function boxAround(middles: readonly Vec3[]): Box {
  const along = (pick: (...values: number[]) => number, sign: number): Vec3 =>
    [0, 1, 2].map((k) => pick(...middles.map((middle) => middle[k])) + sign * LETTER_RADIUS) as Vec3;
  return { min: along(Math.min, -1), max: along(Math.max, 1) };
}
