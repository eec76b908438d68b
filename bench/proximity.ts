// Tables 3 and 4 of Ehmann and Lin 2001, section 8, for our versions of their six scenarios and for two close parallel
// surfaces, with FCL, three-mesh-bvh and Rapier on the same frames in the same run.

import { firstQueriesTable } from './proximity-first.js';
import { mixedTables } from './proximity-mixed.js';
import { quickTables } from './proximity-quick.js';
import { loadPeers, runScenario, type ScenarioOutcome } from './proximity-scenario.js';
import { sceneTables } from './proximity-scene.js';
import {
  distanceTable,
  hullDistanceTable,
  intersectionTable,
  nearTable,
  preparationTable,
} from './proximity-tables.js';
import { scenarios } from './scenarios/catalogue.js';
import type { BenchTable, Suite, SuiteContext } from './suite.js';

export const proximitySuite: Suite = {
  name: 'proximity',
  title: 'Proximity queries along scenarios',
  chapters: ['proximity'],
  run: (context) => (context.quick ? quickTables(context) : fullTables(context)),
};

async function fullTables(context: SuiteContext): Promise<BenchTable[]> {
  const { progress, part } = context;
  const peers = await loadPeers();
  const parts = scenarios.map((definition, index) =>
    part(definition.name, (): Promise<ScenarioOutcome> => {
      const stage = (name: string) => progress(index / scenarios.length, `${definition.name}, ${name}`);
      stage('models');
      return runScenario(definition.build(), peers, stage);
    }),
  );
  // The benchmarks are built into one file, this one, which exports what the new processes call.
  const first = part('first queries', () => firstQueriesTable(import.meta.url, progress));
  const mixed = part('mixed', () => mixedTables(context));
  const scenes = part('scenes', () => sceneTables(context));
  const outcomes = await Promise.all(parts);
  return [
    intersectionTable(outcomes, peers),
    distanceTable(outcomes, peers),
    hullDistanceTable(outcomes),
    nearTable(outcomes),
    preparationTable(outcomes),
    await first,
    ...(await mixed),
    ...(await scenes),
  ];
}
