import { spiralPegSmallTori } from '../../../bench/scenarios/spiral-peg-tori.js';
import { scenarioScene } from '../../scenario-scene.js';

export default scenarioScene(spiralPegSmallTori, {
  rank: 4,
  summary: 'Three bent tori, threaded on the rod of a fixed spiral peg, run along it.',
  bodies: ['Spiral peg', 'Torus 1', 'Torus 2', 'Torus 3'],
  tolerance: 0.01,
  picture: 'frame=50&view=35,12,1.55',
});
