// --cluster URL of the verbs: work goes to the machines that share a queue there.
import { type Cluster, createCluster } from '../../cluster/cluster.js';
import { CLUSTER_DEFAULTS } from '../../cluster/defaults.js';
import { takeNumber, takeString } from '../arguments.js';
import { printWarning } from '../print-warning.js';
import type { VerbInput } from '../verb.js';

/** The options, for a verb's list. */
export const CLUSTER_OPTIONS = {
  cluster: { type: 'string' },
  queue: { type: 'string' },
  parallel: { type: 'string' },
} as const;

/** What a verb's help says of them. */
export const CLUSTER_HELP = `  --cluster URL        run on the machines whose workers (nearfield worker) share the queue at redis://host:6379
  --queue NAME         the queue's name there (default ${CLUSTER_DEFAULTS.name})
  --parallel N         jobs there at the same time (default ${CLUSTER_DEFAULTS.parallel}); give two for each thread of all workers`;

/** The cluster that was asked for, or null. The caller closes it. */
export async function openCluster(input: VerbInput): Promise<Cluster | null> {
  const connection = takeString(input, 'cluster');
  if (connection === null) return null;
  const name = takeString(input, 'queue') ?? undefined;
  const parallel = takeNumber(input, 'parallel', CLUSTER_DEFAULTS.parallel, { min: 1, max: 4096, integer: true });
  const cluster = await createCluster({ connection, name, parallel });
  try {
    if ((await cluster.countWorkers()) === 0) {
      printWarning(`no worker serves ${cluster.server} yet; start some: nearfield worker --cluster URL`);
    }
    return cluster;
  } catch (error) {
    await cluster.close();
    throw error;
  }
}

/** Runs work with the cluster that was asked for, or with null, and then leaves the cluster. */
export async function withCluster<Result>(
  input: VerbInput,
  work: (cluster: Cluster | null) => Promise<Result>,
): Promise<Result> {
  const cluster = await openCluster(input);
  try {
    return await work(cluster);
  } finally {
    await cluster?.close();
  }
}
