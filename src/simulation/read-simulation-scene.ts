import { JsonPlace } from '../core/check/json-place.js';
import { checkedElsewhere, optionTable } from '../core/check/option-table.js';
import type { TimeOfContactMethod } from '../dynamics/impact/time-of-contact.js';
import { checkMethod, checkScene, checkTimeOfContact } from './check-scene.js';
import type { LoadMesh } from './load-shape.js';
import { createPlaneSimulation, type PlaneSimulation } from './plane-simulation.js';
import type { SceneDescription, SimulationMethod } from './scene-description.js';
import { createSpaceSimulation, type SpaceSimulation } from './space-simulation.js';

/** A scene that runs. */
export type Simulation = SpaceSimulation | PlaneSimulation;

/** How a scene is read. */
export interface ReadSceneOptions {
  /** Reads the mesh of a file that the scene names; without it, shapes from files are refused. */
  readonly loadMesh?: LoadMesh | undefined;
  /** In place of the scene's method. */
  readonly method?: SimulationMethod | undefined;
  /** In place of how the scene finds times of impacts; in space. */
  readonly timeOfContact?: TimeOfContactMethod | undefined;
  /** Whether bodies at rest sleep until something touches them; true by default. */
  readonly sleeping?: boolean | undefined;
}

const READ_OPTIONS = optionTable<ReadSceneOptions>()({
  loadMesh: checkedElsewhere<LoadMesh>(),
  // Checked by checkMethod, as that of the scene, and by the world.
  method: checkedElsewhere<SimulationMethod>(),
  // Checked by checkTimeOfContact, as that of the scene.
  timeOfContact: checkedElsewhere<TimeOfContactMethod>(),
  sleeping: checkedElsewhere<boolean>(),
});

/**
 * Reads a scene, given as the text of a scene file or as its content, and builds its world.
 * @throws NearfieldError that says which key is wrong, as in `bodies[3].shape.box`, and what to do.
 */
export async function readSimulationScene(
  scene: string | SceneDescription,
  options: ReadSceneOptions = {},
): Promise<Simulation> {
  READ_OPTIONS.assert(options);
  const checked = checkScene(scene);
  const method = options.method === undefined ? checked.method : checkMethod(options.method);
  const timeOfContact =
    options.timeOfContact === undefined
      ? checked.timeOfContact
      : checkTimeOfContact(new JsonPlace(options.timeOfContact, 'timeOfContact'), checked.dimension);
  if (checked.dimension === 2) return createPlaneSimulation({ ...checked, method }, options.sleeping);
  return createSpaceSimulation({ ...checked, method, timeOfContact }, options);
}
