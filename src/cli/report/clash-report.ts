// The clashes of an assembly as one HTML page: a view of the assembly, a card with a picture for each group of equal clashes,
// filters, and a table of all. Only the worst have pictures, so that a page of thousands of clashes is quick to write and to
// open.

import type { AssemblyPart } from '../../clash/assembly.js';
import type { ClashGrade, GradedClash } from '../../clash/graded-clash.js';
import * as pose from '../../core/pose.js';
import * as quat from '../../core/quat.js';
import { normalize, type Vec3 } from '../../core/vec3.js';
import { writePng } from '../../io/image/write-png.js';
import { type ReportMarkup, type ReportTable, writeHtmlReport } from '../../io/report/html-report.js';
import { escapeMarkup } from '../../io/report/markup.js';
import { reportColor } from '../../io/report/report-colors.js';
import type { Rasterizer } from '../../raster/raster.js';
import { describeClash } from '../clash/describe-clash.js';
import { readable, readableVector } from '../table.js';
import pageScript from './clash-page.page.js?raw';
import { type ClashCamera, type ClashPicture, COLOR_REST, PICTURE_HEIGHT, PICTURE_WIDTH } from './clash-picture.js';
import { CLASH_STYLE } from './clash-style.js';
import type { EqualClashes } from './equal-clashes.js';
import { writeLabLink, writeLabNote } from './lab-link.js';
import viewScript from './model-view.page.js?raw';
import { gatherNear } from './near-triangles.js';
import { packShapes, toBase64 } from './pack-shapes.js';
import type { PartBoxes } from './part-boxes.js';
import { type Color, renderPicture } from './render-picture.js';

export interface ReportedClashes {
  readonly files: readonly string[];
  readonly parts: readonly AssemblyPart[];
  readonly clearance: number;
  readonly clashes: readonly GradedClash[];
  readonly pairsTested: number;
  readonly pairsIgnored: number;
  readonly milliseconds: number;
  /** The name of the unit of length. */
  readonly unit: string;
  /** The unit in meters; null if nobody knows it. */
  readonly meters: number | null;
  /** By clash: an id that stays the same. */
  readonly ids: readonly string[];
}

/** A group of equal clashes and the picture of the first; null beyond the worst groups. */
export interface PicturedGroup extends EqualClashes {
  readonly picture: ClashPicture | null;
}

/** Chosen: width of the picture of the whole assembly, in pixels. */
const OVERVIEW_WIDTH = 880;
/** Chosen: height of the picture of the whole assembly, in pixels. */
const OVERVIEW_HEIGHT = 560;
/** Chosen: triangles drawn in that picture, so that it takes seconds; parts beyond that are left out. */
const OVERVIEW_TRIANGLES = 1_000_000;
/** The direction from which that picture looks. */
const OVERVIEW_VIEW: Vec3 = normalize([0.55, 0.45, 0.75]);
/** Chosen: parts with a larger share of the assembly's size are shown faint, unless the assembly has few parts. */
const LARGE_PART = 0.6;
/** Chosen: an assembly of this many parts or fewer has few parts. */
const FEW_PARTS = 6;
/** Chosen: segments of the curve of one clash in the page, for its size. */
const CURVE_SEGMENTS = 400;
/** Chosen: segments of the curves of all clashes in the page, for its size. */
const ALL_SEGMENTS = 60_000;

export const GRADE_COLORS: Readonly<Record<ClashGrade, Color>> = {
  interference: reportColor('overlapping'),
  touch: reportColor('touching'),
  clearance: reportColor('near'),
};
const GRADE_WORDS: Readonly<Record<ClashGrade, string>> = {
  interference: 'interference',
  touch: 'touch',
  clearance: 'too close',
};

export async function writeClashReport(
  report: ReportedClashes,
  groups: readonly PicturedGroup[],
  boxes: PartBoxes,
  rasterizer: Rasterizer,
): Promise<string> {
  const { files, parts, clearance, clashes, pairsTested, pairsIgnored, milliseconds, unit } = report;
  const involved = clashes.flatMap(({ a, b }) => [a, b]);
  const packed = await packShapes(
    parts.map(({ model, pose: placement }) => ({ mesh: model.mesh, pose: placement })),
    involved,
  );
  const segmentLimit = Math.min(CURVE_SEGMENTS, Math.ceil(ALL_SEGMENTS / Math.max(1, groups.length)));
  const ball = boxes.ballAround(parts.keys());
  const overview = await drawOverview(report, boxes, rasterizer);
  const count = (grade: string): string => readable(clashes.filter((clash) => clash.grade === grade).length);
  const groupOf = new Map(groups.flatMap((group) => group.clashes.map((clash) => [clash, group] as const)));
  const unproven = clashes.filter(({ certain }) => !certain).length;
  return writeHtmlReport({
    title: 'Clash report',
    lead: `${files.join(', ')}: parts that intersect or are within ${readable(clearance)} ${unit} of each other.`,
    figures: [
      ['parts', readable(parts.length)],
      ['pairs tested', readable(pairsTested)],
      ...(pairsIgnored === 0 ? [] : [['pairs ignored', readable(pairsIgnored)] as const]),
      ['interfere', count('interference')],
      ['touch', count('touch')],
      ['too close', count('clearance')],
      ...(groups.length === clashes.length ? [] : [['different clashes', readable(groups.length)] as const]),
      ...(unproven === 0 ? [] : [['not proven', readable(unproven)] as const]),
      ['seconds', (milliseconds / 1000).toFixed(2)],
    ],
    sections: [
      ...(clashes.length === 0 ? [] : [tabulateClashes(report, groupOf)]),
      { kind: 'markup', title: 'Assembly', markup: writeView(overview, packed, clashes.length) },
      ...(clashes.length === 0 ? [] : [writeGallery(report, groups)]),
    ],
    style: CLASH_STYLE,
    data: {
      scene: packed.scene,
      clashes: {
        ball: { center: ball.center, radius: ball.radius },
        names: parts.map(({ name }) => name),
        large: [...largeParts(parts, ball.radius)],
        overview: `${readable(parts.length)} parts; those in clashes are colored by the worst of them`,
        list: clashes.map((clash, i) => describeForView(report, clash, i, groupOf.get(i)!, segmentLimit)),
      },
    },
    scripts: [viewScript, pageScript],
  });
}

/** The cards of all groups, with their filters. */
function writeGallery(report: ReportedClashes, groups: readonly PicturedGroup[]): ReportMarkup {
  const cards = groups.map((group) => writeCard(report, group)).join('\n');
  const head = `${writeFilters(report.clashes)}${writePictureNote(groups)}${writeLabNote(report)}`;
  return {
    kind: 'markup',
    title: 'Clashes, part A blue, part B orange',
    markup: `${head}<div class="gallery">${cards}</div>`,
  };
}

/** The table of all clashes, each with a link to the card of its group. */
function tabulateClashes(
  { clashes, parts, unit }: ReportedClashes,
  groupOf: ReadonlyMap<number, PicturedGroup>,
): ReportTable {
  return {
    kind: 'table',
    title: 'All pairs',
    headings: [
      ...['#', 'kind', 'part A', 'part B', `thickness (${unit})`, `depth or distance (${unit})`, 'proven', 'move A by'],
      ...['point on A', 'point on B'],
    ],
    rows: clashes.map((clash, i) => [
      { text: String(i + 1), value: i + 1, link: `clash-${groupOf.get(i)!.clashes[0] + 1}` },
      clash.kind,
      parts[clash.a].name,
      parts[clash.b].name,
      { text: clash.intersects ? describeThickness(clash) : '', value: -(clash.thicknessLower ?? 0) },
      { text: describeClash(clash), value: clash.intersects ? -(clash.upper ?? 0) : clash.distance },
      clash.certain ? 'yes' : 'no',
      readableWay(clash),
      readableVector(clash.pointA),
      readableVector(clash.pointB),
    ]),
  };
}

/** Parts that would hide the others: housings are shown faint. An assembly of a few parts has none. */
function largeParts(parts: readonly AssemblyPart[], radius: number): Set<number> {
  if (parts.length < FEW_PARTS) return new Set();
  return new Set([...parts.keys()].filter((part) => parts[part].model.radius > LARGE_PART * radius));
}

/** What the view needs of one clash. The curve is only with the first of equal clashes; the others turn it. */
function describeForView(
  { parts, clashes, unit }: ReportedClashes,
  clash: GradedClash,
  index: number,
  group: PicturedGroup,
  segmentLimit: number,
) {
  const { a, b, grade, pointA, pointB } = clash;
  const first = group.clashes[0];
  const { center, towardEye, halfHeight } = cameraOf(parts, clashes, group, group.clashes.indexOf(index));
  const radius = 1.2 * halfHeight;
  const common = { a, b, grade, pointA, pointB, center, radius, towardEye, label: `${describeClash(clash)} ${unit}` };
  if (index !== first)
    return { ...common, like: first, turn: turnOf(parts, clashes, group, group.clashes.indexOf(index)) };
  const segments = group.picture?.segments ?? new Float64Array(0);
  const total = segments.length / 6;
  const kept = Math.min(segmentLimit, total);
  return {
    ...common,
    segments: Array.from({ length: 6 * kept }, (_, i) =>
      Number((segments[6 * Math.floor((Math.floor(i / 6) * total) / kept) + (i % 6)] / radius).toFixed(3)),
    ),
  };
}

/** The view of the n-th of some equal clashes: that of the first, moved along with its parts. */
export function cameraOf(
  parts: readonly AssemblyPart[],
  clashes: readonly GradedClash[],
  group: PicturedGroup,
  n: number,
): ClashCamera {
  const clash = clashes[group.clashes[n]];
  if (group.picture === null) {
    const center = clash.pointA.map((value, k) => (value + clash.pointB[k]) / 2) as Vec3;
    const radius = Math.min(parts[clash.a].model.radius, parts[clash.b].model.radius);
    return { center, towardEye: OVERVIEW_VIEW, halfHeight: Math.max(0.8 * radius, clash.distance) || 1 };
  }
  const { camera } = group.picture;
  if (n === 0) return camera;
  const move = moveOf(parts, clashes, group, n);
  return {
    center: pose.transformPoint(move, camera.center),
    towardEye: pose.transformVector(move, camera.towardEye),
    halfHeight: camera.halfHeight,
  };
}

/** The motion that takes the first of some equal clashes to the n-th. */
function moveOf(
  parts: readonly AssemblyPart[],
  clashes: readonly GradedClash[],
  { clashes: members, swapped }: EqualClashes,
  n: number,
): pose.Pose {
  const { a, b } = clashes[members[n]];
  return pose.multiply(parts[swapped[n] ? b : a].pose, pose.invert(parts[clashes[members[0]].a].pose));
}

function turnOf(
  parts: readonly AssemblyPart[],
  clashes: readonly GradedClash[],
  group: EqualClashes,
  n: number,
): number[] {
  const [, , , x, y, z, w] = moveOf(parts, clashes, group, n);
  return Array.from(quat.toMatrix3([x, y, z, w]), (value) => Number(value.toFixed(6)));
}

function writeView(
  overview: string,
  { simplified, missing }: { simplified: number; missing: number },
  clashes: number,
): string {
  const notes = [
    ...(simplified === 0 ? [] : [`${readable(simplified)} dense shapes are shown simplified.`]),
    ...(missing === 0 ? [] : [`${readable(missing)} parts are not shown, to keep the page small.`]),
  ];
  return (
    `<div class="view" id="view"><img alt="The assembly, with the parts that clash in color" src="data:image/png;base64,${overview}"/></div>` +
    '<p class="bar"><button type="button" id="show-all">Whole assembly</button><label><input type="checkbox" id="see-a" checked="checked"/> part A</label>' +
    '<label><input type="checkbox" id="see-b" checked="checked"/> part B</label>' +
    '<label>Others <select id="others"><option value="faint">seen through</option><option value="hidden">hidden</option><option value="shown">shown</option></select></label>' +
    '<button type="button" id="copy">Copy</button><span id="shown"></span></p>' +
    `<p id="view-help">Drag to turn, wheel or two fingers to zoom, Shift and drag to move.${clashes === 0 ? '' : ' Press a clash to see it here.'} ${notes.join(' ')}</p>` +
    `<p class="legend">${(['interference', 'touch', 'clearance'] as const)
      .map((grade) => `<span class="grade ${grade}">${GRADE_WORDS[grade]}</span>`)
      .join(' ')}</p>`
  );
}

function writeFilters(clashes: readonly GradedClash[]): string {
  const present = (['interference', 'touch', 'clearance'] as const).filter((grade) =>
    clashes.some((clash) => clash.grade === grade),
  );
  const boxes = present.map(
    (grade) =>
      `<label class="grade ${grade}"><input type="checkbox" name="grade" value="${grade}" checked="checked"/> ${GRADE_WORDS[grade]}</label>`,
  );
  const orders = [
    ['worst', 'worst first'],
    ['depth', 'deepest first'],
    ['distance', 'least distance first'],
    ['times', 'most frequent first'],
    ['a', 'by part A'],
    ['b', 'by part B'],
  ].map(([value, text]) => `<option value="${value}">${text}</option>`);
  return (
    `<div class="filters">${boxes.join('')}` +
    '<input type="search" id="search" placeholder="Part name" aria-label="Part name"/>' +
    `<label>Order <select id="sort">${orders.join('')}</select></label><span id="count"></span></div>`
  );
}

/** Which groups have pictures, where not all do. */
function writePictureNote(groups: readonly PicturedGroup[]): string {
  const pictured = groups.filter(({ picture }) => picture !== null).length;
  if (pictured === groups.length) return '';
  return (
    `<p id="picture-note">The ${readable(pictured)} worst of ${readable(groups.length)} different clashes have pictures. ` +
    'Press any of the others to see it in the view above; the table below has all pairs.</p>'
  );
}

function writeCard({ files, parts, clashes, clearance, unit }: ReportedClashes, group: PicturedGroup): string {
  const [first] = group.clashes;
  const clash = clashes[first];
  const [a, b] = [parts[clash.a].name, parts[clash.b].name];
  const names = group.clashes.flatMap((index) => [parts[clashes[index].a].name, parts[clashes[index].b].name]);
  const lines: (readonly [string, string])[] = [
    [clash.intersects ? 'depth' : 'clearance', `${describeClash(clash)} ${unit}`],
    ...(clash.intersects && clash.upper !== null && clash.upper > 0 ? [['proven', describeProof(clash)] as const] : []),
    ...(clash.intersects
      ? [['kind', clash.kind] as const, ['thickness', `${describeThickness(clash)} ${unit}`] as const]
      : []),
    ...(clash.volume === null
      ? []
      : [['volume', `${readable(clash.volume.lower)} to ${readable(clash.volume.upper)} ${unit}³`] as const]),
    ...(readableWay(clash) === '' ? [] : [['move A by', readableWay(clash)] as const]),
    ...(clash.reason === null ? [] : [['no depth', clash.reason] as const]),
    ['point on A', readableVector(clash.pointA)],
    ...(clash.intersects ? [] : [['point on B', readableVector(clash.pointB)] as const]),
  ];
  const picture =
    group.picture === null
      ? '<p class="missing">No picture. Press to see it in the view.</p>'
      : `<img loading="lazy" width="${PICTURE_WIDTH}" height="${PICTURE_HEIGHT}" alt="${escapeMarkup(`${a} and ${b}`)}" src="data:image/png;base64,${toBase64(group.picture.png)}"/>` +
        writeScale(group.picture.camera.halfHeight, unit);
  const others =
    group.clashes.length === 1
      ? ''
      : `<details><summary>${readable(group.clashes.length)} equal clashes</summary><ul>${group.clashes
          .map((index) => {
            const other = clashes[index];
            const text = `${index + 1}. ${parts[other.a].name} – ${parts[other.b].name}`;
            return `<li><button type="button" data-show="${index}">${escapeMarkup(text)}</button></li>`;
          })
          .join('')}</ul></details>`;
  const data = {
    grade: clash.grade,
    rank: first,
    depth: clash.upper ?? 0,
    distance: clash.distance,
    a,
    b,
    names: names.join(' '),
    members: group.clashes.join(' '),
  };
  const attributes = Object.entries(data).map(([name, value]) => ` data-${name}="${escapeMarkup(String(value))}"`);
  return (
    `<article id="clash-${first + 1}"${attributes.join('')}>` +
    `<p class="grade ${clash.grade}">${GRADE_WORDS[clash.grade]}</p><h3>${first + 1}. ${escapeMarkup(`${a} – ${b}`)}` +
    `${group.clashes.length === 1 ? '' : ` <span class="times">× ${readable(group.clashes.length)}</span>`}</h3>` +
    `<button type="button" class="picture" data-show="${first}" aria-label="Show in the view">${picture}</button>` +
    `<dl>${lines.map(([label, value]) => `<dt>${escapeMarkup(label)}</dt><dd>${escapeMarkup(value)}</dd>`).join('')}</dl>${others}${writeLabLink({ files, clearance, unit }, clash)}</article>`
  );
}

/** From what is proven to what it may be at most. */
function describeThickness({ thickness, thicknessLower }: GradedClash): string {
  if (thickness === null || thicknessLower === null) return 'unknown';
  if (thickness - thicknessLower <= 1e-3 * thickness) return readable(thickness);
  return `${readable(thicknessLower)} to ${readable(thickness)}`;
}

/** The proven way out, or the short one that was found. */
function readableWay({ vector, wayOut }: GradedClash): string {
  const way = vector ?? wayOut;
  return way === null ? '' : readableMove(way);
}

function describeProof({ lower, upper, certain }: GradedClash): string {
  if (lower === null || upper === null) return 'no';
  if (lower === 0) return 'an upper bound only; the time for this pair was over';
  const percent = Number(((100 * (upper - lower)) / upper).toPrecision(2));
  const within = percent < 0.01 ? 'within 0.01 %' : `within ${percent} %: at least ${readable(lower)}`;
  return certain ? within : `${within}; may be a touch`;
}

/** Without the rounding errors of its smaller components. */
function readableMove(vector: Vec3): string {
  const length = Math.hypot(...vector);
  return readableVector(vector.map((value) => (Math.abs(value) > 1e-6 * length ? value : 0)));
}

/** A bar of a round length over the picture, up to a third of its width. */
function writeScale(halfHeight: number, unit: string): string {
  const width = (2 * halfHeight * PICTURE_WIDTH) / PICTURE_HEIGHT;
  const most = width / 3;
  const power = 10 ** Math.floor(Math.log10(most));
  const bar = power * ([5, 2, 1].find((factor) => factor * power <= most) ?? 1);
  const text = `${readable(Number(bar.toPrecision(12)))} ${unit}`;
  return `<span class="scale" style="width: ${((100 * bar) / width).toFixed(2)}%">${escapeMarkup(text)}</span>`;
}

/** The picture of the assembly, for browsers without WebGL and for paper. Parts in clashes have the color of their worst grade. */
async function drawOverview(
  { parts, clashes }: ReportedClashes,
  boxes: PartBoxes,
  rasterizer: Rasterizer,
): Promise<string> {
  const { center, radius } = boxes.ballAround(parts.keys());
  const worst = new Map<number, ClashGrade>();
  // The worst clashes come first.
  for (const { a, b, grade } of clashes) for (const part of [a, b]) if (!worst.has(part)) worst.set(part, grade);
  let left = OVERVIEW_TRIANGLES;
  const gather = (chosen: Iterable<number>): Float64Array => {
    const chunks: Float64Array[] = [];
    for (const part of chosen) {
      const triangles = parts[part].model.mesh.indices.length / 3;
      if (triangles > left) continue;
      left -= triangles;
      chunks.push(gatherNear(parts[part], center, Infinity));
    }
    const joined = new Float64Array(chunks.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const chunk of chunks) {
      joined.set(chunk, at);
      at += chunk.length;
    }
    return joined;
  };
  const large = largeParts(parts, radius);
  const layers = (['interference', 'touch', 'clearance'] as const).flatMap((grade) => {
    const found = [...worst].filter(([, other]) => other === grade).map(([part]) => part);
    return [
      { corners: gather(found.filter((part) => large.has(part))), color: GRADE_COLORS[grade], opacity: 0.3 },
      { corners: gather(found.filter((part) => !large.has(part))), color: GRADE_COLORS[grade], opacity: 1 },
    ];
  });
  const rest = gather([...parts.keys()].filter((part) => !worst.has(part)));
  const image = await renderPicture(
    rasterizer,
    [{ corners: rest, color: COLOR_REST, opacity: clashes.length === 0 ? 1 : 0.35 }, ...layers],
    { center: [0, 0, 0], towardEye: OVERVIEW_VIEW, halfHeight: 0.72 * radius },
    { segments: new Float64Array(0), points: [] },
    OVERVIEW_WIDTH,
    OVERVIEW_HEIGHT,
  );
  return toBase64(await writePng(image));
}
