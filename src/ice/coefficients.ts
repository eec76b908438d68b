// The numbers of one step, from the parameters, the spacing and the timestep. The kernels on the CPU and the GPU use
// the same ones. Divergences are sums over the corners of a cell: half-way between a cross of 5 cells and the diagonals
// (weights 2/3 and 1/3), which makes the error of the Laplacian the same in all directions.
import type { IceParameters } from './parameters.js';

export interface IceCoefficients {
  /** κ ε̄² / 3 in the plane, κ ε̄² / 6 in space, κ = timestep / (τ spacing²): the weight of compact differences. */
  readonly compact: number;
  /** The weight of the gradient at a corner, relative to the compact weight: 1/4 in the plane, 1/8 in space. */
  readonly share: number;
  /** κ ε̄² / 4 in the plane, κ ε̄² / 16 in space: the weight of the terms with ∂ε/∂θ. */
  readonly cross: number;
  readonly delta: number;
  /** δ j. */
  readonly deltaFold: number;
  readonly fold: number;
  /** cos and sin of j θ₀. */
  readonly turnRe: number;
  readonly turnIm: number;
  readonly axial: number;
  /** The weight of p (1 − p): timestep / τ, 4 times that in Karma and Rappel's model. */
  readonly reaction: number;
  /** α/π. */
  readonly alpha: number;
  readonly gamma: number;
  readonly equilibrium: number;
  readonly latentHeat: number;
  /** timestep · a² / spacing². */
  readonly diffusion: number;
  readonly noise: number;
  /** −2 λ of Karma and Rappel's model; 0 in Kobayashi's. */
  readonly coupling: number;
}

/** Proven (Karma and Rappel 1998): λ W₀² / (D τ₀) at which the kinetics of Karma and Rappel's interface vanish. */
const KINETIC_NUMBER = 0.6267;

/** The coupling λ of Karma and Rappel's model. */
export function couplingOf({ diffusivity, tau, epsilon }: IceParameters): number {
  return (diffusivity * tau) / (KINETIC_NUMBER * epsilon * epsilon);
}

export function coefficientsOf(
  parameters: IceParameters,
  spacing: number,
  timestep: number,
  isSpace: boolean,
): IceCoefficients {
  const { tau, epsilon, delta, fold, orientation } = parameters;
  const isKarma = parameters.model === 'karma-rappel';
  const strength = (timestep * epsilon * epsilon) / (tau * spacing * spacing);
  const anisotropy = fold === 0 ? 0 : delta;
  const [turnRe, turnIm] = unitComplex(fold * orientation);
  return {
    compact: strength / (isSpace ? 6 : 3),
    share: isSpace ? 1 / 8 : 1 / 4,
    cross: strength / (isSpace ? 16 : 4),
    delta: anisotropy,
    deltaFold: anisotropy * fold,
    fold: anisotropy === 0 ? 0 : fold,
    turnRe,
    turnIm,
    axial: isSpace ? parameters.axial : 0,
    reaction: ((isKarma ? 4 : 1) * timestep) / tau,
    alpha: parameters.alpha / Math.PI,
    gamma: parameters.gamma,
    equilibrium: parameters.equilibrium,
    latentHeat: isKarma ? 1 : parameters.latentHeat,
    diffusion: (timestep * parameters.diffusivity) / (spacing * spacing),
    noise: isKarma ? 0 : parameters.noise,
    coupling: isKarma ? -2 * couplingOf(parameters) : 0,
  };
}

/**
 * The longest timestep at which no mode of the grid grows: of the phase alone, with a stricter bound than that of its
 * Laplacian since ∂²ε/∂θ² adds to its stiffness, and of the temperature with the latent heat that it sets free. That
 * coupling makes the bound of explicit steps shorter than that of diffusion.
 */
export function longestTimestep(
  parameters: IceParameters,
  spacing: number,
  dimension: 2 | 3,
  scheme: 'explicit' | 'semi-implicit',
): number {
  const { tau, epsilon, delta, fold, axial, diffusivity, alpha, gamma, latentHeat } = parameters;
  const isKarma = parameters.model === 'karma-rappel';
  const most = epsilon * (1 + (fold === 0 ? 0 : delta) + (dimension === 3 ? Math.abs(axial) : 0));
  const ofPhase = (tau * spacing * spacing) / (2 * dimension * most * most);
  const ofReaction = (isKarma ? 0.5 : 2) * tau;
  // How much a degree above changes the temperature within a time: at p = 1/2 and T = Tₑ, where it is most.
  const feedback = isKarma
    ? couplingOf(parameters) / (2 * tau)
    : (Math.max(0, latentHeat) * alpha * Math.abs(gamma)) / (4 * Math.PI * tau);
  const diffusion = scheme === 'explicit' ? (4 * dimension * diffusivity) / (spacing * spacing) : 0;
  return Math.min(ofPhase, ofReaction, 2 / (diffusion + feedback));
}

/** cos and sin by their series, for the same digits in every engine. */
export function unitComplex(angle: number): [number, number] {
  const turns = Math.round(angle / (Math.PI / 2));
  const rest = angle - turns * (Math.PI / 2);
  let re = 0;
  let im = 0;
  let term = 1;
  for (let n = 0; n < 20; n += 2) {
    re += term;
    term *= rest / (n + 1);
    im += term;
    term *= -rest / (n + 2);
  }
  const quadrant = ((turns % 4) + 4) % 4;
  if (quadrant === 0) return [re, im];
  if (quadrant === 1) return [-im, re];
  if (quadrant === 2) return [-re, -im];
  return [im, -re];
}

/** The part of the noise's hash that a step has in common. */
export function noiseKey(seed: number, step: number): number {
  let h = Math.imul(seed ^ 0x5bd1e995, 0x9e3779b1) ^ step;
  h = Math.imul(h ^ (h >>> 16), 0x21f0aaad);
  h = Math.imul(h ^ (h >>> 15), 0x735a2d97);
  return (h ^ (h >>> 15)) >>> 0;
}

/** Uniform in [−1/2, 1/2) by cell and step. */
export function noiseAt(cell: number, key: number): number {
  let h = Math.imul(cell, 0x9e3779b1) ^ key;
  h = Math.imul(h ^ (h >>> 16), 0x21f0aaad);
  h = Math.imul(h ^ (h >>> 15), 0x735a2d97);
  h ^= h >>> 15;
  return (h >>> 8) / 16777216 - 0.5;
}
