// Steps and equilibria of a world whose bodies are kept apart by deformed distance fields. 'auto' makes steps by the midpoint
// rule with energies kept exactly where nothing touches, and by BDF2 where something does.
import { EnergyKeeper } from '../body/energy-keeper.js';
import type { SolveReport } from '../body/newton.js';
import { QuasiNewton } from '../body/quasi-newton.js';
import { ContactTerm } from '../contact/contact-term.js';
import { FieldUpdate } from '../contact/field-update.js';
import { ELASTIC_DEFAULTS } from '../defaults.js';
import { AngularMomentumKeeper } from './angular-momentum-keeper.js';
import type { ContactMeasure, ContactSteps, SolverLimits } from './contact-steps.js';
import type { Coupling } from './coupling.js';
import type { WorldIntegrator, WorldSettings } from './world-options.js';

/** What was found for a step; nothing has moved yet. */
interface SolvedStep {
  readonly report: SolveReport;
  /** Where in the step the state is that was looked for: 1, or 0.5 for the midpoint rule. */
  readonly share: number;
  readonly isMultistep: boolean;
  /** Whether energy is to be kept exactly. */
  readonly isKept: boolean;
}

export class FieldSteps implements ContactSteps {
  readonly #coupling: Coupling;
  readonly #settings: WorldSettings;
  readonly #contact: ContactTerm;
  /** For measurements between steps. */
  readonly #probe: ContactTerm;
  readonly #fieldUpdate: FieldUpdate;
  readonly #energies: readonly EnergyKeeper[];
  readonly #spin: AngularMomentumKeeper;
  /** The state at the end of a step of the midpoint rule. */
  readonly #end: Float64Array;
  /** Made when it is first needed. */
  #quasiNewton: QuasiNewton | null = null;
  /** Whether a step has found contacts before. */
  #hasContacts = false;
  /** Whether bodies touched at the end of the last step, as far as the integrator 'auto' knows. */
  #touches = false;

  /** @param contact the term of the coupling. */
  constructor(coupling: Coupling, contact: ContactTerm, settings: WorldSettings) {
    const { elastic, surfaces, obstacles, system } = coupling;
    this.#coupling = coupling;
    this.#settings = settings;
    this.#contact = contact;
    this.#probe = new ContactTerm(surfaces, obstacles, contact.recovery);
    this.#fieldUpdate = new FieldUpdate(surfaces);
    this.#energies = elastic.map(({ part }) => new EnergyKeeper(part));
    this.#spin = new AngularMomentumKeeper(elastic);
    this.#end = new Float64Array(system.size);
  }

  step(): SolveReport {
    const { integrator } = this.#settings;
    const solved = integrator === 'auto' ? this.#solveAuto() : this.#solve(integrator);
    this.#finish(solved);
    return solved.report;
  }

  solveStatic(time: number, { tolerance, maxIterations }: SolverLimits): SolveReport {
    const coupling = this.#coupling;
    const { rigids, still, stillX: x, friction } = coupling;
    for (const rigid of rigids) rigid.standAt(time);
    coupling.beginStatic();
    coupling.writeState(x);
    friction.clear();
    this.#contact.begin();
    this.#contact.recovery.begin();
    const report = still.newton.minimize(x, tolerance, maxIterations);
    this.#fieldUpdate.update(this.#contact, x);
    coupling.gatherForces(x);
    coupling.endStatic();
    return report;
  }

  measure(x: Float64Array): ContactMeasure {
    const probe = this.#probe;
    probe.begin();
    probe.update(x);
    return { energy: probe.evaluate(x), count: probe.countActive(x) };
  }

  isProvenApart(): boolean {
    return false;
  }

  /**
   * The midpoint rule keeps energy where nothing touches; contact needs a method that damps what steps do not resolve. So a step
   * at whose end something would touch is made again, by BDF2.
   */
  #solveAuto(): SolvedStep {
    const { x, start, rigids, grabs } = this.#coupling;
    const { recovery } = this.#contact;
    const probe = this.#probe;
    for (const keeper of this.#energies) keeper.begin();
    if (!this.#touches) {
      const solved = this.#solve('midpoint');
      const end = this.#end;
      for (let i = 0; i < x.length; i++) end[i] = 2 * x[i] - start[i];
      probe.begin();
      probe.update(end);
      this.#touches = recovery.isActive || probe.countActive(end) > 0;
      if (!this.#touches) return { ...solved, isKept: grabs.springs.length === 0 };
      for (const rigid of rigids) rigid.placeNow();
    }
    const solved = this.#solve('bdf2');
    this.#touches = recovery.isActive || this.#contact.countActive(x) > 0;
    return solved;
  }

  /** Finds the state that a method asks for. */
  #solve(integrator: Exclude<WorldIntegrator, 'auto'>): SolvedStep {
    const coupling = this.#coupling;
    const { x, start, rigids, friction, grabs } = coupling;
    const { timestep: h, slidingSpeed } = this.#settings;
    const contact = this.#contact;
    let name = integrator;
    let share = coupling.beginStep(h, name);
    if (this.#settings.integrator === 'auto' && name === 'bdf2' && share < 1) {
      // There is no state before this one yet, and the midpoint rule is not for contact.
      name = 'euler';
      share = coupling.beginStep(h, name);
    }
    for (const rigid of rigids) rigid.placeNow();
    coupling.writeState(start);
    // Before the first step nothing is known of contacts.
    if (!this.#hasContacts) contact.update(start);
    contact.noteStart(start, ELASTIC_DEFAULTS.contact.recoverySpeed * share * h);
    friction.begin(start, slidingSpeed * share * h);
    grabs.begin(start, share * h);
    for (const rigid of rigids) rigid.begin(share, x);
    contact.begin();
    return { report: this.#minimize(), share, isMultistep: name === 'bdf2', isKept: false };
  }

  #minimize(): SolveReport {
    const { system, newton, x } = this.#coupling;
    const { mode, iterations, tolerance, maxIterations } = this.#settings;
    if (mode === 'converged') return newton.minimize(x, tolerance, maxIterations);
    this.#quasiNewton ??= new QuasiNewton(system, this.#coupling.limit);
    return this.#quasiNewton.minimize(x, iterations);
  }

  /** Moves the bodies to what was found, and takes what the next step needs. */
  #finish({ share, isMultistep, isKept }: SolvedStep): void {
    const coupling = this.#coupling;
    const { x, rigids, friction } = coupling;
    coupling.gatherForces(x);
    const keepsSpin = this.#settings.integrator === 'auto' && coupling.isAlone();
    if (keepsSpin) this.#spin.begin();
    friction.lag(x);
    this.#fieldUpdate.update(this.#contact, x);
    coupling.endStep();
    for (const keeper of this.#energies) {
      if (isKept) keeper.end();
      else keeper.forget();
    }
    if (keepsSpin) this.#spin.end(this.#settings.timestep);
    for (const rigid of rigids) rigid.push(share === 1 && isMultistep);
    this.#hasContacts = true;
  }
}
