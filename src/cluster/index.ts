/**
 * Batches on machines that share a queue: BullMQ on Redis or Valkey. Needs the optional packages bullmq and ioredis.
 * @module cluster
 */

export { Cluster, type ClusterOptions, createCluster } from './cluster.js';
export { CLUSTER_DEFAULTS } from './defaults.js';
export { type ClusterJobEvent, ClusterWorker, type ClusterWorkerOptions, startClusterWorker } from './worker.js';
