// The scenes of the plane in motion: worlds of the library with walls around the room, by the methods of the paper. Shared by
// the benchmarks, the lab and the tests. Nothing loses energy: no friction, restitution 1.
import { type PlaneBodyOptions, type PlaneMethod, PlaneWorld, type PlaneWorldOptions } from 'nearfield/dynamics';
import { layOutPlane, type PlaneLayout, type PlaneSceneName } from './plane-shapes.js';

export interface PlaneSceneWorld {
  readonly name: PlaneSceneName;
  readonly layout: PlaneLayout;
  readonly world: PlaneWorld;
  /** Ids of the bodies in the order of the layout; walls have others. */
  readonly ids: readonly number[];
  /** What soft bodies start with. */
  readonly waves: readonly PlaneWave[];
}

/** The nodes of a body, by its place in the layout, and their velocities. */
export interface PlaneWave {
  readonly body: number;
  readonly nodes: Float64Array;
  readonly speeds: Float64Array;
}

export interface PlaneSceneOptions {
  readonly method?: PlaneMethod | undefined;
  readonly timestep?: number | undefined;
  readonly substeps?: number | undefined;
  readonly stiffness?: number | undefined;
  readonly restitution?: number | undefined;
  readonly friction?: number | undefined;
  /** The bodies of wavy start deep in each other, and move freely. */
  readonly overlap?: boolean | undefined;
}

/** Method, substeps and stiffness of each scene: the methods of the paper; it gives neither masses nor stiffness. */
export const PLANE_CHOICES: Readonly<
  Record<PlaneSceneName, { method: PlaneMethod; substeps: number; stiffness?: number }>
> = {
  map: { method: 'penalty', substeps: 3, stiffness: 3e5 },
  gears: { method: 'penalty', substeps: 4 },
  links: { method: 'penalty', substeps: 4 },
  cars: { method: 'backtracking', substeps: 1 },
  wavy: { method: 'penalty', substeps: 2 },
};

const WALL = 1;

export function createPlaneWorld(name: PlaneSceneName, options: PlaneSceneOptions = {}): PlaneSceneWorld {
  const layout = layOutPlane(name);
  const { settings, bodies, walls } = describePlaneWorld(name, options);
  const world = new PlaneWorld(settings);
  const ids = bodies.map((body) => world.addBody(body));
  const waves = wavesOf(name, options, world, ids);
  for (const { body, nodes, speeds } of waves) world.setNodes(ids[body], nodes, speeds);
  for (const wall of walls) world.addBody(wall);
  return { name, layout, world, ids, waves };
}

/** What a world is made of, as plain data; waves of soft bodies apart. */
export function describePlaneWorld(
  name: PlaneSceneName,
  options: PlaneSceneOptions = {},
): { settings: PlaneWorldOptions; bodies: readonly PlaneBodyOptions[]; walls: readonly PlaneBodyOptions[] } {
  const { starts, box } = layOutPlane(name);
  const { restitution = 1, friction = 0, overlap = false } = options;
  const choice = PLANE_CHOICES[name];
  const method = options.method ?? choice.method;
  const isSoft = name === 'wavy';
  const [x0, y0, x1, y1] = box ?? [0, 0, 0, 0];
  const sides = [
    [x0 - WALL, y0 - WALL, x1 + WALL, y0],
    [x0 - WALL, y1, x1 + WALL, y1 + WALL],
    [x0 - WALL, y0, x0, y1],
    [x1, y0, x1 + WALL, y1],
  ];
  return {
    settings: {
      gravity: [0, 0],
      method,
      timestep: options.timestep ?? 1 / 60,
      substeps: options.substeps ?? (method === choice.method ? choice.substeps : 4),
      sleeping: false,
      stiffness: options.stiffness ?? choice.stiffness,
    },
    bodies: starts.map(({ ring, pose: [x, y, angle], velocity: [vx, vy, spin] }, i) => ({
      shape: isSoft
        ? { polygon: ring, elastic: { waveSpeed: 1, frequency: 0.4, damping: overlap ? 0.5 : 0 } }
        : { polygon: ring },
      pose: overlap && i === 1 ? [x - 0.4, y + 0.1, angle] : [x, y, angle],
      ...(isSoft ? { fixed: !overlap } : { velocity: [vx, vy], angularVelocity: spin }),
      restitution: overlap ? 0 : restitution,
      friction,
    })),
    walls: (box === null ? [] : sides).map(([ax, ay, bx, by]) => ({
      ...{ shape: { polygon: [ax, ay, bx, ay, bx, by, ax, by] }, fixed: true, restitution, friction },
    })),
  };
}

/** Of soft bodies that do not overlap: presses the fronts together, and sends a bump upwards along the right one from below the left one. */
function wavesOf(
  name: PlaneSceneName,
  { overlap = false }: PlaneSceneOptions,
  world: PlaneWorld,
  ids: readonly number[],
): PlaneWave[] {
  if (name !== 'wavy' || overlap) return [];
  const [height, width, start] = [0.07, 0.1, -0.95];
  return ids.map((id, body) => {
    const nodes = world.nodesOf(id).slice();
    const speeds = new Float64Array(nodes.length);
    for (let i = 0; i < nodes.length; i += 2) {
      if (Math.abs(nodes[i]) > 0.03) continue;
      nodes[i] = 0;
      if (body === 0) continue;
      const from = nodes[i + 1] - start;
      const bump = height * Math.exp((-from * from) / (2 * width * width));
      nodes[i] -= bump;
      // u(y − c t): its rate is −c times its slope.
      speeds[i] = (-bump * from) / (width * width);
    }
    return { body, nodes, speeds };
  });
}
