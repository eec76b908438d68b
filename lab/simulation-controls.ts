// The controls that scenes of simulated bodies share: play, one step, begin again, the step and the time between steps.
import type { Controls } from './controls.js';

/** Steps that a scene may have: a minute at 60 a second. */
export const LAST_STEP = 3600;

export const SIMULATION_CONTROLS = {
  play: { kind: 'toggle', label: 'Play', pressedLabel: 'Pause' },
  once: {
    kind: 'button',
    label: 'One step',
    press({ values, set }) {
      set('play', false);
      set('step', Math.min(LAST_STEP, values.step + 1));
    },
  },
  reset: {
    kind: 'button',
    label: 'Reset',
    press({ values, set }) {
      set('run', values.run + 1);
    },
  },
  step: { kind: 'slider', label: 'Step', min: 0, max: LAST_STEP, step: 1, initial: 0 },
  speed: {
    kind: 'slider',
    label: 'Speed',
    hint: 'steps per second',
    min: 1,
    max: 240,
    step: 1,
    initial: 60,
    logarithmic: true,
  },
  timestep: {
    kind: 'choice',
    label: 'Time step',
    initial: '60',
    options: ['30', '60', '120', '240'].map((value) => ({ value, label: `1/${value} s` })),
  },
  contacts: { kind: 'checkbox', label: 'Contacts and depths', initial: true },
  run: { kind: 'slider', label: 'Run', min: 0, max: 1000, step: 1, initial: 0, visible: () => false },
} as const satisfies Controls;
