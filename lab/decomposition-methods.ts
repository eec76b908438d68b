import { DECOMPOSITION_METHODS, type DecompositionMethod } from 'nearfield/decomposition';

/** The methods' names for people. */
export const METHOD_LABELS: Record<DecompositionMethod, string> = {
  'bfs-crests': 'Breadth first from crests',
  bfs: 'Breadth first',
  dfs: 'Depth first',
  'bfs-flood-retract': 'Breadth first, flood and retract',
  'dfs-flood-retract': 'Depth first, flood and retract',
  global: 'Global',
};

/** The methods as the options of a control. */
export const METHOD_OPTIONS = DECOMPOSITION_METHODS.map((value) => ({ value, label: METHOD_LABELS[value] }));
