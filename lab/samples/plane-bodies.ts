// The bodies of a scene in the plane as they are shown: those of a frame, moved, turned and bent by hand.
import type { Mesh } from 'nearfield/mesh';
import { type PlaneScenario, planeScenarios } from '../../bench/scenarios/plane.js';
import { PLANE_SCENES, type PlaneSceneName } from '../../bench/scenarios/plane-shapes.js';
import type { Move } from '../controls.js';
import { flatMesh } from '../flat-mesh.js';

/** What a grip moves along with it: a standard deviation, as a share of a body's diameter. */
const BEND_WIDTH = 0.07;

export { PLANE_SCENES, type PlaneSceneName };

/** What the page needs to know before the bodies are made. */
interface PlaneSceneLook {
  readonly bodies: number;
  /** Numbers of the vertices of each body that can be dragged. */
  readonly grips: readonly number[];
  /** Half the height of what is shown around the origin; the width is 1.5 times the height. */
  readonly reach: number;
}

export const PLANE_LOOKS: Readonly<Record<PlaneSceneName, PlaneSceneLook>> = {
  map: { bodies: 6, grips: [], reach: 2.3 },
  gears: { bodies: 13, grips: [], reach: 6.1 },
  links: { bodies: 15, grips: [], reach: 4.5 },
  cars: { bodies: 18, grips: [], reach: 7.2 },
  wavy: { bodies: 2, grips: [43, 79], reach: 1.4 },
};

export interface ShownBody {
  /** In its own coordinates, bent. */
  readonly rings: readonly Float64Array[];
  /** x, y and angle. */
  readonly pose: readonly [number, number, number];
  /** In the world, each closed: the last point is the first again. */
  readonly outline: readonly Float64Array[];
  /** The vertices to drag, in the world. */
  readonly grips: readonly (readonly [number, number])[];
}

/** A new scene to move. */
export function openPlaneScene(scene: PlaneSceneName): PlaneScenario {
  return planeScenarios[scene]();
}

/**
 * The bodies in a frame.
 * @param hand the move of each body, in mean diameters.
 * @param bends the move of each grip, body by body, in the body's coordinates.
 */
export function bodiesAt(
  scenario: PlaneScenario,
  frame: number,
  hand: readonly Move[],
  bends: readonly Move[],
): ShownBody[] {
  scenario.advance(frame);
  const size = scenario.diameter;
  const { grips } = PLANE_LOOKS[scenario.name as PlaneSceneName];
  return scenario.bodies.map((body, i) => {
    const [dx, dy, , , , turned] = hand[i];
    const pose = [body.pose[0] + size * dx, body.pose[1] + size * dy, body.pose[2] + turned] as const;
    const own = bends.slice(i * grips.length, (i + 1) * grips.length);
    const rings = body.rings.map((ring) => bend(ring, grips, own, size));
    const outline = rings.map((ring) => placeChain([...ring, ring[0], ring[1]], pose));
    const places = grips.map((vertex) => [outline[0][2 * vertex], outline[0][2 * vertex + 1]] as const);
    return { rings, pose, outline, grips: places };
  });
}

/** The inside of a shape as triangles at z = 0; null for one that crosses itself. */
export function fillOf(rings: readonly Float64Array[]): Mesh | null {
  try {
    return flatMesh(rings.map((ring) => (areaOf(ring) < 0 ? reversed(ring) : ring)));
  } catch {
    return null;
  }
}

function areaOf(ring: Float64Array): number {
  let area = 0;
  for (let i = 0, last = ring.length - 2; i < ring.length; last = i, i += 2) {
    area += ring[last] * ring[i + 1] - ring[last + 1] * ring[i];
  }
  return area / 2;
}

function reversed(ring: Float64Array): Float64Array {
  return ring.map((_, i) => ring[ring.length - 2 - i + 2 * (i % 2)]);
}

function bend(ring: Float64Array, grips: readonly number[], moves: readonly Move[], size: number): Float64Array {
  const bent = ring.slice();
  const width = BEND_WIDTH * size;
  moves.forEach(([dx, dy], k) => {
    const [x, y] = [ring[2 * grips[k]], ring[2 * grips[k] + 1]];
    for (let i = 0; i < ring.length; i += 2) {
      const share = Math.exp(-((ring[i] - x) ** 2 + (ring[i + 1] - y) ** 2) / (2 * width * width));
      bent[i] += share * size * dx;
      bent[i + 1] += share * size * dy;
    }
  });
  return bent;
}

function placeChain(chain: ArrayLike<number>, { 0: x, 1: y, 2: angle }: ArrayLike<number>): Float64Array {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const placed = new Float64Array(chain.length);
  for (let i = 0; i < chain.length; i += 2) {
    placed[i] = x + c * chain[i] - s * chain[i + 1];
    placed[i + 1] = y + s * chain[i] + c * chain[i + 1];
  }
  return placed;
}
