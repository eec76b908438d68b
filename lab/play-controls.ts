// The controls of scenes in which a frame moves on by itself, and in which bodies are dragged.
import type { Controls } from './controls.js';

/** Which of {@link playControls} the player follows. */
export const PLAYED = { playing: 'play', frame: 'frame', speed: 'speed' } as const;

/** How a {@link playControls} frame slider looks, and how fast it moves by itself, in frames per second. */
interface Played {
  readonly label: string;
  readonly frames: number;
  readonly initial: number;
  readonly mostSpeed: number;
  readonly speed: number;
}

export function playControls({ label, frames, initial, mostSpeed, speed }: Played) {
  return {
    play: { kind: 'toggle', label: 'Play', pressedLabel: 'Pause' },
    frame: { kind: 'slider', label, min: 0, max: frames - 1, step: 1, initial },
    speed: {
      kind: 'slider',
      label: 'Speed',
      hint: 'frames per second',
      min: 1,
      max: mostSpeed,
      step: 1,
      initial: speed,
    },
  } as const satisfies Controls;
}

/** What a drag in the view does. */
export function dragControl(label: string) {
  return {
    kind: 'choice',
    label,
    hint: 'Alt swaps moving and turning.',
    options: [
      { value: 'move', label: 'Moves it' },
      { value: 'turn', label: 'Turns it' },
      { value: 'view', label: 'Turns the view' },
    ],
  } as const satisfies Controls[string];
}
