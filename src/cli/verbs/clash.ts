import { NearfieldError } from '../../core/errors.js';
import { partOfProgress } from '../../core/progress.js';
import { MAX_COORDINATE } from '../../core/tolerances.js';
import { type ClashGrade, type GradedClash, gradeClashes } from '../../penetration/clash/grade-clashes.js';
import { findClashes } from '../../proximity/assembly/find-clashes.js';
import { groupClashes } from '../../proximity/assembly/group-clashes.js';
import { takeLength, takeNumber, takeString } from '../arguments.js';
import { loadAssembly } from '../clash/assembly.js';
import { writeClashReport } from '../clash/clash-report.js';
import { describeClash } from '../clash/describe-clash.js';
import { readIgnoredPairs } from '../clash/ignore-list.js';
import { extensionOf, saveBytes } from '../load-model.js';
import { columns, labeled, readable, readableVector } from '../table.js';
import type { Verb } from '../verb.js';

/** The most groups of clashes that are printed without --json. */
const GROUPS_SHOWN = 30;
/** The time for all depths together, in seconds, unless --depth-seconds says otherwise. */
const DEPTH_SECONDS = 60;

export const clash: Verb = {
  name: 'clash',
  summary: 'finds the parts of an assembly that overlap, touch or are too close to each other',
  usage: 'clash FILE… [--clearance C] [--touch T] [--ignore "A,B"]… [--report REPORT.html]',
  help: `Tests every pair of parts in one or more files. A GLB has parts and instances; an STL or OBJ file is one part.
Closed parts are solids; touching counts as intersecting. Scaled and mirrored instances keep their shape. Each clash is
graded: interference with its depth and the way out, touch, or clearance for a gap that is too small.
  --clearance C        also report pairs at a distance of at most C (default 0: only pairs that intersect)
  --touch T            overlaps and gaps of at most T count as touching (default: 1e-6 of the smaller part's size)
  --ignore "A,B"       leave out pairs of a part named A and a part named B; * and ? stand for any characters and any one
                       character; repeat it for more pairs. "bolt*,*" leaves out every pair with a bolt
  --ignore-file FILE   a JSON file of such pairs: [["bolt*", "plate"], …]
  --depth-seconds S    the most time for all depths together (default ${DEPTH_SECONDS}; 0 for no depths)
  --report REPORT      write an HTML page with the points, the depth or distance and a picture of every clash
  --unit NAME          the name of the unit of length in the report (default: units)

  nearfield clash gearbox.glb --clearance 0.5 --report clashes.html
  nearfield clash engine.glb --touch 0.01 --ignore "bolt*,*"
  nearfield clash housing.stl shaft.stl gear.stl --clearance 0.2 --json | jq '.clashes[0]'`,
  options: {
    clearance: { type: 'string' },
    touch: { type: 'string' },
    ignore: { type: 'string', multiple: true },
    'ignore-file': { type: 'string' },
    'depth-seconds': { type: 'string' },
    report: { type: 'string' },
    unit: { type: 'string' },
  },
  async run(input) {
    const files = input.positionals;
    if (files.length === 0) {
      throw new NearfieldError('bad-argument', 'clash takes FILE…, at least one model. See nearfield clash --help');
    }
    const clearance = takeNumber(input, 'clearance', 0, { min: 0, max: MAX_COORDINATE });
    const touchTolerance = takeLength(input, 'touch') ?? undefined;
    const depthSeconds = takeNumber(input, 'depth-seconds', DEPTH_SECONDS, { min: 0 });
    const report = takeString(input, 'report');
    if (report !== null && !['html', 'htm'].includes(extensionOf(report))) {
      throw new NearfieldError('bad-argument', `${report}: the report is an HTML page; use the extension .html`);
    }
    const unit = takeString(input, 'unit') ?? 'units';
    const ignore = await readIgnoredPairs(input);
    const parts = await loadAssembly(files, partOfProgress(input.progress, 0, 0.2));
    const start = performance.now();
    const found = findClashes(parts, { clearance, ignore, ...partOfProgress(input.progress, 0.2, 0.5) });
    const clashes = gradeClashes(parts, found.clashes, {
      touchTolerance,
      maxMilliseconds: 1000 * depthSeconds,
      ...partOfProgress(input.progress, 0.5, report === null ? 1 : 0.8),
    });
    const groups = groupClashes(parts, clashes);
    const milliseconds = performance.now() - start;
    const { pairsTested, pairsIgnored } = found;
    if (report !== null) {
      const page = writeClashReport(
        { files, parts, clearance, clashes, groups, pairsTested, pairsIgnored, milliseconds, unit },
        partOfProgress(input.progress, 0.8, 1),
      );
      await saveBytes(report, new TextEncoder().encode(page));
    }
    const names = parts.map(({ name }) => name);
    const grades = countGrades(clashes);
    return {
      json: {
        parts: parts.length,
        pairsTested,
        pairsIgnored,
        clashes: clashes.map(({ a, b, ...clash }) => ({
          a: names[a],
          b: names[b],
          indexA: a,
          indexB: b,
          ...clash,
        })),
        groups: groups.map((group) => ({ a: names[group.a], b: names[group.b], clashes: group.clashes })),
        grades,
        clearance,
        intersecting: clashes.filter(({ intersects }) => intersects).length,
        names,
        milliseconds,
        ...(report !== null && { report }),
      },
      text: [
        labeled([
          ['parts', readable(parts.length)],
          ['pairs tested', readable(pairsTested)],
          ...(pairsIgnored === 0 ? [] : [['pairs ignored', readable(pairsIgnored)] as const]),
          [
            'clashes',
            `${readable(clashes.length)}: ${readable(grades.interference)} interfere, ` +
              `${readable(grades.touch)} touch, ${readable(grades.clearance)} too close`,
          ],
          ['milliseconds', milliseconds.toFixed(1)],
          ...(report === null ? [] : [['report', report] as const]),
        ]),
        ...(clashes.length === 0
          ? []
          : [
              '',
              columns(
                ['grade', 'depth or distance', 'times', 'part A', 'part B', 'point on A', 'point on B'],
                groups.slice(0, GROUPS_SHOWN).map((group) => {
                  const worst = clashes[group.clashes[0]];
                  return [
                    worst.grade,
                    describeClash(worst),
                    readable(group.clashes.length),
                    names[worst.a],
                    names[worst.b],
                    readableVector(worst.pointA),
                    readableVector(worst.pointB),
                  ];
                }),
              ),
            ]),
        ...(groups.length > GROUPS_SHOWN
          ? [`… and ${readable(groups.length - GROUPS_SHOWN)} more rows: --json or --report has them all`]
          : []),
      ].join('\n'),
      warnings: warnUnknown(clashes, depthSeconds),
    };
  },
};

function countGrades(clashes: readonly GradedClash[]): Record<ClashGrade, number> {
  const counts: Record<ClashGrade, number> = { interference: 0, touch: 0, clearance: 0 };
  for (const { grade } of clashes) counts[grade]++;
  return counts;
}

/** Says how many depths are missing, and why the first of them is. */
function warnUnknown(clashes: readonly GradedClash[], depthSeconds: number): string[] {
  const unknown = clashes.filter(({ reason }) => reason !== null);
  if (unknown.length === 0 || depthSeconds === 0) return [];
  return [`${readable(unknown.length)} clashes have no depth, the first because: ${unknown[0].reason}`];
}
