// Simulations in a worker of a pool: scenes as texts, with the meshes that they name.
import { NearfieldError } from '../core/errors.js';
import type { ProgressOptions } from '../core/progress.js';
import type { Mesh } from '../mesh/mesh.js';
import { assertPool } from '../pool/task-pool.js';
import type { TaskPool, WorkerTasks } from '../proximity/batch/model-pool.js';
import { ProximityModel } from '../proximity/proximity-model.js';
import { type ReadSceneOptions, readSimulationScene } from './read-simulation-scene.js';
import { type SimulateOptions, type SimulationResult, simulateScene } from './simulate-scene.js';

/** How long a scene runs, and by which methods. */
export type SimulationSettings = Pick<SimulateOptions, 'steps' | 'every' | 'nodes' | 'maxSeconds'> &
  Pick<ReadSceneOptions, 'method' | 'timeOfContact'>;

interface SimulationInput {
  readonly text: string;
  /** The names of the files whose meshes are the models. */
  readonly files: readonly string[];
  readonly settings: SimulationSettings;
}

/** What a worker's script gives to `serveBatches`, so that it simulates. */
export const SIMULATION_TASKS: WorkerTasks = {
  'dynamics/simulate': async (models, { text, files, settings }: SimulationInput, progress) => {
    const { method, timeOfContact, ...rest } = settings;
    const simulation = await readSimulationScene(text, {
      method,
      timeOfContact,
      loadMesh: (name) => {
        const index = files.indexOf(name);
        if (index < 0) throw new NearfieldError('file-not-found', `${name}: the mesh did not come with the scene.`);
        return models[index].mesh;
      },
    });
    return simulateScene(simulation, { ...rest, ...progress });
  },
};

/**
 * Simulates a scene file in a worker of a pool.
 * @param loadMesh reads the mesh of a file that the scene names.
 * @throws NearfieldError as {@link readSimulationScene} and {@link simulateScene} do.
 */
export async function simulateInPool(
  pool: TaskPool,
  text: string,
  loadMesh: (file: string) => Mesh | Promise<Mesh>,
  settings: SimulationSettings,
  progress: ProgressOptions = {},
): Promise<SimulationResult> {
  assertPool(pool);
  const meshes = new Map<string, Mesh>();
  await readSimulationScene(text, {
    loadMesh: async (file) => {
      const mesh = await loadMesh(file);
      meshes.set(file, mesh);
      return mesh;
    },
  });
  const models = [...meshes.values()].map((mesh) => new ProximityModel(mesh));
  const input: SimulationInput = { text, files: [...meshes.keys()], settings };
  return (await pool.call('dynamics/simulate', models, input, progress)) as SimulationResult;
}
