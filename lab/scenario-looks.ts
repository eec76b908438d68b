// What the page says of each scenario, and how it looks at first.
import { cupSpoon } from '../bench/scenarios/cup-spoon.js';
import { interlockedTori } from '../bench/scenarios/interlocked-tori.js';
import type { ScenarioDefinition } from '../bench/scenarios/scenario.js';
import { spiralPegLargeTori, spiralPegSmallTori } from '../bench/scenarios/spiral-peg-tori.js';
import { teethOpening, teethShifting } from '../bench/scenarios/teeth.js';

export interface ScenarioLook {
  readonly scenario: ScenarioDefinition;
  /** A sentence beneath the choice. */
  readonly hint: string;
  /** The bodies' names, in the scenario's order. */
  readonly bodies: readonly string[];
  /** The initial tolerance in meters; its slider spans a factor of 100 to either side. */
  readonly tolerance: number;
  /** Whether the bodies must be transparent to show what happens. */
  readonly seeThrough: boolean;
}

const PEG_AND_TORI = ['Spiral peg', 'Torus 1', 'Torus 2', 'Torus 3'];
const TEETH = ['Upper teeth', 'Lower teeth'];

export const SCENARIOS: readonly ScenarioLook[] = [
  {
    scenario: cupSpoon,
    hint: 'A spoon falls into a cup, rattles and comes to rest. Ask for all contacts when it lies still.',
    bodies: ['Cup', 'Spoon'],
    tolerance: 0.01,
    seeThrough: true,
  },
  {
    scenario: interlockedTori,
    hint: 'A wrinkled and a bent torus, linked, tumble about each other.',
    bodies: ['Wrinkled torus', 'Bent torus'],
    tolerance: 0.01,
    seeThrough: false,
  },
  {
    scenario: spiralPegLargeTori,
    hint: 'Three bent tori around the coil of a fixed peg slide up and down it and into each other: six pairs a frame.',
    bodies: PEG_AND_TORI,
    tolerance: 0.01,
    seeThrough: false,
  },
  {
    scenario: spiralPegSmallTori,
    hint: 'Three bent tori, threaded on the rod of a fixed spiral peg, run along it.',
    bodies: PEG_AND_TORI,
    tolerance: 0.01,
    seeThrough: false,
  },
  {
    scenario: teethShifting,
    hint: 'The lower teeth shift sideways under the upper ones with a small gap: the state kept between frames saves most.',
    bodies: TEETH,
    tolerance: 0.0005,
    seeThrough: false,
  },
  {
    scenario: teethOpening,
    hint: 'The lower teeth open about the joint of the jaw and close again, twice. Watch the front grow as they close.',
    bodies: TEETH,
    tolerance: 0.0005,
    seeThrough: false,
  },
];
