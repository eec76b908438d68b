import { cupSpoon } from '../../../bench/scenarios/cup-spoon.js';
import { scenarioScene } from '../../scenario-scene.js';

export default scenarioScene(cupSpoon, {
  rank: 2,
  summary: 'A spoon falls into a cup, rattles and comes to rest. Ask for all contacts when it lies still.',
  bodies: ['Cup', 'Spoon'],
  tolerance: 0.01,
  seeThrough: true,
  picture: 'frame=420&view=20,30,1.45',
});
