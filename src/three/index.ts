/**
 * Objects of three.js in queries, and results drawn with three.js: models, poses, live pairs, helpers, rays.
 * @module three
 */

export { accelerateRaycast } from './accelerate-raycast.js';
export type { MeshFilter } from './find-meshes.js';
export { ContactsHelper } from './helpers/contacts-helper.js';
export { FieldSliceHelper } from './helpers/field-slice-helper.js';
export { MarkedSegments } from './helpers/marked-segments.js';
export { PenetrationHelper } from './helpers/penetration-helper.js';
export { WitnessHelper } from './helpers/witness-helper.js';
export { LivePair, type LivePairOptions } from './live-pair.js';
export {
  modelFrom,
  ObjectModel,
  type ObjectModelOptions,
  type ObjectModelReport,
  type TriangleSource,
} from './object-model.js';
export { poseFrom } from './world-pose.js';
export { writeWitness } from './write-witness.js';
