// The samplers by name.
import { NearfieldError } from '../../core/errors.js';
import type { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import { singleBody } from '../planners/planner.js';
import { BridgeSampler, GaussianSampler, UniformSampler } from './random-samplers.js';
import type { ConfigurationSampler, SamplerName } from './sampler.js';
import { VoronoiSampler } from './voronoi-sampler.js';

/** @param name undefined chooses: by the Voronoi diagram for a rigid robot, uniform otherwise. */
export function makeSampler(scene: CollisionScene, name: SamplerName | undefined): ConfigurationSampler {
  const body = singleBody(scene);
  switch (name ?? (body === null ? 'uniform' : 'voronoi')) {
    case 'uniform':
      return new UniformSampler(scene);
    case 'gaussian':
      return new GaussianSampler(scene);
    case 'bridge':
      return new BridgeSampler(scene);
    case 'voronoi':
      if (body !== null) return new VoronoiSampler(scene, body);
  }
  throw new NearfieldError(
    'unsupported',
    'The sampler voronoi is for one rigid or planar robot; give uniform, gaussian or bridge.',
  );
}
