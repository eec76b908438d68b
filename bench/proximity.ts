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
  const { progress } = context;
  const peers = await loadPeers();
  const outcomes: ScenarioOutcome[] = [];
  for (const [index, definition] of scenarios.entries()) {
    const stage = (name: string) => progress(index / scenarios.length, `${definition.name}, ${name}`);
    stage('models');
    outcomes.push(await runScenario(definition.build(), peers, stage));
  }
  return [
    intersectionTable(outcomes, peers),
    distanceTable(outcomes, peers),
    hullDistanceTable(outcomes),
    nearTable(outcomes),
    preparationTable(outcomes),
    // The benchmarks are built into one file, this one, which exports what the new processes call.
    firstQueriesTable(import.meta.url, progress),
    ...(await mixedTables(context)),
    ...(await sceneTables(context)),
  ];
}
