// A heap of letters and digits in random poses that overlap, and how it is untangled. Letters are built once each.
import { createRandom, type Pose, type ProgressOptions, pose, quat, type Vec3, vec3 } from 'nearfield/core';
import { type Mesh, models } from 'nearfield/mesh';
import { preparePenetration, type SeparateRound, separateBodies } from 'nearfield/penetration';
import { ProximityModel } from 'nearfield/proximity';

export interface HeapInput {
  readonly count: number;
  readonly seed: number;
}

export interface LetterHeap {
  readonly bodies: readonly { readonly character: string; readonly mesh: Mesh }[];
  readonly poses: readonly Pose[];
}

export interface Untangled {
  readonly status: 'separated' | 'rounds';
  readonly poses: readonly Pose[];
  readonly moves: readonly Vec3[];
  readonly rounds: readonly SeparateRound[];
  /** Pairs that still overlap. */
  readonly remaining: readonly (readonly [a: number, b: number])[];
  readonly milliseconds: number;
}

/** The middle of a letter of height 1. */
export const LETTER_CENTER: Vec3 = [0, 0.5, 0];
/** The radius of the ball that the middles are in, times the cube root of their number: most then overlap some others. */
const CROWDING = 0.38;
const CHARACTERS = models.filter(({ name }) => /^(letter|digit)-/.test(name));
const prepared = new Map<Mesh, ProximityModel>();
const meshes = new Map<string, Mesh>();

export function buildHeap({ count, seed }: HeapInput): LetterHeap {
  const random = createRandom(seed);
  const drawn = Array.from({ length: count }, () => CHARACTERS[random.integer(CHARACTERS.length)]);
  const poses = drawn.map(() => {
    const out = CROWDING * Math.cbrt(count * random.next());
    const turn = random.rotation();
    const middle = vec3.scale(random.direction(), out);
    return pose.create(vec3.subtract(middle, quat.rotate(turn, LETTER_CENTER)), turn);
  });
  const bodies = drawn.map((letter) => ({ character: letter.title.slice(-1), mesh: meshOf(letter) }));
  return { bodies, poses };
}

/** Untangles the heap in up to `maxRounds` rounds; null sets no limit. The first letter stays where it is if that is wanted. */
export function untangleHeap(
  { maxRounds, firstStays, ...heap }: HeapInput & { maxRounds: number | null; firstStays: boolean },
  options: ProgressOptions,
): Untangled {
  const { bodies, poses } = buildHeap(heap);
  const tangle = bodies.map(({ mesh }, i) => ({ model: modelOf(mesh), pose: poses[i], fixed: firstStays && i === 0 }));
  const began = performance.now();
  const {
    status,
    poses: after,
    moves,
    rounds,
    remaining,
  } = separateBodies(tangle, { maxRounds: maxRounds ?? undefined, ...options });
  return { status, poses: after, moves, rounds, remaining, milliseconds: performance.now() - began };
}

function meshOf({ name, build }: (typeof CHARACTERS)[number]): Mesh {
  const mesh = meshes.get(name) ?? build();
  meshes.set(name, mesh);
  return mesh;
}

/** Made ready, so that the time told is that of the untangling. */
function modelOf(mesh: Mesh): ProximityModel {
  const known = prepared.get(mesh);
  if (known !== undefined) return known;
  const model = new ProximityModel(mesh);
  preparePenetration(model);
  prepared.set(mesh, model);
  return model;
}
