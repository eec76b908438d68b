// Every scenario by name: the six of Ehmann and Lin 2001, section 8.2, in their order, and two close parallel surfaces.
import { cupSpoon } from './cup-spoon.js';
import { interlockedTori } from './interlocked-tori.js';
import type { ScenarioDefinition } from './scenario.js';
import { slabs } from './slabs.js';
import { spiralPegLargeTori, spiralPegSmallTori } from './spiral-peg-tori.js';
import { teethOpening, teethShifting } from './teeth.js';

export const scenarios: readonly ScenarioDefinition[] = [
  interlockedTori,
  cupSpoon,
  spiralPegLargeTori,
  spiralPegSmallTori,
  teethShifting,
  teethOpening,
  slabs,
];

export function findScenario(name: string): ScenarioDefinition {
  const found = scenarios.find((scenario) => scenario.name === name);
  if (!found) throw new Error(`there is no scenario "${name}"; they are ${scenarios.map((s) => s.name).join(', ')}`);
  return found;
}
