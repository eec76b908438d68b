import { interlockedTori } from '../../../bench/scenarios/interlocked-tori.js';
import { scenarioScene } from '../../scenario-scene.js';

export default scenarioScene(interlockedTori, {
  rank: 1,
  summary:
    'A wrinkled and a bent torus, linked, tumble about each other. Play, or drag a torus by hand, and follow the closest points.',
  bodies: ['Wrinkled torus', 'Bent torus'],
  tolerance: 0.01,
  picture: 'frame=40&view=35,25,1',
});
