// Code for the scenes of meshes, hulls, convex pieces, fragments and medial axes.
import type { ReadonlyVec3 } from 'nearfield/core';
import { onMesh } from './fields.js';
import { flag, listText, objectText, quoted, type Source, type ViewCode } from './view-code.js';

export function reportCode(source: Source): ViewCode {
  return onMesh(source, { 'nearfield/mesh': ['inspectMesh'] }, reportLines('mesh'), ['info']);
}

/** The verdict, then all of it. */
function reportLines(mesh: string): string[] {
  return [`const report = inspectMesh(${mesh});`, 'console.log(report.closed, report.volume);', 'console.log(report);'];
}

/** The report on a file, repaired or not, and what is at the probe. */
export function inspectCode(
  source: Source,
  { probe, repair, fillHoles }: { probe: ReadonlyVec3; repair: boolean; fillHoles: boolean },
): ViewCode {
  const lines = [
    `const shown = ${repair ? `repairMesh(mesh, { fillHoles: ${fillHoles} }).mesh` : 'mesh'};`,
    `console.log(new MeshQuery(shown).signedDistance(${listText(probe)}));`,
    ...reportLines('shown'),
  ];
  const names = ['MeshQuery', 'inspectMesh', ...(repair ? ['repairMesh'] : [])];
  const how = repair ? ['repair', ...(fillHoles ? ['--fill-holes'] : []), '-o repaired.ply'] : ['info'];
  return onMesh(source, { 'nearfield/mesh': names }, lines, how);
}

export function hullCode(source: Source): ViewCode {
  return onMesh(
    source,
    { 'nearfield/convex': ['buildHull', 'measureHull'], 'nearfield/mesh': ['inspectMesh'] },
    [
      'const { volume } = measureHull(buildHull(mesh.positions));',
      'const solid = inspectMesh(mesh, { selfIntersections: false }).volume;',
      'console.log(volume, solid === null ? null : solid / volume);',
    ],
    ['hull', '-o hull.obj'],
  );
}

export function patchesCode(source: Source, method: string): ViewCode {
  return onMesh(
    source,
    { 'nearfield/decomposition': ['decomposeSurface', 'patchCount'] },
    [
      `const decomposition = decomposeSurface(mesh, { method: ${quoted(method)} });`,
      'console.log(decomposition.reflexEdges, patchCount(decomposition)); // edges that bend inward, and pieces',
    ],
    ['decompose', flag('method', method), '-o pieces.glb'],
  );
}

export function hierarchyCode(
  source: Source,
  { method, split, level }: { method: string; split: string; level: number },
): ViewCode {
  return onMesh(
    source,
    { 'nearfield/decomposition': ['buildHierarchy', 'decomposeSurface', 'nodeCount', 'nodeLevels'] },
    [
      `const decomposition = decomposeSurface(mesh, { method: ${quoted(method)} });`,
      `const hierarchy = buildHierarchy(decomposition, { split: ${quoted(split)} });`,
      '// The hulls of a level, and the pieces that end above it.',
      `const isShown = (level: number, node: number): boolean =>`,
      `  level === ${level} || (level < ${level} && hierarchy.nodePieces[node] >= 0);`,
      'console.log(Array.from(nodeLevels(hierarchy)).filter(isShown).length, nodeCount(hierarchy));',
    ],
    ['decompose', flag('method', method), flag('split', split), '--hierarchy hulls.bin'],
  );
}

export function piecesCode(source: Source, options: { maxConcavity: number; maxPieces: number }): ViewCode {
  return onMesh(
    source,
    { 'nearfield/decomposition': ['decomposeSolid'] },
    [
      `const { pieces, overshoot } = decomposeSolid(mesh, ${objectText(options)});`,
      'console.log(pieces.length, overshoot.upper);',
    ],
    [
      'decompose --approximate',
      flag('max-concavity', options.maxConcavity),
      flag('max-pieces', options.maxPieces),
      '-o pieces.glb',
    ],
  );
}

export interface FractureView {
  readonly fragments: number;
  readonly seed: number;
  readonly gap: number;
  readonly impact: { readonly point: ReadonlyVec3; readonly radius: number } | null;
}

export function fractureCode(source: Source, { impact, ...options }: FractureView): ViewCode {
  const { fragments, seed, gap } = options;
  const code = onMesh(
    source,
    { 'nearfield/decomposition': ['fractureSolid'] },
    [
      `const { fragments } = fractureSolid(mesh, ${objectText({ ...options, impact: impact ?? undefined })});`,
      'console.log(fragments.length);',
    ],
    ['fracture', flag('fragments', fragments), flag('seed', seed), flag('gap', gap), '-o fragments.glb'],
  );
  const because = 'The command breaks a solid all over; only the library strikes it at a point.';
  return impact === null ? code : { ...code, command: { because } };
}

export function medialAxisCode(
  source: Source,
  options: { resolution: number; minAngle: number; minFeature: number },
): ViewCode {
  const code = onMesh(
    source,
    { 'nearfield/voronoi': ['computeSolidMedialAxis'] },
    [
      `const axis = computeSolidMedialAxis(mesh, ${objectText(options)});`,
      'console.log(Math.max(...axis.radii)); // of the largest ball inside',
    ],
    [],
  );
  return { ...code, command: { because: 'The command has no verb for the medial axis of a solid.' } };
}
