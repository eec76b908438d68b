// Sites of space as flat arrays of closed elements: points, segments and triangles. Every method reads these.
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import { assertSites, SiteList, type SiteTable } from './site-list.js';
import type { SpaceSite } from './space-site.js';

/** Label: kind of an element of space: a point. */
export const SPACE_POINT = 0;
/** Label: kind of an element of space: a segment. */
export const SPACE_SEGMENT = 1;
/** Label: kind of an element of space: a triangle. */
export const SPACE_TRIANGLE = 2;

/** The elements of a list of sites, in the order of the sites. */
export interface SpaceElements extends SiteTable {
  readonly count: number;
  /** SPACE_POINT, SPACE_SEGMENT or SPACE_TRIANGLE, by what the corners span. */
  readonly kinds: Uint8Array;
  /** Nine numbers per element: three corners. A segment repeats its last, a point its only one. */
  readonly corners: Float64Array;
  /** By element: the index of its site. */
  readonly site: Int32Array;
  /** By site: its first element; one more entry ends the last. */
  readonly firstOfSite: Int32Array;
}

/**
 * The elements of the sites.
 * @throws NearfieldError `bad-argument` for sites that are not as their type says, not finite, or with a weight that is
 * not positive; as `assertMesh` does for meshes.
 */
export function spaceElements(sites: readonly SpaceSite[]): SpaceElements {
  assertSites(sites);
  const list = new SiteList(sites.length);
  const firstOfSite = new Int32Array(sites.length + 1);
  for (let index = 0; index < sites.length; index++) {
    list.begin(sites[index], index);
    firstOfSite[index + 1] =
      firstOfSite[index] + (sites[index].type === 'mesh' ? countTriangles(sites[index], index) : 1);
  }
  const count = firstOfSite[sites.length];
  const corners = new Float64Array(9 * count);
  const site = new Int32Array(count);
  const kinds = new Uint8Array(count);
  for (let index = 0; index < sites.length; index++) {
    list.current = index;
    site.fill(index, firstOfSite[index], firstOfSite[index + 1]);
    addCorners(list, sites[index], corners, 9 * firstOfSite[index]);
  }
  for (let element = 0; element < count; element++) kinds[element] = settleKind(corners, 9 * element);
  return { count, kinds, corners, site, firstOfSite, ...list.finish() };
}

function countTriangles(site: SpaceSite, index: number): number {
  const mesh = (site as { mesh?: Mesh }).mesh;
  if (mesh === undefined || mesh === null || typeof mesh !== 'object') {
    throw new NearfieldError('bad-argument', `The mesh of site ${index} is ${nameValue(mesh)}; give a mesh.`);
  }
  assertMesh(mesh);
  return mesh.indices.length / 3;
}

function addCorners(list: SiteList, site: SpaceSite, corners: Float64Array, at: number): void {
  switch (site.type) {
    case 'point': {
      const p = list.point(site.at, 3, 'place');
      corners.set([...p, ...p, ...p], at);
      break;
    }
    case 'segment': {
      const b = list.point(site.b, 3, 'last point');
      corners.set([...list.point(site.a, 3, 'first point'), ...b, ...b], at);
      break;
    }
    case 'triangle':
      corners.set(list.point(site.a, 3, 'first corner'), at);
      corners.set(list.point(site.b, 3, 'second corner'), at + 3);
      corners.set(list.point(site.c, 3, 'third corner'), at + 6);
      break;
    case 'mesh': {
      const { positions, indices } = site.mesh;
      for (let i = 0; i < indices.length; i++) {
        for (let axis = 0; axis < 3; axis++) corners[at + 3 * i + axis] = positions[3 * indices[i] + axis];
      }
      break;
    }
    default:
      throw new NearfieldError(
        'bad-argument',
        `The type of site ${list.current} is ${nameValue((site as { type: unknown }).type)}; give point, segment, ` +
          'triangle or mesh.',
      );
  }
}

/** The kind of an element, whose corners are moved so that a repeated corner is the last. */
function settleKind(corners: Float64Array, at: number): number {
  const ab = equalCorners(corners, at, at + 3);
  const bc = equalCorners(corners, at + 3, at + 6);
  const ca = equalCorners(corners, at + 6, at);
  if (ab && bc) return SPACE_POINT;
  if (ab) corners.copyWithin(at + 3, at + 6, at + 9);
  else if (ca) corners.copyWithin(at + 6, at + 3, at + 6);
  return ab || bc || ca ? SPACE_SEGMENT : SPACE_TRIANGLE;
}

function equalCorners(corners: Float64Array, i: number, j: number): boolean {
  return corners[i] === corners[j] && corners[i + 1] === corners[j + 1] && corners[i + 2] === corners[j + 2];
}
