// What is prepared of meshes and chains, and used again by planners for the same robots or obstacles: models with all that is
// derived from them, and chains with their tables of distances.
import type { ChainPlanRobot } from '../../kinematics/robot/chain-description.js';
import type { ChainRobot } from '../../kinematics/robot/chain-robot.js';
import { type ModelOf, makeSoundModel, noteSoundModel, type SoundModel } from '../../kinematics/robot/sound-model.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';

interface PreparedChain {
  readonly description: ChainPlanRobot;
  readonly name: string;
  readonly offset: number;
  readonly robot: ChainRobot;
}

export class PreparedParts {
  readonly #models = new Map<Mesh, SoundModel>();
  #chains: PreparedChain[] = [];

  /** @param earlier parts that are used where meshes and descriptions are the same objects. */
  constructor(earlier?: PreparedParts) {
    if (earlier === undefined) return;
    this.#models = new Map(earlier.#models);
    this.#chains = [...earlier.#chains];
  }

  /**
   * The model of a mesh.
   * @param notes takes a sentence for each change of the mesh.
   * @param warnsOfOpen whether a mesh that stays open gets a sentence too.
   */
  model(mesh: Mesh, name: string, notes: string[], warnsOfOpen: boolean): ProximityModel {
    let made = this.#models.get(mesh);
    if (made === undefined) {
      made = makeSoundModel(mesh);
      this.#models.set(mesh, made);
    }
    return noteSoundModel(made, name, notes, warnsOfOpen);
  }

  /** The chain of a description; that of an earlier one with the same links, joints, base and allowed pairs. */
  chain(
    description: ChainPlanRobot,
    name: string,
    offset: number,
    modelOf: ModelOf,
    make: () => ChainRobot,
  ): ChainRobot {
    const known = this.#chains.find((other) => {
      const { links, joints, base, ignore } = other.description;
      const isSame = links === description.links && joints === description.joints;
      return (
        isSame &&
        base === description.base &&
        ignore === description.ignore &&
        other.name === name &&
        other.offset === offset
      );
    });
    if (known === undefined) {
      const robot = make();
      this.#chains.push({ description, name, offset, robot });
      return robot;
    }
    // For the notes.
    for (const { name: link, mesh } of description.links)
      if (mesh !== undefined) modelOf(mesh, `link ${link} of ${name}`);
    return known.robot;
  }

  /** Forgets what some robots and obstacles do not use. */
  keep(models: ReadonlySet<ProximityModel>, chains: ReadonlySet<ChainRobot>): void {
    for (const [mesh, { model }] of this.#models) if (!models.has(model)) this.#models.delete(mesh);
    this.#chains = this.#chains.filter(({ robot }) => chains.has(robot));
  }
}
