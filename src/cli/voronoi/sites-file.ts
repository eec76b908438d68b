// The sites that the command reads: a JSON file {"box": […], "sites": […]}, or a drawing. The library checks the numbers;
// this checks the form, so that a misspelled key is not ignored.
import { NearfieldError } from '../../core/errors.js';
import type { ProgressOptions } from '../../core/progress.js';
import { readSvg } from '../../io/drawing/read-svg.js';
import type { PlaneSite } from '../../voronoi/sites/plane-site.js';
import { sitesFromSvg } from '../../voronoi/sites/sites-from-svg.js';
import { extensionOf, nameFile, readBytes } from '../load-model.js';
import { isRecord } from '../replay/frames-file.js';

const FORM = '{"box":[x0,y0,x1,y1],"sites":[{"type":"point","at":[x,y]}, …]}';

/** The keys of each type of site, beside those that all have. */
const KEYS: Readonly<Record<PlaneSite['type'], readonly string[]>> = {
  point: ['at'],
  segment: ['a', 'b'],
  polyline: ['points'],
  polygon: ['rings'],
  circle: ['center', 'radius'],
  arc: ['center', 'radius', 'from', 'to'],
  bezier: ['points'],
  path: ['curves'],
};
const OF_ALL: readonly string[] = ['type', 'weight', 'offset', 'object'];

/** Sites and where to show them. */
export interface SitesFile {
  readonly sites: readonly PlaneSite[];
  /** Null if the file does not name it. */
  readonly box: readonly number[] | null;
  /** Whether y points down, as in a drawing. */
  readonly yDown: boolean;
  readonly warnings: readonly string[];
}

/** Reads .svg as a drawing and everything else as JSON. */
export async function loadSites(path: string, progress: ProgressOptions): Promise<SitesFile> {
  const bytes = await readBytes(path);
  if (extensionOf(path) !== 'svg') {
    return { ...nameFile(path, () => parseSites(new TextDecoder().decode(bytes))), yDown: false, warnings: [] };
  }
  try {
    const drawing = await readSvg(bytes, progress);
    return { sites: sitesFromSvg(drawing), box: drawing.box, yDown: true, warnings: drawing.warnings };
  } catch (error) {
    return nameFile(path, () => {
      throw error;
    });
  }
}

/** Checks the form of a sites file. */
export function parseSites(text: string): { sites: readonly PlaneSite[]; box: readonly number[] | null } {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    return refuse(`is not valid JSON (${(error as Error).message}); a sites file is ${FORM}`);
  }
  if (!isRecord(document)) return refuse(`is not an object; a sites file is ${FORM}`);
  for (const key in document) {
    if (key !== 'box' && key !== 'sites') refuse(`has the unknown key "${key}"; a sites file is ${FORM}`);
  }
  const { box = null, sites } = document;
  if (!Array.isArray(sites)) return refuse(`has no list of sites; a sites file is ${FORM}`);
  if (box !== null && !Array.isArray(box)) return refuse(`has a box that is not a list; give [x0,y0,x1,y1]`);
  for (const [index, site] of sites.entries()) assertForm(site, `site ${index}`);
  return { sites, box };
}

function assertForm(site: unknown, name: string): void {
  if (!isRecord(site)) refuse(`${name} is not an object; a sites file is ${FORM}`);
  const { type, curves } = site as { type?: unknown; curves?: unknown };
  if (typeof type !== 'string' || !Object.hasOwn(KEYS, type)) {
    refuse(`${name} has the type ${JSON.stringify(type) ?? 'undefined'}; give one of ${Object.keys(KEYS).join(', ')}`);
  }
  const keys = KEYS[type as PlaneSite['type']];
  for (const key of Object.keys(site as object)) {
    if (keys.includes(key) || OF_ALL.includes(key)) continue;
    refuse(`${name} has the unknown key "${key}"; a ${type} has ${[...keys, ...OF_ALL].join(', ')}`);
  }
  for (const key of keys) {
    if (!Object.hasOwn(site as object, key)) refuse(`${name} has no "${key}"; a ${type} has ${keys.join(', ')}`);
  }
  if (Array.isArray(curves)) for (const [i, curve] of curves.entries()) assertForm(curve, `curve ${i} of ${name}`);
}

function refuse(what: string): never {
  throw new NearfieldError('file-format', what);
}
