// Tasks of the clash scene. The parts of a file, and what the queries derive from their meshes, are kept with its bytes.
import { type Box, box as boxes, type ProgressOptions, partOfProgress, reportProgress } from 'nearfield/core';
import { type ModelFile, mergeModel } from 'nearfield/io';
import type { Mesh } from 'nearfield/mesh';
import { type GradedClash, gradeClashes } from 'nearfield/penetration';
import { type AssemblyPart, buildAssembly, buildGearbox, findClashes, findCrossingCurves } from 'nearfield/proximity';
import { readOpened } from './read-file.js';

interface Assembly {
  readonly parts: readonly AssemblyPart[];
  /** All parts in their places; the triangles of part i begin at firstTriangle[i]. */
  readonly merged: Mesh;
  readonly firstTriangle: readonly number[];
  /** Meters, where the file says it. */
  readonly unit: number | undefined;
}

/** A file, or else the sample. */
interface AssemblyInput {
  readonly name: string;
  readonly bytes: Uint8Array | null;
}

/** The most time for all depths of one check. */
const DEPTH_MILLISECONDS = 10_000;
/** A part whose box holds the boxes of this many others is seen through, so that it hides no clash. */
const PARTS_INSIDE = 3;
/** The pairs whose curves the overview shows, and the segments of each. */
const PAIRS_WITH_CURVES = 40;
const SEGMENTS_OF_PAIR = 600;

const assemblies = new WeakMap<Uint8Array, Assembly>();
let sample: Assembly | null = null;

async function assemblyOf({ name, bytes }: AssemblyInput, options: ProgressOptions): Promise<Assembly> {
  if (bytes === null) {
    sample ??= placeParts(buildGearbox());
    return sample;
  }
  const known = assemblies.get(bytes) ?? placeParts(await readOpened(bytes, { fileName: name, ...options }));
  assemblies.set(bytes, known);
  return known;
}

function placeParts(file: ModelFile): Assembly {
  const firstTriangle = [0];
  for (const { meshIndex } of file.parts) {
    firstTriangle.push((firstTriangle.at(-1) ?? 0) + file.meshes[meshIndex].mesh.indices.length / 3);
  }
  return { parts: buildAssembly(file), merged: mergeModel(file), firstTriangle, unit: file.unit };
}

export interface OpenedAssembly {
  readonly names: readonly string[];
  readonly triangles: number;
  readonly bounds: Box;
  /** Meters, where the file says it. */
  readonly unit: number | undefined;
}

export interface ClashAnswer {
  readonly clashes: readonly GradedClash[];
  readonly pairsTested: number;
  readonly milliseconds: number;
  /** The parts by the worst that was found: far from all others, too near to one, touching one, in one. */
  readonly clear: Mesh;
  readonly near: Mesh;
  readonly touching: Mesh;
  readonly intersecting: Mesh;
  /** Parts of any of these that other parts are in, such as housings: the groups above leave them out. */
  readonly around: Mesh;
  /** Where the worst of the pairs that overlap cross: six numbers a segment. */
  readonly curves: Float64Array;
}

export interface ShownClash {
  readonly a: Mesh;
  readonly b: Mesh;
  readonly rest: Mesh;
  /** Where the two cross: six numbers a segment. */
  readonly curves: Float64Array;
}

export const clashTasks = {
  async openAssembly(input: AssemblyInput, options: ProgressOptions): Promise<OpenedAssembly> {
    const { parts, merged, unit } = await assemblyOf(input, options);
    return {
      names: parts.map(({ name }) => name),
      triangles: merged.indices.length / 3,
      bounds: boxes.ofPositions(merged.positions),
      unit,
    };
  },

  async findClashes(
    { clearance, seeThrough, ...input }: AssemblyInput & { clearance: number; seeThrough: boolean },
    options: ProgressOptions,
  ): Promise<ClashAnswer> {
    const assembly = await assemblyOf(input, partOfProgress(options, 0, 0.2));
    const start = performance.now();
    reportProgress(options, 0.2, 'pairs of parts');
    const found = findClashes(assembly.parts, { clearance, ...partOfProgress(options, 0.2, 0.5) });
    const clashes = gradeClashes(assembly.parts, found.clashes, {
      maxMilliseconds: DEPTH_MILLISECONDS,
      ...partOfProgress(options, 0.5, 1),
    });
    const milliseconds = performance.now() - start;
    const around = seeThrough ? partsAround(assembly) : new Set<number>();
    const worst = new Map<number, GradedClash['grade']>();
    for (const { a, b, grade } of clashes) {
      for (const part of [a, b]) if (!worst.has(part)) worst.set(part, grade);
    }
    return {
      clashes,
      pairsTested: found.pairsTested,
      milliseconds,
      clear: pickParts(assembly, (part) => !around.has(part) && !worst.has(part)),
      near: pickParts(assembly, (part) => !around.has(part) && worst.get(part) === 'clearance'),
      touching: pickParts(assembly, (part) => !around.has(part) && worst.get(part) === 'touch'),
      intersecting: pickParts(assembly, (part) => !around.has(part) && worst.get(part) === 'interference'),
      around: pickParts(assembly, (part) => around.has(part)),
      curves: joinCurves(
        clashes
          .filter(({ grade }) => grade === 'interference')
          .slice(0, PAIRS_WITH_CURVES)
          .map(({ a, b }) => curvesOf(assembly, a, b, SEGMENTS_OF_PAIR)),
      ),
    };
  },

  async showClash(
    { a, b, ...input }: AssemblyInput & { a: number; b: number },
    options: ProgressOptions,
  ): Promise<ShownClash> {
    const assembly = await assemblyOf(input, options);
    return {
      a: pickParts(assembly, (part) => part === a),
      b: pickParts(assembly, (part) => part === b),
      rest: pickParts(assembly, (part) => part !== a && part !== b),
      curves: curvesOf(assembly, a, b),
    };
  },
};

/** The parts that have others in them, judged by boxes in the frame of the assembly. */
function partsAround({ merged, firstTriangle, parts }: Assembly): Set<number> {
  const all = parts.map((_, part): Box => {
    const box: Box = { min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] };
    for (let i = 3 * firstTriangle[part]; i < 3 * firstTriangle[part + 1]; i++) {
      for (let k = 0; k < 3; k++) {
        const value = merged.positions[3 * merged.indices[i] + k];
        box.min[k] = Math.min(box.min[k], value);
        box.max[k] = Math.max(box.max[k], value);
      }
    }
    return box;
  });
  const isIn = (inner: Box, outer: Box): boolean =>
    [0, 1, 2].every((k) => inner.min[k] >= outer.min[k] && inner.max[k] <= outer.max[k]);
  const around = new Set<number>();
  for (const [part, outer] of all.entries()) {
    const inside = all.reduce((count, inner, other) => count + (other !== part && isIn(inner, outer) ? 1 : 0), 0);
    if (inside >= PARTS_INSIDE) around.add(part);
  }
  return around;
}

function curvesOf({ parts }: Assembly, a: number, b: number, maxSegments?: number): Float64Array {
  const [first, second] = [parts[a], parts[b]];
  const options = maxSegments === undefined ? {} : { maxSegments };
  return findCrossingCurves(first.model, second.model, first.pose, second.pose, options);
}

function joinCurves(curves: readonly Float64Array[]): Float64Array {
  const joined = new Float64Array(curves.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const curve of curves) {
    joined.set(curve, at);
    at += curve.length;
  }
  return joined;
}

/** Only the vertices that are used, so that the box of the mesh is that of the parts. */
function pickParts({ parts, merged, firstTriangle }: Assembly, wanted: (part: number) => boolean): Mesh {
  const indices: number[] = [];
  const positions: number[] = [];
  const renamed = new Map<number, number>();
  for (let part = 0; part < parts.length; part++) {
    if (!wanted(part)) continue;
    for (let i = 3 * firstTriangle[part]; i < 3 * firstTriangle[part + 1]; i++) {
      const vertex = merged.indices[i];
      let name = renamed.get(vertex);
      if (name === undefined) {
        name = renamed.size;
        renamed.set(vertex, name);
        positions.push(
          merged.positions[3 * vertex],
          merged.positions[3 * vertex + 1],
          merged.positions[3 * vertex + 2],
        );
      }
      indices.push(name);
    }
  }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}
