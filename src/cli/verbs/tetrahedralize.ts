import { NearfieldError } from '../../core/errors.js';
import { ELASTIC_DEFAULTS } from '../../elastic/defaults.js';
import { TETRAHEDRA_FORMATS, writeTetrahedra } from '../../elastic/files/tetrahedra-files.js';
import { findSurface } from '../../elastic/tetrahedra/tetrahedral-mesh.js';
import { tetrahedralizeMesh } from '../../elastic/tetrahedra/tetrahedralize-mesh.js';
import { boxOfFaces } from '../../mesh/topology/unused-vertices.js';
import { takeChoice, takeLength, takeNumber, takePositionals, takeString } from '../arguments.js';
import { extensionOf, loadMesh, nameFile, saveBytes } from '../load-model.js';
import { labeled, readable } from '../table.js';
import type { Verb } from '../verb.js';

const { resolution: RESOLUTION } = ELASTIC_DEFAULTS.tetrahedra;

export const tetrahedralize: Verb = {
  name: 'tetrahedralize',
  summary: 'fills a closed model with tetrahedra for finite elements, and measures them',
  usage: 'tetrahedralize MODEL [--size S | --resolution N] [-o F.msh|F.vtk]',
  help: `The surface of the tetrahedra follows the model within a distance that is bounded and printed, both ways. No element
is inverted or a sliver: the smallest and the largest dihedral angle are printed, in radians with --json.
  -o, --output F        the file to write: Gmsh (.msh, version 4.1) or VTK (.vtk)
  --format FORMAT       ${TETRAHEDRA_FORMATS.join(', ')}; msh2 is Gmsh's version 2.2
  --size S              the length of the elements' edges
  --resolution N        the same as elements along the longest side (default ${RESOLUTION})
  --mode M              conforming (default), or embedded: whole elements of a lattice that cover the model
  --max-distance D      refuse a result farther than this from the model (default: the size)
  --topology T          same (default): refuse a result with other holes than the model; any: accept it
  --no-features         leave out the fit to creases and corners
  --max-elements N      largest number of elements (default ${ELASTIC_DEFAULTS.tetrahedra.maxElements})

  nearfield tetrahedralize bracket.stl --size 2 -o bracket.msh
  nearfield tetrahedralize scan.ply --resolution 40 --json | jq .dihedralAngles`,
  options: {
    output: { type: 'string', short: 'o' },
    format: { type: 'string' },
    size: { type: 'string' },
    resolution: { type: 'string' },
    mode: { type: 'string' },
    'max-distance': { type: 'string' },
    topology: { type: 'string' },
    'no-features': { type: 'boolean' },
    'max-elements': { type: 'string' },
  },
  async run(input) {
    const [path] = takePositionals(input, 'tetrahedralize', ['MODEL']);
    const output = takeString(input, 'output');
    const format = takeFormat(output, takeString(input, 'format'));
    const mode = takeChoice(input, 'mode', ['conforming', 'embedded']);
    const topology = takeChoice(input, 'topology', ['same', 'any']);
    const maxDistance = takeLength(input, 'max-distance') ?? undefined;
    const maxElements = takeNumber(input, 'max-elements', ELASTIC_DEFAULTS.tetrahedra.maxElements, { min: 1 });
    const resolution = takeNumber(input, 'resolution', RESOLUTION, { min: 1 });
    const asked = takeLength(input, 'size');
    if (asked !== null && input.values.resolution !== undefined) {
      throw new NearfieldError('bad-argument', '--size and --resolution say the same; give one of them');
    }
    const mesh = await loadMesh(path, input.progress);
    const box = boxOfFaces(mesh);
    const longest = Math.max(...[0, 1, 2].map((axis) => box.max[axis] - box.min[axis]));
    const size = asked ?? longest / resolution;
    const started = performance.now();
    const made = nameFile(path, () =>
      tetrahedralizeMesh(mesh, {
        ...input.progress,
        ...{ size, mode, topology, maxDistance, maxElements },
        features: !input.values['no-features'],
      }),
    );
    const milliseconds = performance.now() - started;
    if (output !== null && format !== null) await saveBytes(output, writeTetrahedra(made.mesh, format));
    const { report, distance, topologyKept } = made;
    const surfaceTriangles = findSurface(made.mesh).faces.length / 3;
    const degrees = (angle: number) => `${((angle * 180) / Math.PI).toFixed(1)}°`;
    const { min, max } = report.dihedralAngles;
    return {
      json: { output, format, mode, size, ...report, surfaceTriangles, distance, topologyKept, milliseconds },
      text: labeled([
        ...(output === null ? [] : [['output', output] as const]),
        ['elements', `${readable(report.elements)}, of size ${readable(size)}`],
        ['nodes', readable(report.nodes)],
        ['surface', `${readable(surfaceTriangles)} triangles`],
        ['volume', readable(report.volume)],
        ['dihedral angles', `${degrees(min)} to ${degrees(max)}`],
        ...(distance === null
          ? []
          : [
              ['elements to model', `at most ${readable(distance.toInput)}`] as const,
              ['model to elements', `at most ${readable(distance.fromInput)}`] as const,
            ]),
        ['time', `${readable(Math.round(milliseconds))} ms`],
      ]),
      warnings: topologyKept === false ? [`${path}: the elements have other holes or parts than the model`] : [],
    };
  },
};

function takeFormat(output: string | null, asked: string | null): (typeof TETRAHEDRA_FORMATS)[number] | null {
  if (output === null) {
    if (asked === null) return null;
    throw new NearfieldError('bad-argument', '--format needs an output; add -o F.msh, or leave --format out');
  }
  const wanted = asked ?? extensionOf(output);
  const format = TETRAHEDRA_FORMATS.find((candidate) => candidate === wanted);
  if (format !== undefined) return format;
  throw new NearfieldError(
    'bad-argument',
    asked === null
      ? `${output}: no format has this extension; use .msh or .vtk, or give --format`
      : `there is no output format "${asked}"; the formats are ${TETRAHEDRA_FORMATS.join(', ')}`,
  );
}
