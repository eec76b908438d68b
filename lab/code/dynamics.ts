// Code for the scenes of bodies that move: rigid ones in space and in the plane, and elastic ones.
import type { PlaneBodyOptions, SceneBody, SceneDescription } from 'nearfield/dynamics';
import { writeModel } from 'nearfield/io';
import type { Mesh } from 'nearfield/mesh';
import type { ElasticParts } from '../../bench/scenarios/elastic/elastic-scene.js';
import type { PlaneSceneName } from '../../bench/scenarios/plane-shapes.js';
import { describePlaneWorld, type PlaneSceneOptions, type PlaneWave } from '../../bench/scenarios/plane-worlds.js';
import {
  type CodeFile,
  commandText,
  flag,
  type Imports,
  jsonText,
  objectText,
  programText,
  quoted,
  READ_FILE,
  readText,
  savedJson,
  type ViewCode,
} from './view-code.js';

const SCENE = 'scene.json';
/** A model of which copies fall. */
const COPIED = 'copied.obj';
/** What the hand did is not in the code. */
const ALONE = '// From the start, without pulls by hand.';

export interface BodiesView {
  readonly method: string;
  /** How the method of times of contact finds them. */
  readonly times: string;
  readonly steps: number;
  /** Whether the scene has a mesh beside it. */
  readonly hasMesh: boolean;
}

/** @param describe the scene, and the mesh of which copies fall, when they are saved */
export function bodiesCode(
  { method, times, steps, hasMesh }: BodiesView,
  describe: () => Promise<{ description: SceneDescription; mesh: Mesh | null }>,
): ViewCode {
  const loading: Imports = hasMesh ? { 'nearfield/io': ['mergeModel', 'readModel'] } : {};
  const timeOfContact = method === 'time-of-contact' ? times : undefined;
  const timed = timeOfContact === undefined ? '' : ` timeOfContact: ${quoted(timeOfContact)},`;
  const options = hasMesh
    ? `{ method: ${quoted(method)},${timed} loadMesh: async () => mergeModel(${readText(COPIED)}) }`
    : objectText({ method, ...(timeOfContact === undefined ? {} : { timeOfContact }) });
  const copied: CodeFile = {
    name: COPIED,
    bytes: async () => writeModel((await describe()).mesh!, 'obj'),
  };
  return {
    typescript: programText(
      [READ_FILE, { 'nearfield/dynamics': ['readSimulationScene'] }, loading],
      [
        ALONE,
        `const simulation = await readSimulationScene(await readFile(${quoted(SCENE)}, 'utf8'), ${options});`,
        `for (let step = 0; step < ${steps}; step++) simulation.step();`,
        ...frameLines(),
      ],
    ),
    command: simulateText({ method, timeOfContact, steps }),
    files: [savedJson(SCENE, async () => inFile((await describe()).description)), ...(hasMesh ? [copied] : [])],
  };
}

function frameLines(): string[] {
  return [
    'const { contacts, worstPenetration } = simulation.frame();',
    'console.log(contacts, 1000 * worstPenetration); // the deepest overlap in millimeters',
  ];
}

/** Only the first frame and the last. */
function simulateText(view: { method?: string; timeOfContact?: string | undefined; steps: number }): string {
  const { method, timeOfContact, steps } = view;
  const flags = [flag('steps', steps), flag('every', Math.max(1, steps))];
  if (method !== undefined) flags.push(flag('method', method));
  if (timeOfContact !== undefined) flags.push(flag('time-of-contact', timeOfContact));
  return commandText([], ['nearfield simulate', SCENE, ...flags, '-o end.glb'].join(' '));
}

/** The scene with the name that the copied model is saved under. */
function inFile(description: SceneDescription): SceneDescription {
  const bodies = description.bodies.map((body): SceneBody => {
    return 'file' in body.shape ? { ...body, shape: { file: COPIED } } : body;
  });
  return { ...description, bodies };
}

const BODIES = 'bodies.json';

/** @param waves of soft bodies, when they are saved */
export function planeBodiesCode(
  name: PlaneSceneName,
  options: PlaneSceneOptions,
  steps: number,
  waves: () => Promise<readonly PlaneWave[]>,
): ViewCode {
  const { settings, bodies, walls } = describePlaneWorld(name, options);
  const isSoft = name === 'wavy' && options.overlap !== true;
  return {
    typescript: programText(
      [READ_FILE, { 'nearfield/dynamics': ['PlaneWorld', 'type PlaneBodyOptions'] }],
      [
        ALONE,
        `const world = new PlaneWorld(${objectText(settings)});`,
        `const { bodies, walls${isSoft ? ', waves' : ''} } = ${jsonText(BODIES)};`,
        'const ids = bodies.map((body: PlaneBodyOptions) => world.addBody(body));',
        ...(isSoft
          ? [
              'for (const { body, nodes, speeds } of waves)',
              '  world.setNodes(ids[body], Float64Array.from(nodes), Float64Array.from(speeds));',
            ]
          : []),
        'for (const wall of walls) world.addBody(wall);',
        `for (let step = 0; step < ${steps}; step++) world.step();`,
        'console.log(world.contacts().length, 1000 * world.worstPenetration()); // the deepest overlap in millimeters',
      ],
    ),
    command: simulateText({ steps }),
    files: [
      {
        ...savedJson(BODIES, async () => ({ bodies, walls, ...(isSoft && { waves: await waves() }) })),
        only: 'typescript',
      },
      { ...savedJson(SCENE, async () => planeScene(name, options, isSoft ? await waves() : [])), only: 'command' },
    ],
  };
}

/** A scene of the plane as the command reads it. */
export function planeScene(
  name: PlaneSceneName,
  options: PlaneSceneOptions,
  waves: readonly PlaneWave[],
): SceneDescription {
  const { settings, bodies, walls } = describePlaneWorld(name, options);
  const { gravity, timestep, method, substeps, stiffness } = settings;
  const sceneBody = (body: PlaneBodyOptions, index: number | null): SceneBody => {
    const { shape, pose, velocity, angularVelocity, restitution, friction, fixed } = body;
    if (!('polygon' in shape)) throw new Error('These scenes have polygons only.');
    const wave = waves.find((own) => own.body === index);
    const start = wave && { nodes: pairs(wave.nodes), velocities: pairs(wave.speeds) };
    return {
      shape: { polygon: pairs(shape.polygon as ArrayLike<number>) },
      ...(pose && { pose: Array.from(pose) }),
      ...(velocity && { velocity: Array.from(velocity) }),
      ...(angularVelocity !== undefined && { angularVelocity }),
      ...(fixed === true && { fixed }),
      restitution: restitution ?? 0,
      friction: friction ?? 0,
      ...(shape.elastic && { elastic: { ...shape.elastic, damping: shape.elastic.damping ?? 0, ...start } }),
    };
  };
  return {
    dimension: 2,
    gravity: Array.from(gravity!),
    timestep: timestep!,
    method: method!,
    substeps: substeps!,
    ...(stiffness !== undefined && { stiffness }),
    bodies: [...bodies.map(sceneBody), ...walls.map((wall) => sceneBody(wall, null))],
  };
}

function pairs(values: ArrayLike<number>): number[][] {
  return Array.from({ length: values.length / 2 }, (_, i) => [values[2 * i], values[2 * i + 1]]);
}

export interface ElasticView {
  readonly mode: 'real-time' | 'converged';
  readonly steps: number;
  readonly scene: string;
}

/** Scenes whose bodies have weight, all or some; there are rigid ones among them. */
const WEIGHTS: Readonly<Record<string, 'all' | 'some'>> = { 'snake-swallow': 'some', 'soft-letters': 'all' };

const PARTS = 'parts.json';

/** @param parts of the world, when they are saved */
export function elasticCode({ mode, steps, scene }: ElasticView, parts: () => Promise<ElasticParts>): ViewCode {
  const weight = WEIGHTS[scene];
  const isRigid = weight !== undefined;
  return {
    typescript: programText(
      [
        READ_FILE,
        { 'nearfield/elastic': ['ElasticBody', 'ElasticWorld'] },
        isRigid ? { 'nearfield/dynamics': ['RigidWorld'], 'nearfield/mesh': ['findModel'] } : {},
      ],
      [
        ALONE,
        `const { elastic${isRigid ? ', gravity, rigid: rigidBodies' : ''} } = ${jsonText(PARTS)};`,
        ...(isRigid
          ? [
              'const rigid = new RigidWorld({ gravity });',
              'for (const { shape, ...body } of rigidBodies) {',
              "  const mesh = 'box' in shape ? null : findModel(shape.model).build(shape.parameters);",
              '  rigid.addBody({ ...body, shape: mesh === null ? shape : { mesh } });',
              '}',
            ]
          : []),
        `const world = new ElasticWorld({ ${isRigid ? 'rigid, ' : ''}timestep: 1 / 60, mode: '${mode}' });`,
        'for (const { mesh, material, friction, holds } of elastic) {',
        '  const [positions, elements] = [Float64Array.from(mesh.positions), Uint32Array.from(mesh.elements)];',
        '  const body = new ElasticBody({ positions, elements }, material);',
        '  world.addBody(body, { friction });',
        '  for (const { nodes, keyframes } of holds) world.hold(body, nodes, keyframes);',
        '}',
        `for (let step = 0; step < ${steps}; step++) world.step();`,
        'console.log(world.contactCount, 1000 * world.worstPenetration()); // the deepest overlap in millimeters',
      ],
    ),
    command:
      weight === 'some'
        ? { because: 'In scenes of the command all bodies have weight or none; here only the oranges do.' }
        : simulateText({ steps }),
    files: [
      { ...savedJson(PARTS, parts), only: 'typescript' },
      ...(weight === 'some'
        ? []
        : [{ ...savedJson(SCENE, async () => sceneOf(await parts(), mode)), only: 'command' } as const]),
    ],
  };
}

/** The world as a scene of the command. */
function sceneOf({ gravity, rigid, elastic }: ElasticParts, mode: 'real-time' | 'converged'): SceneDescription {
  const triples = (values: ArrayLike<number>, size: number): number[][] =>
    Array.from({ length: values.length / size }, (_, i) =>
      Array.from({ length: size }, (_, k) => values[size * i + k]),
    );
  return {
    gravity: gravity ?? [0, 0, 0],
    solver: { integrator: 'bdf2', substeps: 1, mode },
    bodies: [
      ...rigid,
      ...elastic.map(({ name, mesh, material: { gravity: _, density, ...material }, friction, holds }): SceneBody => {
        return {
          name,
          shape: { tetrahedra: { positions: triples(mesh.positions, 3), elements: triples(mesh.elements, 4) } },
          ...(density !== undefined && { density }),
          ...(friction !== undefined && { friction }),
          elastic: material as SceneBody['elastic'] & object,
          hold: holds.map(({ nodes, keyframes }) => ({
            nodes,
            keyframes: keyframes.map(({ time, offset }) => ({ time, offset: Array.from(offset) })),
          })),
        };
      }),
    ],
  };
}
