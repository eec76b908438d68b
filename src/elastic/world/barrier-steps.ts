// Steps and equilibria of a world whose bodies are kept apart by a barrier: each begins and ends without overlap, and is proven
// to have none on the way.
import type { BarrierContact } from '../barrier/barrier-contact.js';
import { type ApartGoal, minimizeApart } from '../barrier/minimize-apart.js';
import type { SolveReport } from '../body/newton.js';
import type { ContactMeasure, ContactSteps, SolverLimits } from './contact-steps.js';
import type { Coupling } from './coupling.js';
import type { WorldSettings } from './world-options.js';

export class BarrierSteps implements ContactSteps {
  readonly #coupling: Coupling;
  readonly #barrier: BarrierContact;
  readonly #settings: WorldSettings;

  constructor(coupling: Coupling, barrier: BarrierContact, settings: WorldSettings) {
    this.#coupling = coupling;
    this.#barrier = barrier;
    this.#settings = settings;
  }

  step(time: number): SolveReport {
    const coupling = this.#coupling;
    const { x, start, friction, grabs, newton, elastic } = coupling;
    const { timestep: h, integrator, slidingSpeed } = this.#settings;
    coupling.writeState(start);
    this.#barrier.assertApart(start);
    // The first step has none before it; Euler's method looks for the end of the step too.
    const name = integrator === 'auto' ? 'bdf2' : integrator;
    coupling.beginStep(h, elastic.every(({ part }) => part.follows(h)) ? name : 'euler');
    this.#beginRigids();
    friction.begin(start, slidingSpeed * h);
    grabs.begin(start, h);
    const goal = this.#goal(x, time);
    x.set(start);
    const goBack = this.#barrier.keep();
    let report: SolveReport;
    try {
      report = minimizeApart(this.#barrier, newton, x, goal, this.#settings);
    } catch (error) {
      // A step without time leaves the obstacles where they were too.
      goBack();
      throw error;
    }
    coupling.gatherForces(x);
    friction.lag(x);
    coupling.endStep();
    return report;
  }

  solveStatic(time: number, limits: SolverLimits): SolveReport {
    const coupling = this.#coupling;
    const { start, still, stillX: x, friction } = coupling;
    coupling.writeState(start);
    this.#barrier.assertApart(start);
    coupling.beginStatic();
    // Held nodes are at their places now.
    coupling.writeState(x);
    friction.clear();
    this.#beginRigids();
    const goal = this.#goal(x, time);
    x.set(start.subarray(0, x.length));
    const report = minimizeApart(this.#barrier, still.newton, x, goal, limits);
    coupling.gatherForces(x);
    coupling.endStatic();
    return report;
  }

  measure(x: Float64Array): ContactMeasure {
    const { term } = this.#barrier;
    term.update(x);
    return { energy: term.evaluate(x), count: term.countActive(x) };
  }

  isProvenApart(x: Float64Array): boolean {
    return this.#barrier.isProven(x) && !this.#barrier.isBehind;
  }

  #beginRigids(): void {
    this.#coupling.rigids.forEach((rigid, i) => {
      rigid.beginFrom(this.#barrier.poseOf(i));
    });
  }

  /** Nodes go to x, as far as they are free to, and rigid bodies where their paths lead at a time. */
  #goal(x: Float64Array, time: number): ApartGoal {
    const poses = this.#coupling.rigids.map((rigid) => rigid.poseAt(time));
    return { guess: x.slice(), held: this.#coupling.heldNodes(), poses };
  }
}
