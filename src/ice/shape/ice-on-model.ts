// Growth on the surface of a model: a grid around it, its distance field to know where, and seeds on its triangles.
import { diagonal, grow, ofPositions } from '../../core/box.js';
import { checkedElsewhere, optionTable, PROGRESS_RULES } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, partOfProgress } from '../../core/progress.js';
import { createRandom } from '../../core/random.js';
import type { Vec3 } from '../../core/vec3.js';
import { computeFieldSync } from '../../field/compute-field.js';
import { gridNodeCount, gridOverBox } from '../../field/grid.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import { createIce } from '../create-ice.js';
import type { Ice } from '../ice.js';
import { ICE_DEFAULTS, ICE_OPTIONS, type IceOptions, positive, setupOf } from '../options.js';
import { ICE_PRESETS } from '../parameters.js';

/** Options of {@link createIceOnModel}: those of a growth, without what the model decides. */
export interface IceOnModelOptions extends Omit<IceOptions, 'size' | 'origin' | 'spacing' | 'seeds'>, ProgressOptions {
  /** Cells along the longest side of the grid. Default 64. */
  readonly resolution?: number | undefined;
  /** How far from the surface ice can grow. Default: a tenth of the diagonal of the model's box. */
  readonly reach?: number | undefined;
  /** Seeds at random places of the surface, by `seed`. Default 24. */
  readonly seedCount?: number | undefined;
  /** Points to start from, in place of random ones. */
  readonly seedPoints?: readonly (readonly number[])[] | undefined;
}

const { size: _size, spacing: _spacing, origin: _origin, seeds: _seeds, ...GROWTH_RULES } = ICE_OPTIONS.rules;
const MODEL_OPTIONS = optionTable<IceOnModelOptions>()({
  ...GROWTH_RULES,
  resolution: checkedElsewhere(),
  reach: checkedElsewhere(),
  seedCount: checkedElsewhere(),
  seedPoints: checkedElsewhere(),
  ...PROGRESS_RULES,
});

/** Chosen: the radius of a seed, in spacings. */
const SEED_RADIUS = 2.5;

/**
 * Starts a growth in a layer around a closed model: the inside and places farther than `reach` are obstacles. Lengths of
 * the parameters are scaled so that a cell is as large as in the preset.
 * @throws NearfieldError as `createIce` and `computeField` do.
 */
export async function createIceOnModel(mesh: Mesh, options: IceOnModelOptions = {}): Promise<Ice> {
  assertMesh(mesh);
  MODEL_OPTIONS.assert(options);
  const { resolution, reach, seedCount, seedPoints, signal, onProgress, ...growth } = options;
  const box = ofPositions(mesh.positions);
  const depth = positive(reach ?? ICE_DEFAULTS.reach * diagonal(box), 'reach');
  const cells = resolution ?? ICE_DEFAULTS.modelResolution;
  const frame = gridOverBox(grow(box, 1.1 * depth), cells);
  const scale = frame.spacing / (ICE_PRESETS[growth.preset ?? ICE_DEFAULTS.preset]?.spacing ?? 1);
  const base = setupOf({ ...growth, size: [1, 1] }).parameters;
  const field = computeFieldSync(mesh, frame, { method: 'exact', ...partOfProgress({ signal, onProgress }, 0, 0.9) });
  const room = Uint8Array.from(field.values, (distance) => (distance >= 0 && distance <= depth ? 1 : 0));
  const ice = await createIce({
    ...growth,
    size: frame.size,
    origin: frame.origin,
    spacing: frame.spacing,
    timestep: growth.timestep ?? setupOf({ ...growth, size: [1, 1, 2] }).timestep,
    parameters: {
      ...growth.parameters,
      epsilon: base.epsilon * scale,
      diffusivity: base.diffusivity * scale * scale,
    },
    seeds: [],
  });
  ice.write({ room, phase: new Uint8Array(gridNodeCount(frame)) });
  const points =
    seedPoints ?? randomPoints(mesh, seedCount ?? ICE_DEFAULTS.seedCount, growth.seed ?? ICE_DEFAULTS.seed);
  ice.paint(points.map((center) => ({ center, radius: SEED_RADIUS * frame.spacing, phase: 1 })));
  return ice;
}

/** Points on the surface, uniform by area. */
function randomPoints({ positions, indices }: Mesh, count: number, seed: number): Vec3[] {
  if (!Number.isInteger(count) || count < 0 || count > 1e6) {
    throw new NearfieldError('bad-argument', `The number of seeds is ${count}; give a whole number from 0 to 1000000.`);
  }
  const random = createRandom(seed);
  const sums = new Float64Array(indices.length / 3);
  let total = 0;
  const corner = (face: number, k: number, axis: number): number => positions[3 * indices[3 * face + k] + axis];
  for (let face = 0; face < sums.length; face++) {
    const [a, b] = [1, 2].map((k) => [0, 1, 2].map((axis) => corner(face, k, axis) - corner(face, 0, axis)));
    total += Math.hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
    sums[face] = total;
  }
  return Array.from({ length: count }, () => {
    const at = random.next() * total;
    let low = 0;
    let high = sums.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle] > at) high = middle;
      else low = middle + 1;
    }
    const root = Math.sqrt(random.next());
    const v = random.next() * root;
    const w = 1 - root;
    return [0, 1, 2].map(
      (axis) => w * corner(low, 0, axis) + v * corner(low, 1, axis) + (1 - w - v) * corner(low, 2, axis),
    ) as Vec3;
  });
}
