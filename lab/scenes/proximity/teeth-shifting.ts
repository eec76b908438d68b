import { teethShifting } from '../../../bench/scenarios/teeth.js';
import { scenarioScene } from '../../scenario-scene.js';

export default scenarioScene(teethShifting, {
  rank: 5,
  summary:
    'The lower teeth shift sideways under the upper ones with a small gap. Close surfaces that move little gain most from the state kept between frames.',
  bodies: ['Upper teeth', 'Lower teeth'],
  tolerance: 0.0005,
  picture: 'frame=3&view=35,8,1.3',
});
