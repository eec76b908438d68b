import { vec3 } from 'nearfield/core';
import { localAgainstGlobal } from '../../../bench/scenarios/penetration.js';
import { depthCode } from '../../code/penetration.js';
import { savedSource } from '../../code/view-code.js';
import { formatNumber } from '../../figures.js';
import { shiftPose } from '../../hand.js';
import { depthFigures, drawBodies, pairControls, pairInput, placePair } from '../../penetration-pair.js';
import { defineScene } from '../../scene.js';
import { CURVE } from '../../viewer/view.js';

const { drag, hand } = pairControls();
const HOW = { method: 'certified', relativeGap: 1e-3, descent: 'probes', query: 'rays', resolution: 256 } as const;
const NAMES = ['I', 'C'];

export default defineScene({
  title: 'Local against global',
  chapter: 'Penetration',
  rank: 4,
  summary:
    'An I across the mouth of a C (Kim, Otaduy, Lin and Manocha 2002, figure 1). A local method moves the deepest point out by the shortest way, which pushes the other end in deeper. The global answer moves the I out through the mouth. Drag the I and compare.',
  picture: 'view=14,20,1.42,0.05,0,0',
  controls: {
    drag,
    hand: { ...hand, bodies: NAMES },
    shows: {
      kind: 'choice',
      label: 'Show the I moved',
      options: [
        { value: 'both', label: 'Both ways' },
        { value: 'local', label: 'Local' },
        { value: 'global', label: 'Global' },
        { value: 'neither', label: 'Not' },
      ],
    },
  },

  async code({ values, run }) {
    const pair = placePair(await run('buildPair', { pair: localAgainstGlobal.name }), values.hand);
    const [i, c] = pair.meshes;
    return depthCode([savedSource('letter-i', i), savedSource('letter-c', c)], pair, HOW);
  },

  async draw({ values, view, figures, run, set }) {
    const { shows } = values;
    const built = await run('buildPair', { pair: localAgainstGlobal.name });
    const pair = placePair(built, values.hand);
    view.frame(pair.bounds);
    const look = { names: NAMES, drag: values.drag, hand: values.hand, opacity: 0.6 };
    drawBodies(view, pair, look, (moved) => set('hand', moved));
    const input = pairInput(pair);
    const local = await run('pushLocally', input);
    const result = await run('measurePair', { ...input, ...HOW });
    if (result.depth > 0) view.addLines(await run('crossPair', input), { ...CURVE, name: 'Where the surfaces cross' });
    const [meshI] = pair.meshes;
    const [poseI] = pair.poses;
    if ((shows === 'both' || shows === 'local') && local.depth > 0) {
      const moved = shiftPose(poseI, local.vector);
      view.addMesh(meshI, { pose: moved, color: 'clash', opacity: 0.3, name: 'Moved by the local answer' });
    }
    if ((shows === 'both' || shows === 'global') && result.depth > 0) {
      const moved = shiftPose(poseI, result.vector);
      view.addMesh(meshI, { pose: moved, color: 'ghost', opacity: 0.3, name: 'Moved by the global answer' });
    }
    if (local.deepest !== null && shows !== 'global') {
      const from = local.of === 'A' ? local.deepest : (local.surface ?? local.deepest);
      const end = vec3.add(from, local.vector);
      view.addArrow(from, end, { color: 'crossing', onTop: true, name: 'Local' });
      view.addLabel(end, formatNumber(local.depth, 4));
    }
    if (result.pointA !== null && result.depth > 0 && shows !== 'local') {
      const end = vec3.add(result.pointA, result.vector);
      view.addArrow(result.pointA, end, { color: 'probe', onTop: true, name: 'Global' });
      view.addLabel(end, formatNumber(result.depth, 4));
    }
    const tone = (apart: boolean) => (result.depth === 0 ? {} : ({ tone: apart ? 'good' : 'bad' } as const));
    figures('Local', [
      { id: 'localDepth', label: 'Depth of the deepest point', value: local.depth, unit: 'm' },
      { id: 'localVector', label: 'The I moves by', value: local.vector },
      { id: 'localSeparates', label: 'Then apart', value: local.separates, ...tone(local.separates) },
      { id: 'pushes', label: 'Pushed so, times', value: local.pushes },
      { id: 'apartAtLast', label: 'Apart after all', value: local.separatesAtLast, ...tone(local.separatesAtLast) },
      { id: 'movedAtLast', label: 'Moved in all', value: vec3.length(local.movedAtLast), unit: 'm' },
    ]);
    const check = await run('testApart', { ...input, moved: result.vector.join(' ') });
    figures('Global', [
      ...depthFigures(result),
      { id: 'globalSeparates', label: 'Then apart', value: check, ...tone(check) },
    ]);
  },
});
