import { teethShifting } from '../../../bench/scenarios/teeth.js';
import { scenarioScene } from '../../scenario-scene.js';

export default scenarioScene(teethShifting, {
  rank: 5,
  summary:
    'The lower teeth shift sideways under the upper ones at a small gap: close surfaces that move little, where what is kept from frame to frame pays most.',
  bodies: ['Upper teeth', 'Lower teeth'],
  tolerance: 0.0005,
  picture: 'frame=3&view=35,8,1.3',
});
