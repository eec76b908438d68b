import { spiralPegLargeTori } from '../../../bench/scenarios/spiral-peg-tori.js';
import { scenarioScene } from '../../scenario-scene.js';

export default scenarioScene(spiralPegLargeTori, {
  rank: 3,
  summary:
    'Three bent tori around the coil of a fixed spiral peg slide up and down it and into each other. Each frame queries six pairs.',
  bodies: ['Spiral peg', 'Torus 1', 'Torus 2', 'Torus 3'],
  tolerance: 0.01,
  picture: 'frame=40&view=35,15,1.25',
});
