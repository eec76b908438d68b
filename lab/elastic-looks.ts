// What the page says of each scene of elastic bodies, and how it looks at first.
import type { ColorName } from './viewer/palette.js';

export interface ElasticLook {
  /** Of `bench/scenarios/elastic`. */
  readonly scene: string;
  readonly title: string;
  /** A sentence beneath the choice. */
  readonly hint: string;
  /** How the view is cut at first. */
  readonly cut: 'off' | 'x' | 'y' | 'z';
  readonly colors: readonly ColorName[];
}

const COLORS: readonly ColorName[] = ['bodyA', 'bodyB', 'hull', 'near', 'ghost', 'hop1'];

export const ELASTIC_LOOKS: readonly ElasticLook[] = [
  {
    scene: 'snake-swallow',
    title: 'A snake swallows an apple',
    hint: 'Keyframes move its jaws and the core of the apple; everything else follows from contact (Fisher and Lin 2001, figure 6).',
    cut: 'z',
    colors: ['ghost', 'clash', 'near', 'near', 'near'],
  },
  {
    scene: 'snake-coil',
    title: 'A snake coils up',
    hint: 'The head is drawn to the tail in keyframes: the body coils up and meets itself (Fisher and Lin 2001, figure 5).',
    cut: 'off',
    colors: ['ghost'],
  },
  {
    scene: 'ball-torus',
    title: 'A ball is pressed into a torus',
    hint: 'The cut shows the distance fields from which contact finds how deep a node is: computed once at rest, carried along by the elements.',
    cut: 'z',
    colors: COLORS,
  },
  {
    scene: 'soft-letters',
    title: 'Soft letters among rigid ones',
    hint: 'Every second letter is soft. Elastic and rigid bodies push each other in one system of equations.',
    cut: 'off',
    colors: COLORS,
  },
  {
    scene: 'cylinders',
    title: 'Two elastic cylinders',
    hint: 'The deforming cylinders of PIVOT, made elastic: pushed into each other by their ends, they bend and flatten.',
    cut: 'off',
    colors: COLORS,
  },
];
