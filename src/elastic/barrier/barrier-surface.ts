// All surfaces that a barrier keeps apart, in one numbering of points: nodes of elastic bodies as in the unknowns, then the
// corners of rigid ones. A ball is one point with a radius. Every node and edge belongs to one of its triangles (Curtis et
// al. 2008), so that pairs of triangles give each pair of a node and a triangle, and of edges, once.
import type { ContactBody } from '../contact/contact-body.js';
import type { RigidObstacle } from '../contact/rigid-obstacle.js';
import { vertexAreas, writeNormal } from '../contact/surface-edges.js';

/** One body. */
export interface BarrierGroup {
  /** The number of the obstacle; −1 for an elastic body. */
  readonly rigid: number;
  readonly firstPoint: number;
  readonly pointCount: number;
  /** Triangles from this one on; a ball has one that is its center thrice. */
  readonly firstTriangle: number;
  readonly triangleCount: number;
  /** 0 but for balls. */
  readonly radius: number;
  /** The distance at which the barrier begins, and within the body itself; of elastic bodies. */
  readonly reach: number;
  selfReach: number;
  /** Pa/m; of elastic bodies. */
  readonly stiffness: number;
  readonly friction: number;
  readonly selfCollision: boolean;
  /** The most area that a corner or edge of a rigid body stands for against this one. */
  readonly mostArea: number;
}

/**
 * Layout: bit k says that a triangle owns its corner k; this bit + k, that it owns the edge from corner k to the next.
 */
const EDGE_BIT = 3;

export class BarrierSurface {
  readonly groups: readonly BarrierGroup[];
  /** Nodes of elastic bodies; points from here on are those of rigid ones. */
  readonly nodeCount: number;
  readonly pointCount: number;
  /** Three points each. */
  readonly triangles: Int32Array;
  readonly groupOf: Int32Array;
  readonly owned: Uint8Array;
  /**
   * What points stand for at rest, and the three edges of each triangle, where it owns them; and triangles themselves.
   */
  readonly pointAreas: Float64Array;
  readonly edgeAreas: Float64Array;
  readonly triangleAreas: Float64Array;
  /** Products of squared lengths of edges at rest are what makes edges parallel. */
  readonly edgeSquares: Float64Array;
  /** The obstacle of each point; −1 for a node. */
  readonly rigidOf: Int32Array;

  /** @param reachOf where the barrier of a body begins, in meters. */
  constructor(
    bodies: readonly ContactBody[],
    obstacles: readonly RigidObstacle[],
    nodeCount: number,
    reachOf: (body: ContactBody) => number,
  ) {
    this.nodeCount = nodeCount;
    const groups: BarrierGroup[] = [];
    let [points, triangles] = [nodeCount, 0];
    for (const body of bodies) {
      const reach = reachOf(body);
      const { stiffness, friction, selfCollision } = body.constants;
      groups.push({
        ...{ rigid: -1, firstPoint: body.firstNode, pointCount: body.mesh.positions.length / 3 },
        ...{ firstTriangle: triangles, triangleCount: body.faces.length / 3, radius: 0, reach, selfReach: reach },
        ...{ stiffness, friction, selfCollision, mostArea: (body.size * body.size) / 2 },
      });
      triangles += body.faces.length / 3;
    }
    obstacles.forEach(({ solid, friction }, rigid) => {
      const isBall = solid.faces.length === 0;
      const pointCount = isBall ? 1 : solid.vertices.length / 3;
      const triangleCount = isBall ? 1 : solid.faces.length / 3;
      groups.push({
        ...{ rigid, firstPoint: points, pointCount, firstTriangle: triangles, triangleCount, radius: solid.radius },
        ...{ reach: 0, selfReach: 0, stiffness: 0, friction, selfCollision: false, mostArea: 0 },
      });
      points += pointCount;
      triangles += triangleCount;
    });
    this.groups = groups;
    this.pointCount = points;
    this.triangles = new Int32Array(3 * triangles);
    this.groupOf = new Int32Array(triangles);
    this.owned = new Uint8Array(triangles);
    this.pointAreas = new Float64Array(points);
    this.edgeAreas = new Float64Array(3 * triangles);
    this.triangleAreas = new Float64Array(triangles);
    this.edgeSquares = new Float64Array(3 * triangles);
    this.rigidOf = new Int32Array(points).fill(-1);
    groups.forEach((group, g) => {
      this.groupOf.fill(g, group.firstTriangle, group.firstTriangle + group.triangleCount);
      if (group.rigid < 0) this.#addFaces(group, bodies[g].mesh.positions, bodies[g].faces);
      else {
        this.rigidOf.fill(group.rigid, group.firstPoint, group.firstPoint + group.pointCount);
        const { solid } = obstacles[group.rigid];
        if (group.radius === 0) this.#addFaces(group, solid.vertices, solid.faces);
        else {
          this.triangles.fill(group.firstPoint, 3 * group.firstTriangle, 3 * group.firstTriangle + 3);
          this.owned[group.firstTriangle] = 1;
        }
      }
    });
  }

  /** Writes the points of an obstacle whose frame is at a placement. */
  writeObstacle(obstacle: RigidObstacle, group: BarrierGroup, frame: Float64Array, points: Float64Array): void {
    const { solid } = obstacle;
    const at = 3 * group.firstPoint;
    if (group.radius > 0) {
      for (let i = 0; i < 3; i++) points[at + i] = frame[4 * i + 3];
      return;
    }
    const { vertices: v } = solid;
    for (let k = 0; k < v.length; k += 3) obstacle.writePoint(frame, v[k], v[k + 1], v[k + 2], points, at + k);
  }

  #addFaces(group: BarrierGroup, positions: Float64Array, faces: Uint32Array): void {
    const { firstPoint, firstTriangle } = group;
    this.pointAreas.set(vertexAreas(positions, faces), firstPoint);
    const isOwned = new Uint8Array(positions.length / 3);
    const edges = new Map<number, number>();
    const count = positions.length / 3;
    const n = new Float64Array(3);
    for (let f = 0; f < faces.length; f += 3) {
      const triangle = firstTriangle + f / 3;
      const area = writeNormal(positions, faces[f], faces[f + 1], faces[f + 2], n) / 6;
      this.triangleAreas[triangle] = 3 * area;
      for (let k = 0; k < 3; k++) {
        const [a, b] = [faces[f + k], faces[f + ((k + 1) % 3)]];
        this.triangles[3 * triangle + k] = firstPoint + a;
        if (isOwned[a] === 0) this.owned[triangle] |= 1 << k;
        isOwned[a] = 1;
        const key = Math.min(a, b) * count + Math.max(a, b);
        let slot = edges.get(key);
        if (slot === undefined) {
          slot = 3 * triangle + k;
          edges.set(key, slot);
          this.owned[triangle] |= 1 << (EDGE_BIT + k);
          for (let i = 0; i < 3; i++) this.edgeSquares[slot] += (positions[3 * a + i] - positions[3 * b + i]) ** 2;
        }
        this.edgeAreas[slot] += area;
      }
    }
  }
}
