import { NearfieldError } from '../../../core/errors.js';
import type { ImpactResult, LeastClearance } from '../../../proximity/impact/impact-result.js';
import type { BodyMotion, Motion } from '../../../proximity/impact/motion.js';
import { takeLength, takePose, takePositionals, takeString } from '../../arguments.js';
import { loadMotion } from '../../impact/motion-file.js';
import { loadPair } from '../../load-proximity.js';
import { labeled, readable, readableFeature, readableVector } from '../../table.js';
import type { Answer, Verb, VerbInput } from '../../verb.js';

const POSES = ['from-a', 'to-a', 'from-b', 'to-b'] as const;

export const impact: Verb = {
  name: 'impact',
  summary: 'finds when two moving models first meet, with a proven bracket of the time',
  usage: 'impact A B [--from-a P] [--to-a P] [--from-b P] [--to-b P] [--motion FILE] [--clearance C]',
  help: `From time 0 to time 1 the origin of each model moves evenly on a straight line, and the model turns evenly the shorter
way; a turn by 180 degrees is refused. The whole motion is searched, not samples of it: from the start to "lower" the
models are proven apart, and at "upper" they meet. Models that meet at the start have time 0.
  --from-a P, --to-a P, --from-b P, --to-b P   where the motion starts and ends: tx,ty,tz,qx,qy,qz,qw
                       (default of --from: as in the file; of --to: as --from)
  --motion FILE        keyframes in place of the poses: {"A":[{"time":0,"pose":[…]}, …],"B":[…]}, a pose of 7 numbers or
                       a matrix of 16, a single pose for a model at rest; or a frames file, spread from time 0 to 1
  --clearance C        an impact is a distance of at most C (default 0)
  --tolerance T        grazing nearer than C + T that cannot be decided counts as an impact, with "exact" false
                       (default 1e-9 of the larger model's radius)
  --least              without impact, also the least distance on the way, proven to --relative-error E (default 0.01)

  nearfield impact arm.stl table.stl --to-a 0,-1,0,0,0,0,1
  nearfield impact part.obj fixture.obj --motion insert.json --clearance 0.002 --least --json | jq .least`,
  options: {
    ...Object.fromEntries(POSES.map((name) => [name, { type: 'string' } as const])),
    motion: { type: 'string' },
    clearance: { type: 'string' },
    tolerance: { type: 'string' },
    least: { type: 'boolean' },
    'relative-error': { type: 'string' },
  },
  async run(input) {
    const [pathA, pathB] = takePositionals(input, 'impact', ['A', 'B']);
    const motion = await takeMotion(input);
    const options = {
      clearance: takeLength(input, 'clearance') ?? undefined,
      tolerance: takeLength(input, 'tolerance') ?? undefined,
    };
    const relativeError = takeLength(input, 'relative-error') ?? undefined;
    const { pair, preprocessMs } = await loadPair(
      pathA,
      pathB,
      { volume: 'boxes', hulls: { a: null, b: null }, queries: 1, coherence: false },
      input.progress,
    );
    const begin = performance.now();
    const found = input.values.least
      ? pair.validateMotion(motion, { ...options, relativeError })
      : pair.timeOfImpact(motion, options);
    const milliseconds = performance.now() - begin;
    return describeImpact({ pathA, pathB, found, preprocessMs, milliseconds });
  },
};

/** What was found of two moving models. */
interface FoundImpact {
  readonly pathA: string;
  readonly pathB: string;
  /** `least` is undefined unless it was asked for. */
  readonly found: ImpactResult & { readonly least?: LeastClearance | null };
  readonly preprocessMs: number;
  readonly milliseconds: number;
}

function describeImpact({ pathA, pathB, found, preprocessMs, milliseconds }: FoundImpact): Answer {
  const { status, time, lower, upper, exact, witness, counters, least } = found;
  return {
    json: {
      impact: found.impact,
      time,
      lower,
      upper,
      exact,
      status,
      pointA: witness?.pointA ?? null,
      pointB: witness?.pointB ?? null,
      normal: witness?.normal ?? null,
      featureA: witness?.featureA ?? null,
      featureB: witness?.featureB ?? null,
      distance: witness?.distance ?? null,
      ...(least !== undefined && { least: least && describeLeast(least) }),
      counters,
      preprocessMs,
      milliseconds,
    },
    text: labeled([
      ['A', pathA],
      ['B', pathB],
      ['impact', status === 'impact' ? (exact ? 'yes' : 'yes, within the tolerance') : 'no'],
      ...(upper === null
        ? [['proven clear until', readable(lower)] as const]
        : ([
            ['time', readable(time!)],
            ['bracket', `${lower} to ${upper}`],
            ['point on A', `${readableVector(witness!.pointA)} ${readableFeature(witness!.featureA)}`],
            ['point on B', `${readableVector(witness!.pointB)} ${readableFeature(witness!.featureB)}`],
            ['normal', readableVector(witness!.normal)],
          ] as const)),
      ...(!least
        ? []
        : [
            [
              'least distance',
              `${readable(least.lower)} to ${readable(least.upper)}, at time ${readable(least.time)}`,
            ] as const,
          ]),
      [
        'tested',
        `${readable(counters.volumePairs)} pairs of boxes, ${readable(counters.trianglePairs)} of triangles, in motion`,
      ],
      ['milliseconds', `${milliseconds.toFixed(2)}, after ${preprocessMs.toFixed(1)} to prepare`],
    ]),
    warnings: status === 'unresolved' ? [`The search was stopped; nothing is known after time ${lower}.`] : [],
  };
}

async function takeMotion(input: VerbInput): Promise<Motion> {
  const file = takeString(input, 'motion');
  if (file !== null) {
    const given = POSES.find((name) => takeString(input, name) !== null);
    if (given !== undefined) {
      throw new NearfieldError('bad-argument', `--motion and --${given} were both given; choose one`);
    }
    return loadMotion(file);
  }
  const body = (name: 'a' | 'b'): BodyMotion => {
    const from = takePose(input, `from-${name}`);
    return { from, to: takeString(input, `to-${name}`) === null ? from : takePose(input, `to-${name}`) };
  };
  return { a: body('a'), b: body('b') };
}

function describeLeast({ lower, upper, time, witness }: LeastClearance): object {
  return { lower, upper, time, pointA: witness.pointA, pointB: witness.pointB, normal: witness.normal };
}
