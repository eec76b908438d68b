// The files that `clash` writes on request: the page, a BCF archive and a table. Equal clashes share a picture, which is drawn
// once for all of them; the worst groups have one.
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { AssemblyPart } from '../../clash/assembly.js';
import type { GradedClash } from '../../clash/graded-clash.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { ReadTopic } from '../../io/bcf/read-bcf.js';
import { type BcfComponent, type BcfTopic, type BcfVersion, writeBcf } from '../../io/bcf/write-bcf.js';
import { createRasterizer } from '../../raster/create-rasterizer.js';
import { takeString } from '../arguments.js';
import { describeClash } from '../clash/describe-clash.js';
import { extensionOf, saveBytes } from '../load-model.js';
import { readable } from '../table.js';
import type { VerbInput } from '../verb.js';
import { writeClashCsv } from './clash-csv.js';
import { drawClash } from './clash-picture.js';
import { cameraOf, type PicturedGroup, type ReportedClashes, writeClashReport } from './clash-report.js';
import { findEqualClashes } from './equal-clashes.js';
import { PartBoxes } from './part-boxes.js';
import { pictureAxes } from './render-picture.js';

export interface ClashOutputs {
  readonly report: string | null;
  readonly bcf: string | null;
  readonly csv: string | null;
}

/** The version of BCF that is written, and the topics of an earlier file, of which status, comments and people are kept. */
export interface BcfChoice {
  readonly version: BcfVersion;
  readonly earlier: readonly ReadTopic[];
}

/** Chosen: bytes of all pictures together. They are a third larger in the page, which stays below 20 MB. */
const PICTURE_BYTES = 9_000_000;
/** Chosen: groups with a picture; drawing them takes most of the time of a report. */
const MAX_PICTURES = 200;
/** Chosen: how deep a clash of high priority must be, relative to the deepest. */
const HIGH_PRIORITY = 0.25;

export const CLASH_OUTPUT_OPTIONS = {
  report: { type: 'string' },
  bcf: { type: 'string' },
  csv: { type: 'string' },
} as const;

/** The files asked for; their extensions are checked before any work. */
export function takeClashOutputs(input: VerbInput): ClashOutputs {
  const take = (name: string, what: string, endings: readonly string[]): string | null => {
    const path = takeString(input, name);
    if (path !== null && !endings.includes(extensionOf(path))) {
      throw new NearfieldError('bad-argument', `${path}: ${what}; use the extension .${endings[0]}`);
    }
    return path;
  };
  return {
    report: take('report', 'the report is an HTML page', ['html', 'htm']),
    bcf: take('bcf', 'the exchange format is a BCF archive', ['bcfzip', 'bcf', 'zip']),
    csv: take('csv', 'the table has comma-separated values', ['csv']),
  };
}

/** Writes the files asked for. */
export async function saveClashOutputs(
  outputs: ClashOutputs,
  reported: ReportedClashes,
  choice: BcfChoice,
  progress: ProgressOptions,
): Promise<void> {
  const { parts, clashes } = reported;
  const equal = findEqualClashes(parts, clashes);
  if (outputs.csv !== null) await saveText(outputs.csv, writeClashCsv(parts, clashes, equal, reported.ids));
  if (outputs.report === null && outputs.bcf === null) return;
  const boxes = new PartBoxes(parts);
  const rasterizer = createRasterizer({ backend: 'cpu' });
  const groups: PicturedGroup[] = [];
  let bytes = 0;
  for (const [i, group] of equal.entries()) {
    reportProgress(progress, (0.9 * i) / equal.length, 'pictures');
    const drawn = i < MAX_PICTURES && bytes < PICTURE_BYTES;
    const picture = drawn ? await drawClash(rasterizer, parts, boxes, clashes[group.clashes[0]]) : null;
    bytes += picture?.png.length ?? 0;
    groups.push({ ...group, picture });
  }
  if (outputs.report !== null) {
    await saveText(outputs.report, await writeClashReport(reported, groups, boxes, rasterizer));
  }
  rasterizer.destroy();
  if (outputs.bcf !== null) await saveBytes(outputs.bcf, await writeTopics(reported, groups, choice));
}

function saveText(path: string, text: string): Promise<void> {
  return saveBytes(path, new TextEncoder().encode(text));
}

/** One topic a clash, worst first. Its date is that of the newest model file, so that the same files give the same bytes. */
async function writeTopics(
  reported: ReportedClashes,
  groups: readonly PicturedGroup[],
  { version, earlier }: BcfChoice,
): Promise<Uint8Array> {
  const before = new Map(earlier.map((topic) => [topic.guid, topic]));
  const { files, parts, clashes, unit } = reported;
  const deepest = clashes.reduce((most, { upper }) => Math.max(most, upper ?? 0), 0);
  const topics = new Array<BcfTopic>(clashes.length);
  for (const group of groups) {
    for (const [n, index] of group.clashes.entries()) {
      const clash = clashes[index];
      const [a, b] = [parts[clash.a].name, parts[clash.b].name];
      const { center, towardEye, halfHeight } = cameraOf(parts, clashes, group, n);
      const [, up] = pictureAxes(towardEye);
      topics[index] = {
        guid: reported.ids[index],
        title: `${a} – ${b}: ${clash.kind}, ${describeClash(clash)} ${unit}`,
        description: describeTopic(clash, group.clashes.length, unit),
        type: 'Clash',
        priority:
          clash.grade !== 'interference' ? 'Low' : (clash.upper ?? 0) >= HIGH_PRIORITY * deepest ? 'High' : 'Normal',
        labels: [clash.kind],
        ...keepWords(before.get(reported.ids[index])),
        viewpoint: {
          eye: center.map((value, k) => value + 4 * halfHeight * towardEye[k]),
          direction: towardEye.map((value) => -value),
          up,
          height: 2 * halfHeight,
          selection: [parts[clash.a], parts[clash.b]].map(componentOf),
          lines: clash.intersects ? [] : [[...clash.pointA, ...clash.pointB]],
          // Through the clash, so that what is in front of it does not hide it.
          sections: [{ point: center, direction: towardEye }],
        },
        snapshot: group.picture?.png ?? null,
      };
    }
  }
  const times = await Promise.all(files.map(async (file) => (await stat(file)).mtimeMs));
  const isGltf = files.every((file) => ['glb', 'gltf'].includes(extensionOf(file)));
  return writeBcf({
    project: files.map((file) => basename(file)).join(', '),
    files: files.map((file) => basename(file)),
    author: 'nearfield',
    date: new Date(Math.floor(Math.max(...times) / 1000) * 1000).toISOString().replace('.000Z', 'Z'),
    up: isGltf ? 'y' : 'z',
    unit: reported.meters ?? 1,
    version,
    topics: [...topics, ...closeSolved(reported.ids, earlier)],
  });
}

/** What people have made of a topic. One that was closed and is back is open again. */
function keepWords(topic: ReadTopic | undefined): Pick<BcfTopic, 'status' | 'assignedTo' | 'comments'> {
  if (topic === undefined) return {};
  const { status, assignedTo, comments } = topic;
  return { status: /^closed$/i.test(status) ? 'Reopened' : status || undefined, assignedTo, comments };
}

/** The topics of clashes that are no more, closed, with all that was said of them. */
function closeSolved(ids: readonly string[], earlier: readonly ReadTopic[]): BcfTopic[] {
  const now = new Set(ids);
  return earlier
    .filter(({ guid, type }) => type === 'Clash' && !now.has(guid))
    .map((topic) => ({ ...topic, status: 'Closed', viewpoint: null, snapshot: null }));
}

/** GlobalIds are those of IFC, by which other programs find the part. */
function componentOf({ name, about }: AssemblyPart): BcfComponent {
  return { name, ifcGuid: about?.kind?.startsWith('Ifc') ? about.id : undefined };
}

function describeTopic(clash: GradedClash, equal: number, unit: string): string {
  const { grade, lower, upper, distance, vector, reason, certain } = clash;
  const sentences: string[] = [];
  if (grade === 'clearance') sentences.push(`The parts are ${readable(distance)} ${unit} apart.`);
  else if (grade === 'touch') sentences.push('The parts touch.');
  else if (lower === null || upper === null) sentences.push(`The parts overlap. The depth is unknown: ${reason}`);
  else {
    sentences.push(
      `The parts overlap; the depth is proven to be from ${readable(lower)} to ${readable(upper)} ${unit}.`,
    );
    if (vector !== null) sentences.push(`Moving the first by (${vector.map(readable).join(', ')}) separates them.`);
  }
  if (!certain && reason === null)
    sentences.push('The grade is not proven: the interval contains the touch tolerance.');
  if (equal > 1) sentences.push(`${readable(equal)} pairs of parts clash in the same way.`);
  return sentences.join(' ');
}
