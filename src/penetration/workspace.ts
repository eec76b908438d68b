// The working memory of queries of two solids, which the model of A keeps from one query to the next.
import type { MinkowskiSums } from '../convex/minkowski/minkowski-sums.js';
import { bytesOf, type Part } from '../core/derived-parts.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import { Certifier } from './certificate/certifier.js';
import type { Solid } from './solid.js';
import { CellQuery } from './union/cell-query.js';
import { createSums } from './union/descent.js';

/** Working memory; it contains no results. */
export interface Workspace {
  readonly cellQuery: CellQuery;
  readonly certifier: Certifier;
  readonly sums: MinkowskiSums;
}

/** The memory of the last query of a model with another one. */
const WORKSPACE: Part<ProximityModel, { partner: Solid | null; workspace: Workspace | null }> = {
  name: 'penetration workspace',
  make: () => ({ partner: null, workspace: null }),
  bytes: ({ workspace }) => (workspace === null ? 0 : bytesOf({ ...workspace.sums })),
};

/** Chosen: memory of more facets, about 50 MB, is released. The largest pairs take gigabytes. */
const MAX_KEPT_FACETS = 1e6;

/** Takes the memory out of the model, because callbacks of the query may start another query of the same models. */
export function takeWorkspace(a: Solid, b: Solid): Workspace {
  const kept = a.model.parts.get(WORKSPACE);
  const { partner, workspace } = kept;
  kept.partner = null;
  kept.workspace = null;
  if (partner === b && workspace !== null) return workspace;
  return { cellQuery: new CellQuery(), certifier: new Certifier(), sums: createSums(a, b) };
}

/** Gives the memory back. A query that throws does not: what it left unfinished is dropped with it. */
export function returnWorkspace(a: Solid, b: Solid, workspace: Workspace): void {
  if (workspace.sums.facetCount > MAX_KEPT_FACETS) return;
  a.model.parts.set(WORKSPACE, { partner: b, workspace });
}
