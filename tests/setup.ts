// One seed for every property, so that a run says the same as the last; NEARFIELD_SEED=random looks at other cases, as
// npm run soak does, and a failure there prints the seed to give here.
import fc from 'fast-check';
import './equal-typed-arrays.js';

const asked = process.env.NEARFIELD_SEED;
if (asked !== 'random') fc.configureGlobal({ seed: Number(asked ?? 1) });
