// Code for the scenes of PIVOT: shapes in the plane, two meshes, and NURBS surfaces.
import type { Mesh } from 'nearfield/mesh';
import type { NurbsSurface } from 'nearfield/pivot';
import type { PlaneQuery } from '../worker/pivot-plane-tasks.js';
import {
  type CodeFile,
  commandText,
  filesOf,
  flag,
  jsonText,
  programText,
  READ_FILE,
  savedJson,
  savedSource,
  type ViewCode,
} from './view-code.js';

interface PlaneBody {
  readonly rings: readonly Float64Array[];
  readonly pose: readonly [number, number, number];
}

export interface PlaneView {
  readonly query: PlaneQuery;
  readonly bodies: readonly PlaneBody[];
  readonly error: number;
  readonly threshold: number;
}

const BODIES = 'bodies.json';

/** The bodies are saved; two of them as drawings too, for the command. */
export function planeCode({ query, bodies, error, threshold }: PlaneView): ViewCode {
  const shapes = bodies.map(({ rings, pose }) => ({ rings, pose }));
  const isPairwise = query === 'volumes' || query === 'boundaries';
  const kind = query === 'volumes' ? 'volume-volume' : 'boundary-boundary';
  const read = [
    `const saved: { rings: number[][]; pose: number[] }[] = ${jsonText(BODIES)};`,
    'const bodies = saved.map(({ rings, pose }) => ({ rings: rings.map((ring) => Float64Array.from(ring)), pose }));',
  ];
  const typescript = isPairwise
    ? programText(
        [READ_FILE, { 'nearfield/pivot': ['PlanePivot'] }],
        [
          ...read,
          `const pivot = new PlanePivot({ error: ${error} });`,
          'let [pairs, pixels] = [0, 0];',
          'for (const [i, a] of bodies.entries()) {',
          '  for (const b of bodies.slice(i + 1)) {',
          `    const { count } = pivot.intersect(a, b, '${kind}');`,
          '    pixels += count;',
          '    if (count > 0) pairs++;',
          '  }',
          '}',
          'console.log(pairs, pixels);',
        ],
      )
    : programText(
        [READ_FILE, { 'nearfield/pivot': ['PlaneScene'] }],
        [
          ...read,
          `const scene = new PlaneScene({ error: ${error} });`,
          `const found = scene.${query}(bodies${query === 'contacts' ? `, ${threshold}` : ''});`,
          'console.log(found.pairCount, found.count);',
        ],
      );
  const files: CodeFile[] = [savedJson(BODIES, () => shapes)];
  if (isPairwise || bodies.length !== 2) {
    const because = isPairwise
      ? 'The command finds penetrating points and contacts; only the library has pixels in common.'
      : `The command asks about two drawings; these are ${bodies.length} bodies.`;
    return { typescript, command: { because }, files };
  }
  const drawings = ['a.svg', 'b.svg'] as const;
  return {
    typescript,
    command: commandText(
      [],
      [
        `nearfield pivot ${drawings.join(' ')}`,
        flag('error', error),
        ...(query === 'contacts' ? [flag('threshold', threshold)] : []),
        flag('pose-a', bodies[0].pose),
        flag('pose-b', bodies[1].pose),
      ].join(' '),
    ),
    files: [
      { ...files[0], only: 'typescript' },
      ...drawings.map(
        (name, i): CodeFile => ({
          name,
          only: 'command',
          bytes: async () => new TextEncoder().encode(drawingOf(bodies[i].rings)),
        }),
      ),
    ],
  };
}

/** One filled shape; its numbers stay what they are. */
function drawingOf(rings: readonly Float64Array[]): string {
  const chain = (ring: Float64Array): string =>
    Array.from({ length: ring.length / 2 }, (_, i) => `${ring[2 * i]},${ring[2 * i + 1]}`).join(' ');
  const path = rings.map((ring) => `M${chain(ring)}z`).join('');
  return `<svg xmlns="http://www.w3.org/2000/svg"><path fill-rule="evenodd" d="${path}"/></svg>\n`;
}

/** The largest depth of two meshes. */
export function meshPivotCode(meshes: readonly Mesh[], error: number): ViewCode {
  const sources = meshes.map((mesh, i) => savedSource(`cylinder-${'ab'[i]}`, mesh));
  return {
    typescript: programText(
      [{ 'nearfield/pivot': ['SpacePivot'] }, ...sources.map((source) => source.imports)],
      [
        ...sources.map(({ expression }, i) => `const ${'ab'[i]} = ${expression};`),
        `const found = new SpacePivot({ error: ${error} }).penetrationSync(a, b);`,
        'console.log(found.depth, found.a.count, found.b.count);',
      ],
    ),
    command: commandText([], `nearfield pivot ${sources.map(({ file }) => file).join(' ')} ${flag('error', error)}`),
    files: filesOf(sources),
  };
}

export interface NurbsView {
  readonly error: number;
  /** What of the error the triangles may take. */
  readonly share: number;
  readonly threshold: number;
}

const SURFACES = 'surfaces.json';

/** The contacts of surfaces that are near each other. */
export function nurbsCode(surfaces: () => readonly NurbsSurface[], { error, share, threshold }: NurbsView): ViewCode {
  return {
    typescript: programText(
      [READ_FILE, { 'nearfield/pivot': ['SpacePivot', 'findNearNurbs', 'tessellateNurbs', 'type NurbsSurface'] }],
      [
        `const saved: NurbsSurface[] = ${jsonText(SURFACES)};`,
        'const surfaces = saved.map((surface) => ({ ...surface, points: Float64Array.from(surface.points) }));',
        `const near = findNearNurbs(surfaces, ${threshold});`,
        `const meshes = surfaces.map((surface) => tessellateNurbs(surface, { error: ${share} * ${error} }));`,
        `const pivot = new SpacePivot({ error: (1 - ${share}) * ${error} });`,
        'let contacts = 0;',
        'for (let n = 0; n < near.pairs.length; n += 2) {',
        '  const [a, b] = near.pairs.subarray(n, n + 2);',
        `  contacts += pivot.contactsSync(meshes[a], meshes[b], ${threshold}).count;`,
        '}',
        'console.log(contacts);',
      ],
    ),
    command: { because: 'The command takes meshes and drawings; only the library takes NURBS surfaces.' },
    files: [savedJson(SURFACES, surfaces)],
  };
}
