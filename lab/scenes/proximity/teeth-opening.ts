import { teethOpening } from '../../../bench/scenarios/teeth.js';
import { scenarioScene } from '../../scenario-scene.js';

export default scenarioScene(teethOpening, {
  rank: 6,
  summary:
    'The lower teeth open about the joint of the jaw and close again, twice. Watch the front grow as they close.',
  bodies: ['Upper teeth', 'Lower teeth'],
  tolerance: 0.0005,
  picture: 'frame=90&view=55,6,1.3',
});
