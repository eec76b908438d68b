// The tetrahedra of an elastic body, in the frame of its shape.
import { NearfieldError } from '../core/errors.js';
import { boxTetrahedra } from '../elastic/tetrahedra/box-tetrahedra.js';
import { sixVolumes, type TetrahedralMesh } from '../elastic/tetrahedra/tetrahedral-mesh.js';
import { tetrahedralizeMesh } from '../elastic/tetrahedra/tetrahedralize-mesh.js';
import type { Mesh } from '../mesh/mesh.js';
import { boxOfFaces } from '../mesh/topology/unused-vertices.js';
import { findModel } from '../models/catalogue.js';
import type { CheckedShape } from './check-scene.js';
import { type LoadMesh, loadSpaceShape } from './load-shape.js';

/** Chosen: more elements than this are refused, because a step of them takes minutes. */
const MAX_ELEMENTS = 500_000;

/** Chosen: triangles along an edge of the icosahedron that a ball is made from, for each element along its diameter. */
const BALL_SUBDIVISIONS = 0.75;

/** Chosen: the least count of those triangles. */
const MIN_SUBDIVISIONS = 8;

/**
 * Fills a shape with tetrahedra; `resolution` is the number of elements along its longest side. Errors name the place.
 */
export async function loadTetrahedra(
  shape: CheckedShape,
  resolution: number,
  loadMesh?: LoadMesh,
): Promise<TetrahedralMesh> {
  const { kind, place, given } = shape;
  if (kind === 'tetrahedra') return place.name(() => givenTetrahedra(given.tetrahedra as GivenTetrahedra));
  if (kind === 'box') return place.name(() => boxElements(given.box as number[], resolution));
  if (kind === 'sphere') {
    const subdivisions = Math.max(MIN_SUBDIVISIONS, Math.ceil(BALL_SUBDIVISIONS * resolution));
    const ball = findModel('icosphere').build({ radius: 1, subdivisions });
    const radius = given.sphere as number;
    return place.name(() => fill({ ...ball, positions: ball.positions.map((value) => radius * value) }, resolution));
  }
  const loaded = await loadSpaceShape(shape, loadMesh);
  return place.name(() => fill((loaded as { mesh: Mesh }).mesh, resolution));
}

function fill(mesh: Mesh, resolution: number): TetrahedralMesh {
  const { min, max } = boxOfFaces(mesh);
  const longest = Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
  return tetrahedralizeMesh(mesh, { size: longest / resolution, maxElements: MAX_ELEMENTS }).mesh;
}

/** Cells near to cubes: across, more of them would only make the elements of a beam flat, which bends less. */
function boxElements(sides: readonly number[], resolution: number): TetrahedralMesh {
  const size = Math.max(...sides) / resolution;
  const cells = sides.map((side) => Math.max(1, Math.round(side / size)));
  const count = 12 * cells[0] * cells[1] * cells[2];
  if (count > MAX_ELEMENTS) {
    throw new NearfieldError(
      'too-large',
      `The box would have ${count} elements, and ${MAX_ELEMENTS} are allowed; give a lower resolution.`,
    );
  }
  return boxTetrahedra(sides, cells);
}

interface GivenTetrahedra {
  readonly positions: readonly (readonly number[])[];
  readonly elements: readonly (readonly number[])[];
}

/** Nodes keep their numbers; elements given inside out are turned. */
function givenTetrahedra({ positions: points, elements: given }: GivenTetrahedra): TetrahedralMesh {
  if (given.length > MAX_ELEMENTS) {
    throw new NearfieldError(
      'too-large',
      `There are ${given.length} elements, and ${MAX_ELEMENTS} are allowed; give fewer.`,
    );
  }
  const positions = Float64Array.from(points.flat());
  const elements = Uint32Array.from(given.flat());
  const isUsed = new Uint8Array(points.length);
  for (let e = 0; e < elements.length; e += 4) {
    const [a, b, c, d] = elements.subarray(e, e + 4);
    if (sixVolumes(positions, a, b, c, d) < 0) {
      elements[e + 2] = d;
      elements[e + 3] = c;
    }
    isUsed[a] = isUsed[b] = isUsed[c] = isUsed[d] = 1;
  }
  const free = isUsed.indexOf(0);
  if (free >= 0) {
    throw new NearfieldError('degenerate', `Node ${free} belongs to no tetrahedron; leave it out.`, { vertex: free });
  }
  return { positions, elements };
}
