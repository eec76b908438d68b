import { vec3 } from 'nearfield/core';
import { penetrationBenchmarks } from '../../../bench/scenarios/penetration.js';
import { depthCode, pairSources } from '../../code/penetration.js';
import type { Values } from '../../controls.js';
import { formatNumber } from '../../figures.js';
import { shiftPose } from '../../hand.js';
import {
  DESCENT_OPTIONS,
  depthFigures,
  drawBodies,
  followPair,
  levelTable,
  loadPair,
  METHOD_OPTIONS,
  pairControls,
  pairInput,
  QUERY_OPTIONS,
} from '../../penetration-pair.js';
import { defineScene } from '../../scene.js';
import { CURVE } from '../../viewer/view.js';

const byImages = ({ method }: Values): boolean => method === 'image-space';

export default defineScene({
  title: 'Penetration depth',
  chapter: 'Penetration',
  rank: 1,
  summary:
    'The shortest translation of A that separates two solids, as an arrow from the point that touches last, and A moved by it. Choose one of four benchmarks of Kim, Otaduy, Lin and Manocha 2002, or any two models; drag one and watch the arrow.',
  picture: 'seeThrough=yes&view=25,35,1.35',
  controls: {
    ...pairControls(),
    method: { kind: 'choice', label: 'Method', options: METHOD_OPTIONS },
    gap: {
      kind: 'slider',
      label: 'Gap wanted',
      hint: 'between the proven bounds, as a fraction of the upper one',
      min: 1e-6,
      max: 0.1,
      initial: 1e-3,
      logarithmic: true,
      visible: ({ method }) => method === 'certified',
    },
    descent: { kind: 'choice', label: 'Descent', options: DESCENT_OPTIONS },
    query: { kind: 'choice', label: 'Seen by', options: QUERY_OPTIONS, visible: byImages },
    resolution: {
      kind: 'slider',
      label: 'Resolution',
      hint: 'pixels along each side of the six views at the last level',
      min: 16,
      max: 512,
      step: 16,
      initial: 256,
      visible: byImages,
    },
    ghost: { kind: 'checkbox', label: 'Show A moved out', initial: true },
    turn: { kind: 'checkbox', label: 'Let A turn too', hint: 'takes a few seconds', initial: false },
    seeThrough: { kind: 'checkbox', label: 'See through the bodies', initial: false },
  },
  follow: followPair,

  async code({ values, run }) {
    const { method, gap, descent, query, resolution } = values;
    const pair = await loadPair(values, run);
    return depthCode(pairSources(values, pair), pair, { method, relativeGap: gap, descent, query, resolution });
  },

  async draw({ values, view, figures, table, run, set }) {
    const { method, descent, query, resolution, drag, hand, seeThrough } = values;
    const pair = await loadPair(values, run);
    view.frame(pair.bounds);
    drawBodies(view, pair, { drag, hand, opacity: seeThrough ? 0.35 : 1 }, (moved) => set('hand', moved));
    const result = await run('measurePair', {
      ...pairInput(pair),
      method,
      relativeGap: values.gap,
      descent,
      query,
      resolution,
    });
    const { depth, vector, pointA, pointB } = result;
    if (values.ghost && depth > 0) {
      view.addMesh(pair.meshes[0], {
        pose: shiftPose(pair.poses[0], vector),
        color: 'ghost',
        shading: 'smooth',
        opacity: 0.3,
        name: 'A moved out',
      });
    }
    if (depth > 0) {
      view.addLines(await run('crossPair', pairInput(pair)), { ...CURVE, name: 'Where the surfaces cross' });
    }
    if (pointA !== null && depth > 0) {
      const end = vec3.add(pointA, vector);
      view.addArrow(pointA, end, { color: 'boundary', width: 4, onTop: true, name: 'The way out' });
      view.addPoints(Float64Array.from(pointB ?? end), { color: 'boundary', size: 8, onTop: true });
      view.addLabel(end, formatNumber(depth, 4));
    }
    figures('Answer', depthFigures(result));
    if (pointA !== null && pointB !== null) {
      figures('Where they touch at last', [
        { id: 'pointA', label: 'On A as it stands', value: pointA },
        { id: 'pointB', label: 'On B', value: pointB },
        { id: 'featureA', label: 'A’s', value: result.featureA?.kind ?? null },
        { id: 'featureB', label: 'B’s', value: result.featureB?.kind ?? null },
      ]);
    }
    if (values.turn) {
      const turned = await run('measureTurned', { ...pairInput(pair), relativeGap: values.gap });
      const degrees = vec3.length(turned.rotation) * (180 / Math.PI);
      if (turned.status === 'rotation') {
        view.addMesh(pair.meshes[0], {
          pose: turned.pose,
          color: 'near',
          shading: 'smooth',
          opacity: 0.4,
          name: 'A moved and turned out',
        });
      }
      figures('Turned too', [
        { id: 'turnedDepth', label: 'No point of A moves more than', value: turned.depth, unit: 'm' },
        { id: 'turnedStatus', label: 'Status', value: turned.status },
        { id: 'turnedBy', label: 'A turns by', value: degrees, unit: '°' },
        { id: 'turnedTranslation', label: 'A’s origin moves by', value: turned.translation },
        { id: 'turnedPose', label: 'A’s pose then', value: turned.pose.join(' ') },
        { id: 'evaluations', label: 'Poses tried', value: turned.evaluations },
      ]);
    }
    table('Levels', levelTable(result));
    const benchmark = penetrationBenchmarks.find(({ name }) => name === values.pair);
    if (benchmark !== undefined) {
      const { pieces, depth: printed, seconds, unacceleratedSeconds } = benchmark.document;
      figures('Kim et al. 2002', [
        { id: 'documentDepth', label: 'Depth', value: printed },
        { id: 'documentPieces', label: 'Convex pieces', value: pieces.join(' and ') },
        { id: 'documentSeconds', label: 'Time', value: seconds, unit: 's' },
        { id: 'documentPlainSeconds', label: 'Without acceleration', value: unacceleratedSeconds, unit: 's' },
      ]);
    }
    figures(
      'Models',
      pair.meshes.map(({ indices }, body) => ({
        id: `triangles${body}`,
        label: `Triangles of ${'AB'[body]}`,
        value: indices.length / 3,
      })),
    );
  },
});
