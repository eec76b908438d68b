import { NearfieldError } from '../../core/errors.js';
import { partOfProgress } from '../../core/progress.js';
import { MAX_COORDINATE } from '../../core/tolerances.js';
import { findClashes } from '../../proximity/assembly/find-clashes.js';
import { takeNumber, takeString } from '../arguments.js';
import { loadAssembly } from '../clash/assembly.js';
import { writeClashReport } from '../clash/clash-report.js';
import { extensionOf, saveBytes } from '../load-model.js';
import { columns, labeled, readable, readableVector } from '../table.js';
import type { Verb } from '../verb.js';

/** The most clashes that are printed without --json. */
const CLASHES_SHOWN = 30;

export const clash: Verb = {
  name: 'clash',
  summary: 'finds the parts of an assembly that intersect or are too close to each other',
  usage: 'clash FILE… [--clearance C] [--report REPORT.html]',
  help: `Tests every pair of parts in one or more files. A GLB has parts and instances; an STL or OBJ file is one part.
Closed parts are solids; touching counts as intersecting. Scaled and mirrored instances keep their shape.
  --clearance C        also report pairs at a distance of at most C (default 0: only pairs that intersect)
  --report REPORT      write an HTML page with the points, the distance and a picture of every clash
  --unit NAME          the name of the unit of length in the report (default: units)

  nearfield clash gearbox.glb --clearance 0.5 --report clashes.html
  nearfield clash housing.stl shaft.stl gear.stl --clearance 0.2 --json | jq '.clashes[0]'`,
  options: { clearance: { type: 'string' }, report: { type: 'string' }, unit: { type: 'string' } },
  async run(input) {
    const files = input.positionals;
    if (files.length === 0) {
      throw new NearfieldError('bad-argument', 'clash takes FILE…, at least one model. See nearfield clash --help');
    }
    const clearance = takeNumber(input, 'clearance', 0, { min: 0, max: MAX_COORDINATE });
    const report = takeString(input, 'report');
    if (report !== null && !['html', 'htm'].includes(extensionOf(report))) {
      throw new NearfieldError('bad-argument', `${report}: the report is an HTML page; use the extension .html`);
    }
    const unit = takeString(input, 'unit') ?? 'units';
    const parts = await loadAssembly(files, partOfProgress(input.progress, 0, 0.2));
    const start = performance.now();
    const { clashes, pairsTested } = findClashes(parts, {
      clearance,
      ...partOfProgress(input.progress, 0.2, report === null ? 1 : 0.7),
    });
    const milliseconds = performance.now() - start;
    if (report !== null) {
      const page = writeClashReport(
        { files, parts, clearance, clashes, pairsTested, milliseconds, unit },
        partOfProgress(input.progress, 0.7, 1),
      );
      await saveBytes(report, new TextEncoder().encode(page));
    }
    const names = parts.map(({ name }) => name);
    const intersecting = clashes.filter(({ intersects }) => intersects).length;
    return {
      json: {
        parts: parts.length,
        pairsTested,
        clashes: clashes.map(({ a, b, intersects, distance, pointA, pointB, normal }) => ({
          a: names[a],
          b: names[b],
          indexA: a,
          indexB: b,
          intersects,
          distance,
          pointA,
          pointB,
          normal,
        })),
        clearance,
        intersecting,
        names,
        milliseconds,
        ...(report !== null && { report }),
      },
      text: [
        labeled([
          ['parts', readable(parts.length)],
          ['pairs tested', readable(pairsTested)],
          ['clashes', `${readable(clashes.length)}, of which ${readable(intersecting)} intersect`],
          ['milliseconds', milliseconds.toFixed(1)],
          ...(report === null ? [] : [['report', report] as const]),
        ]),
        ...(clashes.length === 0
          ? []
          : [
              '',
              columns(
                ['distance', 'part A', 'part B', 'point on A', 'point on B'],
                clashes
                  .slice(0, CLASHES_SHOWN)
                  .map(({ a, b, intersects, distance, pointA, pointB }) => [
                    intersects ? 'intersects' : readable(distance),
                    names[a],
                    names[b],
                    readableVector(pointA),
                    readableVector(pointB),
                  ]),
              ),
            ]),
        ...(clashes.length > CLASHES_SHOWN
          ? [`… and ${readable(clashes.length - CLASHES_SHOWN)} more: --json or --report has them all`]
          : []),
      ].join('\n'),
    };
  },
};
