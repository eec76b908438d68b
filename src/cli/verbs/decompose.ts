import { NearfieldError } from '../../core/errors.js';
import { decomposeSolid } from '../../decomposition/approximate/decompose-solid.js';
import { decomposeSurface } from '../../decomposition/decompose-surface.js';
import {
  countNewFaces,
  DECOMPOSITION_METHODS,
  type Decomposition,
  type DecompositionMethod,
  patchCount,
} from '../../decomposition/decomposition.js';
import { DECOMPOSITION_DEFAULTS } from '../../decomposition/defaults.js';
import { buildHierarchy } from '../../decomposition/hierarchy/build-hierarchy.js';
import { bytesPerTriangle, nodeCount } from '../../decomposition/hierarchy/hierarchy.js';
import { writeHierarchy } from '../../decomposition/hierarchy/hierarchy-file.js';
import { SPLIT_RULES } from '../../decomposition/hierarchy/split-pieces.js';
import { type LowerBounds, lowerBounds } from '../../decomposition/patches/lower-bounds.js';
import { splitFlatPatches } from '../../decomposition/patches/split-flat-patches.js';
import { piecesToModel } from '../../decomposition/pieces/pieces-to-model.js';
import { type OutputFormat, writeModel } from '../../io/model/write-model.js';
import type { Mesh } from '../../mesh/mesh.js';
import { ProximityModel } from '../../proximity/proximity-model.js';
import { takeLength, takeNumber, takePositionals, takeString } from '../arguments.js';
import { loadMesh, nameFile, saveBytes } from '../load-model.js';
import { OUTPUT_FORMATS_HELP, outputFormat } from '../output-format.js';
import { labeled, readable } from '../table.js';
import type { Answer, Verb, VerbInput } from '../verb.js';

export const decompose: Verb = {
  name: 'decompose',
  summary: 'divides a surface into convex patches, each with its convex piece, or a solid into a few convex pieces',
  usage: 'decompose MODEL [--method METHOD] [--bounds] [--hierarchy FILE] [--approximate] [-o PIECES]',
  help: `The piece of a patch is its convex hull. The patch lies on the boundary of its piece, which meets the surface nowhere
else. MODEL may be open, but must be manifold and oriented, without degenerate faces or self-intersections.
  --method METHOD       ${DECOMPOSITION_METHODS.join(', ')}
                        (default ${DECOMPOSITION_METHODS[0]}; global compares all pairs of faces: for small models)
  --bounds              also compute lower bounds on the number of pieces, with witnesses (for small models)
  --hierarchy FILE      build the hierarchy of hulls over the pieces and write it, for readHierarchy and for
                        measure and replay (--hulls-a, --hulls-b)
  --split RULE          how the hierarchy splits: ${SPLIT_RULES.join(', ')} (default ${SPLIT_RULES[0]})
  --approximate         cover the solid with few convex pieces instead, as physics engines take them; MODEL may be
                        any mesh. Of an open one the surface is covered
  --max-concavity C     how far a piece may differ from its part of the solid, a length
                        (default ${DECOMPOSITION_DEFAULTS.relativeConcavity} of the longest side of MODEL's box)
  --max-pieces N        largest number of pieces (default ${DECOMPOSITION_DEFAULTS.maxPieces})
  --max-milliseconds T  return the pieces found after about T milliseconds; the pieces then depend on the machine
  -o, --output PIECES   write the pieces; .glb keeps them separate, each in its own color
${OUTPUT_FORMATS_HELP}

  nearfield decompose part.stl -o pieces.glb
  nearfield decompose part.stl --method bfs-flood-retract --json
  nearfield decompose part.stl --approximate --max-pieces 16 -o pieces.glb`,
  options: {
    method: { type: 'string' },
    bounds: { type: 'boolean' },
    hierarchy: { type: 'string' },
    split: { type: 'string' },
    approximate: { type: 'boolean' },
    'max-concavity': { type: 'string' },
    'max-pieces': { type: 'string' },
    'max-milliseconds': { type: 'string' },
    output: { type: 'string', short: 'o' },
    format: { type: 'string' },
  },
  async run(input) {
    const [path] = takePositionals(input, 'decompose', ['MODEL']);
    const method = takeMethod(input);
    const output = takeString(input, 'output');
    const format = output === null ? null : outputFormat(output, takeString(input, 'format'));
    const mesh = await loadMesh(path, input.progress);
    if (input.values.approximate) return approximate(input, path, mesh, output, format);
    const start = performance.now();
    const decomposition = nameFile(path, () => decomposeSurface(mesh, { ...input.progress, method }));
    const milliseconds = performance.now() - start;
    const bounds = input.values.bounds ? nameFile(path, () => lowerBounds(mesh, input.progress)) : null;
    const hierarchy = await saveHierarchy(input, decomposition);
    if (output !== null && format !== null) {
      await saveBytes(output, await writeModel(piecesToModel(decomposition), format));
    }
    const triangles = mesh.indices.length / 3;
    const { reflexEdges } = decomposition;
    const pieces = patchCount(decomposition);
    const newFaces = countNewFaces(decomposition);
    return {
      json: {
        method,
        triangles,
        reflexEdges,
        pieces,
        newFaces,
        milliseconds,
        patches: listPatches(decomposition),
        ...(bounds !== null && { lowerBounds: listBounds(bounds) }),
        ...(hierarchy !== null && { hierarchy }),
        ...(output !== null && { output }),
      },
      text: labeled([
        ['model', path],
        ['method', method],
        ['triangles', readable(triangles)],
        ['reflex edges', readable(reflexEdges)],
        ['pieces', readable(pieces)],
        ['new faces', readable(newFaces)],
        ...(bounds === null
          ? []
          : [
              ['at least', `${readable(bounds.anyPatch.bound)} pieces`] as const,
              ['', `${readable(bounds.connectedPatch.bound)} where patches are connected`] as const,
            ]),
        ['milliseconds', milliseconds.toFixed(1)],
        ...(hierarchy === null
          ? []
          : [
              [
                'hierarchy',
                `${hierarchy.file}: ${readable(hierarchy.nodes)} nodes, ${readable(hierarchy.bytesPerTriangle)} bytes per triangle`,
              ] as const,
            ]),
        ...(output === null ? [] : [['output', output] as const]),
      ]),
    };
  },
};

function refuseExactOptions(input: VerbInput): void {
  for (const name of ['method', 'bounds', 'hierarchy', 'split']) {
    if (input.values[name] === undefined) continue;
    throw new NearfieldError(
      'bad-argument',
      `--${name} belongs to the exact decomposition; leave it out with --approximate`,
    );
  }
}

async function approximate(
  input: VerbInput,
  path: string,
  mesh: Mesh,
  output: string | null,
  format: OutputFormat | null,
): Promise<Answer> {
  refuseExactOptions(input);
  const maxConcavity = takeLength(input, 'max-concavity') ?? undefined;
  const maxPieces = takeNumber(input, 'max-pieces', DECOMPOSITION_DEFAULTS.maxPieces, { min: 1, integer: true });
  const maxMilliseconds = takeNumber(input, 'max-milliseconds', Infinity, { min: 0 });
  const start = performance.now();
  const solid = nameFile(path, () =>
    decomposeSolid(mesh, { ...input.progress, maxConcavity, maxPieces, maxMilliseconds }),
  );
  const milliseconds = performance.now() - start;
  if (output !== null && format !== null) await saveBytes(output, await writeModel(piecesToModel(solid), format));
  const triangles = mesh.indices.length / 3;
  const { pieces, concavity, overshoot, covers } = solid;
  return {
    json: {
      method: 'approximate',
      triangles,
      reflexEdges: null,
      pieces: pieces.length,
      newFaces: null,
      milliseconds,
      patches: null,
      maxConcavity: solid.maxConcavity,
      concavity,
      overshoot,
      covers,
      hulls: pieces.map((piece) => ({
        vertices: piece.mesh.positions.length / 3,
        triangles: piece.mesh.indices.length / 3,
        volume: piece.volume,
        concavity: piece.concavity,
        depth: piece.depth,
        overshoot: piece.overshoot,
      })),
      ...(output !== null && { output }),
    },
    text: labeled([
      ['model', path],
      ['method', 'approximate'],
      ['triangles', readable(triangles)],
      ['pieces', readable(pieces.length)],
      ['covers', `the ${covers}`],
      ['concavity', `up to ${readable(concavity)}, of ${readable(solid.maxConcavity)} allowed`],
      ['overshoot', `${readable(overshoot.lower)} to ${readable(overshoot.upper)}`],
      ['milliseconds', milliseconds.toFixed(1)],
      ...(output === null ? [] : [['output', output] as const]),
    ]),
  };
}

function takeMethod(input: VerbInput): DecompositionMethod {
  const asked = takeString(input, 'method') ?? DECOMPOSITION_METHODS[0];
  const method = DECOMPOSITION_METHODS.find((candidate) => candidate === asked);
  if (method === undefined) {
    throw new NearfieldError(
      'bad-argument',
      `there is no decomposition method "${asked}"; the methods are ${DECOMPOSITION_METHODS.join(', ')}`,
    );
  }
  return method;
}

function listPatches({ patchStart, patchFaces }: Decomposition): number[][] {
  return Array.from({ length: patchStart.length - 1 }, (_, patch) => [
    ...patchFaces.subarray(patchStart[patch], patchStart[patch + 1]),
  ]);
}

function listBounds({ anyPatch, connectedPatch }: LowerBounds) {
  const list = ({ bound, witness }: LowerBounds['anyPatch']) => ({ bound, witness: Array.from(witness) });
  return { anyPatch: list(anyPatch), connectedPatch: list(connectedPatch) };
}

/** Builds and writes the hierarchy if --hierarchy was given. */
async function saveHierarchy(input: VerbInput, decomposition: Decomposition) {
  const file = takeString(input, 'hierarchy');
  const asked = takeString(input, 'split') ?? SPLIT_RULES[0];
  const split = SPLIT_RULES.find((rule) => rule === asked);
  if (split === undefined) {
    throw new NearfieldError(
      'bad-argument',
      `there is no splitting rule "${asked}"; the rules are ${SPLIT_RULES.join(', ')}`,
    );
  }
  if (file === null) return null;
  const start = performance.now();
  // The flat pieces of a solid must lie in it for the hulls to serve queries.
  const { outward } = new ProximityModel(decomposition.mesh);
  const pieces = outward ? splitFlatPatches(decomposition) : decomposition;
  const hierarchy = buildHierarchy(pieces, { ...input.progress, split });
  const milliseconds = performance.now() - start;
  await saveBytes(file, writeHierarchy(hierarchy));
  return { file, split, nodes: nodeCount(hierarchy), bytesPerTriangle: bytesPerTriangle(hierarchy), milliseconds };
}
