// A few bodies and a method that advances them, without a world around them.
import { Bodies } from '../../../src/dynamics/body/bodies.js';
import { measureEnergy, measureMomentum } from '../../../src/dynamics/body/conserved.js';
import { Motion } from '../../../src/dynamics/motion/motion.js';
import { ContactBuffer } from '../../../src/dynamics/solver/contact-buffer.js';

export function createSmallWorld(gravity = [0, 0, 0], substeps = 8) {
  const bodies = new Bodies();
  return {
    bodies,
    motion: new Motion(),
    contacts: new ContactBuffer(),
    gravity: Float64Array.from(gravity),
    substeps,
    energy: () => measureEnergy(bodies, gravity).total,
    kinetic: () => measureEnergy(bodies, gravity).kinetic,
    momentum: () => measureMomentum(bodies),
  };
}
