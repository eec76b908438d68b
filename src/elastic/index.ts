/**
 * Elastic bodies: tetrahedral meshes from closed surfaces, their quality and their files; equilibrium and motion of bodies
 * made of them, in contact with each other, themselves and rigid ones.
 * @module elastic
 */

export type { ElasticBodyOptions } from './body/body-options.js';
export {
  ElasticBody,
  type ElasticStepOptions,
  type EquilibriumOptions,
} from './body/elastic-body.js';
export type { ElasticEnergy } from './body/elastic-part.js';
export type { SolveReport } from './body/newton.js';
export { ELASTIC_DEFAULTS } from './defaults.js';
export type { ElementName } from './element/element-shapes.js';
export { MATERIALS, type MaterialName } from './element/material.js';
export {
  readTetrahedra,
  TETRAHEDRA_FORMATS,
  type TetrahedraFormat,
  writeTetrahedra,
} from './files/tetrahedra-files.js';
export { type ElementReport, measureElements } from './tetrahedra/element-quality.js';
export { carrySurface, type SurfaceEmbedding } from './tetrahedra/embed-surface.js';
export { splitSurfaceElements } from './tetrahedra/inner-nodes.js';
export {
  type ElementSurface,
  elementVolumes,
  findSurface,
  surfaceMesh,
  type TetrahedralMesh,
} from './tetrahedra/tetrahedral-mesh.js';
export {
  type Tetrahedralization,
  type TetrahedralizeOptions,
  tetrahedralizeMesh,
} from './tetrahedra/tetrahedralize-mesh.js';
export { ElasticWorld } from './world/elastic-world.js';
export type { RigidShape, RigidSystem } from './world/rigid-system.js';
export type { ElasticGrab } from './world/world-bodies.js';
export type { ElasticWorldEnergy } from './world/world-measures.js';
export type {
  ElasticContactOptions,
  ElasticWorldOptions,
  HoldKeyframe,
  WorldIntegrator,
} from './world/world-options.js';
