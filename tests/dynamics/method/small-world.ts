// A few bodies with all that a method works on, without a world around them.
import { Bodies } from '../../../src/dynamics/body/bodies.js';
import { measureEnergy, measureMomentum } from '../../../src/dynamics/body/conserved.js';
import { JointSolver } from '../../../src/dynamics/joint/joint-solver.js';
import { Motion } from '../../../src/dynamics/motion/motion.js';
import { BroadPhase } from '../../../src/dynamics/solver/broad-phase.js';
import { Collision } from '../../../src/dynamics/solver/collision.js';
import { ContactBuffer } from '../../../src/dynamics/solver/contact-buffer.js';
import { Sleep } from '../../../src/dynamics/solver/sleep.js';
import { SubstepSolver } from '../../../src/dynamics/solver/substep-solver.js';
import { PairContacts } from '../../../src/manifold/pair-contacts.js';

export function createSmallWorld(gravity = [0, 0, 0], substeps = 8) {
  const bodies = new Bodies();
  const motion = new Motion();
  const contacts = new ContactBuffer();
  const joints = new JointSolver(bodies);
  const collision = new Collision(bodies, contacts, new BroadPhase(), (a, b) => new PairContacts(a, b), new Set());
  const pull = Float64Array.from(gravity);
  const sleep = new Sleep(bodies, contacts, collision, joints);
  sleep.enabled = false;
  return {
    bodies,
    motion,
    contacts,
    collision,
    joints,
    sleep,
    solver: new SubstepSolver(bodies, motion, pull, contacts, joints),
    gravity: pull,
    substeps,
    acceleration: () => Math.hypot(...gravity),
    energy: () => measureEnergy(bodies, gravity).total,
    kinetic: () => measureEnergy(bodies, gravity).kinetic,
    momentum: () => measureMomentum(bodies),
  };
}
