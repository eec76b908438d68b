// Vertices of a geometry as three.js places them before skinning: any attribute (interleaved, normalized integers,
// half floats), moved by morph targets.
import type { BufferAttribute, BufferGeometry, InterleavedBufferAttribute } from 'three';
import { NearfieldError } from '../core/errors.js';
import { MAX_COORDINATE } from '../core/tolerances.js';
import { describeObject } from './describe-object.js';

/** An attribute whose values JavaScript can read. */
export type ReadableAttribute = BufferAttribute | InterleavedBufferAttribute;

/** Counts up with every `needsUpdate = true`. */
export function attributeVersion(attribute: ReadableAttribute): number {
  return 'data' in attribute ? attribute.data.version : attribute.version;
}

/** The positions; refuses attributes that are not three numbers a vertex in JavaScript's memory. */
export function positionsOf(geometry: BufferGeometry): ReadableAttribute {
  const position = geometry.attributes.position as ReadableAttribute | undefined;
  if (position === undefined) {
    throw new NearfieldError('empty-mesh', `${sentence(geometry)} has no attribute "position".`);
  }
  if (typeof position.getX !== 'function') {
    throw new NearfieldError(
      'unsupported',
      `The positions of ${describeObject(geometry)} are on the GPU only; give a geometry with a BufferAttribute.`,
    );
  }
  if (position.itemSize < 3) {
    throw new NearfieldError(
      'bad-argument',
      `The positions of ${describeObject(geometry)} have ${position.itemSize} numbers a vertex; give three.`,
    );
  }
  return position;
}

/**
 * The positions of some vertices, three numbers each, moved by the morph targets with these influences.
 * @throws NearfieldError `non-finite` with the vertex.
 */
export function readVertices(
  geometry: BufferGeometry,
  vertices: Uint32Array,
  influences?: ArrayLike<number>,
): Float64Array {
  const position = positionsOf(geometry);
  const out = new Float64Array(3 * vertices.length);
  for (let i = 0; i < vertices.length; i++) {
    out[3 * i] = position.getX(vertices[i]);
    out[3 * i + 1] = position.getY(vertices[i]);
    out[3 * i + 2] = position.getZ(vertices[i]);
  }
  const targets = geometry.morphAttributes.position;
  if (targets !== undefined && influences !== undefined) addMorphs(geometry, vertices, targets, influences, out);
  for (let i = 0; i < out.length; i++) {
    if (Math.abs(out[i]) <= MAX_COORDINATE) continue;
    const vertex = vertices[Math.floor(i / 3)];
    throw new NearfieldError(
      'non-finite',
      `Vertex ${vertex} of ${describeObject(geometry)} has the coordinate ${out[i]}; coordinates must be finite and at ` +
        `most ${MAX_COORDINATE}.`,
      { vertex },
    );
  }
  return out;
}

/** Absolute targets count as differences from the position, as in Mesh.getVertexPosition. */
function addMorphs(
  { morphTargetsRelative }: BufferGeometry,
  vertices: Uint32Array,
  targets: readonly ReadableAttribute[],
  influences: ArrayLike<number>,
  out: Float64Array,
): void {
  const base = morphTargetsRelative ? null : out.slice();
  for (let t = 0; t < targets.length; t++) {
    const influence = influences[t] ?? 0;
    if (influence === 0) continue;
    const target = targets[t];
    for (let i = 0; i < vertices.length; i++) {
      const x = target.getX(vertices[i]);
      const y = target.getY(vertices[i]);
      const z = target.getZ(vertices[i]);
      out[3 * i] += influence * (base === null ? x : x - base[3 * i]);
      out[3 * i + 1] += influence * (base === null ? y : y - base[3 * i + 1]);
      out[3 * i + 2] += influence * (base === null ? z : z - base[3 * i + 2]);
    }
  }
}

function sentence(geometry: BufferGeometry): string {
  const text = describeObject(geometry);
  return text[0].toUpperCase() + text.slice(1);
}
