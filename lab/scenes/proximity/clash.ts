import { type Box, box, type Vec3, vec3 } from 'nearfield/core';
import type { GradedClash } from 'nearfield/penetration';
import { clashCode } from '../../code/proximity.js';
import { formatNumber } from '../../figures.js';
import { MODEL_FILES } from '../../model-files.js';
import { defineScene } from '../../scene.js';
import { CURVE } from '../../viewer/view.js';

/** The most rows of the table. */
const ROWS = 200;
const MAX_PARTS = 1e9;
const CROSSING = 'Where surfaces cross';
const shading = 'smooth';

export default defineScene({
  title: 'Clashes of an assembly',
  chapter: 'Proximity',
  rank: 1,
  summary:
    'Every pair of parts that overlap, touch or are closer than a clearance, with the depth of each overlap and the way out. Drop a STEP, IFC, 3MF or GLB file of an assembly on this page, or try the sample. Press a row to zoom to one clash.',
  picture: 'view=25,14,1.25',
  controls: {
    file: { kind: 'file', label: 'Open a file…', accept: MODEL_FILES },
    sample: {
      kind: 'button',
      label: 'Back to the sample',
      visible: ({ file }) => file !== null,
      press: ({ set }) => set('file', null),
    },
    clearance: {
      kind: 'slider',
      label: 'Clearance',
      hint: 'in units of the file; the sample is in millimeters',
      min: 1e-5,
      max: 100,
      logarithmic: true,
      initial: 0.05,
    },
    /** The row that is framed, from 1; 0 for none. */
    row: { kind: 'slider', label: 'Clash', min: 0, max: ROWS, step: 1, initial: 0, visible: () => false },
    /** The parts of the pair that a link asks for, from 1; 0 for none. A row comes first. */
    a: { kind: 'slider', label: 'Part', min: 0, max: MAX_PARTS, step: 1, initial: 0, visible: () => false },
    b: { kind: 'slider', label: 'Part', min: 0, max: MAX_PARTS, step: 1, initial: 0, visible: () => false },
    all: {
      kind: 'button',
      label: 'Show the whole assembly',
      press: ({ set }) => set('row', 0),
    },
    seeThrough: { kind: 'checkbox', label: 'See through parts around others', initial: true },
    points: { kind: 'checkbox', label: 'Closest points', initial: true },
  },

  follow: (changed) =>
    changed === 'file' || changed === 'clearance' ? { row: 0, a: 0, b: 0 } : changed === 'row' ? { a: 0, b: 0 } : {},

  code: ({ values }) => clashCode(values),

  async draw({ values, view, figures, table, run, set, tellUnit }) {
    const { file, row, clearance } = values;
    const input = { name: file?.name ?? 'sample', bytes: file?.bytes ?? null };
    const { names, triangles, bounds, unit } = await run('openAssembly', input);
    tellUnit(unit);
    const { clashes, pairsTested, milliseconds, ...parts } = await run('findClashes', {
      ...input,
      clearance,
      seeThrough: values.seeThrough,
    });
    const linked = clashes.findIndex(({ a, b }) => a + 1 === values.a && b + 1 === values.b);
    const current = row > 0 ? row - 1 : linked;
    const shown = clashes[current];

    if (shown === undefined) {
      view.frame(bounds);
      if (parts.clear.indices.length > 0) view.addMesh(parts.clear, { shading, name: 'Clear' });
      if (parts.near.indices.length > 0) view.addMesh(parts.near, { color: 'near', shading, name: 'Too near' });
      if (parts.intersecting.indices.length > 0) {
        view.addMesh(parts.intersecting, { color: 'clash', shading, name: 'Interfering' });
      }
      if (parts.touching.indices.length > 0)
        view.addMesh(parts.touching, { color: 'touch', shading, name: 'Touching' });
      if (parts.around.indices.length > 0) view.addMesh(parts.around, { shading, opacity: 0.15 });
      view.addLines(parts.curves, { ...CURVE, name: CROSSING });
    } else {
      const { a, b, rest, curves } = await run('showClash', { ...input, a: shown.a, b: shown.b });
      view.frame(
        focusOf(
          shown,
          [a, b].map((mesh) => box.ofPositions(mesh.positions)),
        ),
      );
      if (rest.indices.length > 0) view.addMesh(rest, { shading, opacity: 0.15 });
      view.addMesh(a, { color: 'bodyA', shading, opacity: 0.7, name: names[shown.a] });
      view.addMesh(b, { color: 'bodyB', shading, opacity: 0.7, name: names[shown.b] });
      view.addLines(curves, { ...CURVE, name: CROSSING });
      view.addLabel(shown.pointB, describe(shown));
      if (shown.vector !== null) {
        const end = vec3.add(shown.pointA, shown.vector);
        view.addArrow(shown.pointA, end, { color: 'ghost', width: 4, onTop: true, name: 'The way out' });
      }
    }
    if (values.points) {
      const points = (shown === undefined ? clashes : [shown]).flatMap(({ pointA, pointB }) => [...pointA, ...pointB]);
      const ends = Float64Array.from(points);
      view.addLines(ends, { color: 'probe', width: 2.5, onTop: true });
      view.addPoints(ends, { color: 'probe', size: 7, onTop: true, name: 'Closest points' });
    }

    const count = (wanted: string): number => clashes.filter(({ grade }) => grade === wanted).length;
    const interfering = count('interference');
    figures('Clashes', [
      {
        id: 'interfering',
        lead: 'Pairs of parts overlap; the list has the depth of each and the way out.',
        label: 'Pairs that overlap',
        value: interfering,
        tone: interfering > 0 ? 'bad' : 'good',
      },
      { id: 'touching', label: 'Pairs that touch', value: count('touch') },
      { id: 'near', label: 'Pairs too near', value: count('clearance') },
      { id: 'pairsTested', label: 'Pairs whose boxes are near', value: pairsTested },
      { id: 'milliseconds', label: 'Time', value: milliseconds, unit: 'ms', decimals: 1 },
    ]);
    table('Pairs, worst first', {
      columns: ['Part', 'Part', 'Grade', 'Depth or distance'],
      rows: clashes.slice(0, ROWS).map((clash, i) => ({
        id: `${clash.a}-${clash.b}`,
        cells: [
          names[clash.a],
          names[clash.b],
          clash.grade,
          clash.intersects ? (clash.upper ?? 'unknown') : clash.distance,
        ],
        tone: clash.grade === 'interference' ? 'bad' : undefined,
        current: i === current,
        press: () => set('row', i + 1),
      })),
      ...(clashes.length > ROWS ? { note: `and ${formatNumber(clashes.length - ROWS)} more pairs` } : {}),
      ...(values.a > 0 && values.b > 0 && row === 0 && linked < 0
        ? { note: 'The pair of the link is not among these: the file has changed, or the clearance is smaller.' }
        : {}),
      ...(clashes.length === 0 ? { note: 'No two parts are this close.' } : {}),
    });
    figures('Assembly', [
      { id: 'name', label: 'Name', value: input.name },
      { id: 'parts', label: 'Parts', value: names.length },
      { id: 'triangles', label: 'Triangles', value: triangles },
      { id: 'size', label: 'Size', value: box.size(bounds), unit: file === null ? 'mm' : 'm' },
    ]);
  },
});

/** The depth of an overlap with its interval, or the distance. */
function describe({ grade, lower, upper, distance }: GradedClash): string {
  if (grade === 'clearance') return formatNumber(distance, 4);
  if (grade === 'touch') return 'touch';
  if (lower === null || upper === null) return 'overlap, depth unknown';
  return `overlap ${formatNumber(upper, 4)}${upper - lower > 0.01 * upper ? `, at least ${formatNumber(lower, 4)}` : ''}`;
}

/** A cube around the two points that shows a good deal of the smaller part. */
function focusOf({ pointA, pointB }: { pointA: Vec3; pointB: Vec3 }, parts: readonly Box[]): Box {
  const middle = vec3.scale(vec3.add(pointA, pointB), 0.5);
  const half = 0.25 * Math.min(...parts.map(box.diagonal)) + vec3.distance(pointA, pointB);
  return box.grow({ min: middle, max: middle }, half);
}
