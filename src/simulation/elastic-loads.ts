// What a scene does to nodes of an elastic body: holds them, moves them, loads them.
import * as box from '../core/box.js';
import type { ElasticBody } from '../elastic/body/elastic-body.js';
import { vertexAreas } from '../elastic/contact/surface-edges.js';
import { findSurface } from '../elastic/tetrahedra/tetrahedral-mesh.js';
import type { ElasticWorld } from '../elastic/world/elastic-world.js';
import type { CheckedHold, CheckedLoad, CheckedNodes } from './check-elastic.js';

/**
 * Chosen: nodes this near to a box count as in it, as a share of the body's size, so that rounding does not decide
 * about its faces.
 */
const BOX_TOLERANCE = 1e-6;

/** The nodes that a scene means, in the order given, or by number for a box. */
export function findNodes(body: ElasticBody, asked: CheckedNodes): number[] {
  const { positions } = body.mesh;
  const count = positions.length / 3;
  if ('nodes' in asked) {
    const wrong = asked.nodes.findIndex((node) => node >= count);
    if (wrong >= 0) {
      asked.place.refuse(`has node ${asked.nodes[wrong]} at ${wrong}; the body has nodes 0 to ${count - 1}`);
    }
    return [...asked.nodes];
  }
  const { min: low, max: high } = box.ofPositions(positions);
  const tolerance = BOX_TOLERANCE * Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  const found: number[] = [];
  for (let node = 0; node < count; node++) {
    const isIn = [0, 1, 2].every((k) => {
      const at = positions[3 * node + k];
      return at >= asked.box[k] - tolerance && at <= asked.box[3 + k] + tolerance;
    });
    if (isIn) found.push(node);
  }
  if (found.length === 0) {
    const range = [0, 1, 2].map((k) => `${short(low[k])} to ${short(high[k])}`).join(', ');
    asked.place.refuse(`holds no node of the body, which spans ${range} at rest; make the box larger`);
  }
  return found;
}

/** Holds nodes where they are at rest or at their positions, from the start on. */
export function applyHold(world: ElasticWorld, body: ElasticBody, hold: CheckedHold): void {
  const nodes = findNodes(body, hold.nodes);
  if (hold.positions !== null) {
    if (hold.positions.length !== nodes.length) {
      hold.nodes.place.refuse(`holds ${nodes.length} nodes for ${hold.positions.length} positions; give one for each`);
    }
    nodes.forEach((node, i) => {
      body.positions.set(hold.positions![i], 3 * node);
    });
  }
  if (hold.keyframes === null) body.hold(nodes);
  else world.hold(body, nodes, hold.keyframes);
}

/** A load as forces on nodes. */
export interface NodalLoad {
  readonly body: ElasticBody;
  readonly forces: Float64Array;
  readonly until: number;
}

/** Spreads a force over the faces among the nodes by area; nodes without a face share it by the area around them. */
export function spreadLoad(body: ElasticBody, load: CheckedLoad): NodalLoad {
  const nodes = findNodes(body, load.nodes);
  const isLoaded = new Set(nodes);
  const { faces } = findSurface(body.mesh);
  let hasFace = false;
  for (let f = 0; f < faces.length && !hasFace; f += 3) {
    hasFace = isLoaded.has(faces[f]) && isLoaded.has(faces[f + 1]) && isLoaded.has(faces[f + 2]);
  }
  const forces = new Float64Array(body.loads.length);
  if (hasFace) {
    body.load(nodes, load.force);
    forces.set(body.loads);
    body.loads.fill(0);
    return { body, forces, until: load.until };
  }
  const areas = vertexAreas(body.mesh.positions, faces);
  const whole = nodes.reduce((sum, node) => sum + areas[node], 0);
  for (const node of nodes) {
    const share = whole > 0 ? areas[node] / whole : 1 / nodes.length;
    for (let k = 0; k < 3; k++) forces[3 * node + k] += share * load.force[k];
  }
  return { body, forces, until: load.until };
}

function short(value: number): string {
  return String(Number(value.toPrecision(6)));
}
