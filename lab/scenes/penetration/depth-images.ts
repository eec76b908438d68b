import { type Box, box } from 'nearfield/core';
import { PENETRATION_DEFAULTS } from 'nearfield/penetration';
import { depthCode, pairSources } from '../../code/penetration.js';
import { linearScaleColor } from '../../color-scale.js';
import {
  depthFigures,
  drawPairBeside,
  followPair,
  levelTable,
  loadPair,
  pairControls,
  pairInput,
} from '../../penetration-pair.js';
import { defineScene } from '../../scene.js';

const VIEWS = ['+x', '−x', '+y', '−y', '+z', '−z'] as const;
const { drag: _, ...controls } = pairControls('letters');

export default defineScene({
  title: 'Depth images',
  chapter: 'Penetration',
  rank: 3,
  summary:
    'What the image-space method sees: from the origin, through the six sides of a cube, the distance to the boundary of all Minkowski sums. Level by level the pieces get smaller and the images sharper. The darkest pixel gives the shortest translation.',
  picture: 'pair=interlocked-tori&level=6&view=12,18,1.25',
  opening: 'view=12,18,1.25',
  controls: {
    ...controls,
    level: {
      kind: 'slider',
      label: 'Level',
      hint: '0: the hulls of the whole models',
      min: 0,
      max: 16,
      step: 1,
      initial: 16,
    },
    resolution: {
      kind: 'slider',
      label: 'Resolution',
      hint: 'pixels along each side of the six views at the last level',
      min: 16,
      max: 256,
      step: 16,
      initial: 128,
    },
    bodies: { kind: 'checkbox', label: 'The two bodies beside', initial: true },
  },
  follow: followPair,

  async code({ values, run }) {
    const pair = await loadPair(values, run);
    const { resolution } = values;
    const coarseResolution = Math.min(PENETRATION_DEFAULTS.coarseResolution, resolution);
    const how = { method: 'image-space', descent: 'levels', query: 'windows', resolution, coarseResolution } as const;
    return depthCode(pairSources(values, pair), pair, how);
  },

  async draw({ values, view, figures, table, images, limit, run, set }) {
    const { level, resolution } = values;
    const pair = await loadPair(values, run);
    const input = { ...pairInput(pair), query: 'windows', resolution } as const;
    const result = await run('tracePair', input);
    const seen = await run('showDepthImages', { ...input, level });
    const { distances, surface, faceDistances, vector, estimate } = seen;
    const { low, high, darkest } = rangeOf(distances, seen.resolution);
    const drawn = surface.indices.length > 0;
    const translations: Box = drawn ? box.ofPositions(surface.positions) : { min: [-1, -1, -1], max: [1, 1, 1] };
    if (values.bodies) await drawPairBeside(view, pair, translations, result, run);
    else view.frame(translations);
    if (drawn) {
      const faceColors = new Float32Array(3 * faceDistances.length);
      faceDistances.forEach((distance, face) => {
        faceColors.set(linearScaleColor((distance - low) / (high - low || 1)), 3 * face);
      });
      view.addMesh(surface, { faceColors, opacity: 0.75 });
    }
    view.addPoints([0, 0, 0], { color: 'reflex', size: 8, onTop: true, name: 'The origin: A where it is' });
    view.addArrow([0, 0, 0], vector, { color: 'boundary', onTop: true, name: 'The way out' });
    if (distances !== null) {
      images('Seen from the origin', {
        id: 'views',
        label: `How far the origin sees in the six views, from ${low} to ${high}`,
        names: VIEWS,
        resolution: seen.resolution,
        values: distances,
        low,
        high,
        unit: 'm',
        mark: darkest,
      });
    }
    const last = result.levels.at(-1)?.level ?? 0;
    limit('level', last);
    figures('Level', [
      { id: 'level', label: 'Level', value: Math.min(level, last) },
      { id: 'estimate', label: 'Estimate', value: estimate, unit: 'm' },
      { id: 'nearest', label: 'Nearest pixel', value: darkest === null ? null : low, unit: 'm' },
      { id: 'view', label: 'It is in view', value: darkest === null ? null : VIEWS[darkest.image] },
      { id: 'side', label: 'Pixels along a side', value: seen.resolution },
    ]);
    table(
      'Levels',
      levelTable(result, Math.min(level, last), (chosen) => set('level', chosen)),
    );
    figures('Answer', depthFigures(result));
  },
});

/** The least and the largest of the distances, and the pixel of the least. */
function rangeOf(distances: Float32Array | null, resolution: number) {
  let [low, high, at] = [Infinity, 0, -1];
  distances?.forEach((distance, i) => {
    if (!Number.isFinite(distance)) return;
    if (distance < low) [low, at] = [distance, i];
    if (distance > high) high = distance;
  });
  if (at < 0) return { low: 0, high: 1, darkest: null };
  const pixel = at % resolution ** 2;
  const image = Math.floor(at / resolution ** 2);
  return { low, high, darkest: { image, column: pixel % resolution, row: Math.floor(pixel / resolution) } };
}
