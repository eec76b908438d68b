// What a repair did to the parts of a model, summed, and as a table.
import type { FilledHoles } from '../mesh/repair/fill-holes.js';
import type { RemainingDefect, RepairChanges } from '../mesh/repair/repair.js';
import type { MeshRepair } from './repair-parts.js';
import { columns, readable } from './table.js';

/** Chosen: parts that are listed without --json, about one screen. */
const PARTS_SHOWN = 30;

/** What is said of a part that stays as it is. */
export const NOTHING_DONE: MeshRepair = {
  changes: {
    weldedVertices: 0,
    droppedDegenerateFaces: 0,
    splitFaces: 0,
    droppedDuplicateFaces: 0,
    flippedFaces: 0,
    droppedVertices: 0,
  },
  remaining: [],
  skipped: [],
};

/** What was done to a part, and what it has now. */
export interface PartRepair extends MeshRepair {
  readonly name: string;
  readonly vertices: number;
  readonly triangles: number;
}

/** Of all parts together; each copy counts. The longest loop is that of all parts. */
export function sumRepairs(parts: readonly PartRepair[]): Omit<PartRepair, 'name'> {
  if (parts.length === 1) return parts[0];
  const sum = (countOf: (part: PartRepair) => number): number =>
    parts.reduce((total, part) => total + countOf(part), 0);
  const changes = { ...NOTHING_DONE.changes };
  for (const name of Object.keys(changes) as (keyof RepairChanges)[]) changes[name] = sum((part) => part.changes[name]);
  const filled = parts.flatMap((part) => part.filled ?? []);
  return {
    vertices: sum(({ vertices }) => vertices),
    triangles: sum(({ triangles }) => triangles),
    changes,
    ...(filled.length > 0 && { filled: filled.reduce(addFilled) }),
    remaining: sumDefects(parts),
    skipped: [...new Set(parts.flatMap(({ skipped }) => skipped))],
  };
}

function addFilled(p: FilledHoles, q: FilledHoles): FilledHoles {
  return {
    holes: p.holes + q.holes,
    unfilledHoles: p.unfilledHoles + q.unfilledHoles,
    addedFaces: p.addedFaces + q.addedFaces,
    addedArea: p.addedArea + q.addedArea,
    largestLoop: Math.max(p.largestLoop, q.largestLoop),
    crossings: p.crossings + q.crossings,
  };
}

/** One defect of each kind; it says in how many parts. */
function sumDefects(parts: readonly PartRepair[]): RemainingDefect[] {
  const byKind = new Map<RemainingDefect['kind'], { count: number; parts: number; words: string }>();
  for (const { remaining } of parts) {
    for (const { kind, count, message } of remaining) {
      const known = byKind.get(kind) ?? { count: 0, parts: 0, words: message.replace(/( \(.*\))?: \d+\.$/, '') };
      byKind.set(kind, { ...known, count: known.count + count, parts: known.parts + 1 });
    }
  }
  return [...byKind].map(([kind, { count, parts: holders, words }]) => ({
    kind,
    count,
    message: `${words}: ${count}, in ${holders} of ${parts.length} parts.`,
  }));
}

/** The parts that were changed or that still have a defect, with an empty line above; else no lines. */
export function tabulateRepairs(parts: readonly PartRepair[]): string[] {
  const rows = parts.flatMap(({ name, triangles, changes, filled, remaining }) => {
    const done = Object.entries({ ...changes, ...(filled !== undefined && { addedFaces: filled.addedFaces }) })
      .filter(([, count]) => count > 0)
      .map(([change, count]) => `${readable(count)} ${inWords(change)}`);
    const left = remaining.map(({ kind, count }) => `${readable(count)} ${kind}`);
    return done.length + left.length === 0 ? [] : [[name, readable(triangles), done.join(', '), left.join(', ')]];
  });
  if (rows.length === 0) return [];
  const hidden = rows.length - PARTS_SHOWN;
  return [
    '',
    columns(['part', 'triangles', 'changes', 'still wrong'], rows.slice(0, PARTS_SHOWN)),
    ...(hidden > 0 ? [`… and ${readable(hidden)} more parts: --json has them all`] : []),
  ];
}

/** weldedVertices → welded vertices */
export function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
