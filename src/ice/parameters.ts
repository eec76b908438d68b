// The physical numbers of a growth, and the presets.

/**
 * The numbers of Kobayashi's model (1993), by the letters of his paper: τ ∂p/∂t = δ/δp of the interface energy with
 * ε = ε̄ (1 + δ cos j (θ − θ₀)), plus p (1 − p) (p − 1/2 + m), m = (α/π) atan(γ (Tₑ − T)); ∂T/∂t = a² ∇²T + K ∂p/∂t.
 * θ is the direction of the outward normal −∇p.
 */
export interface IceParameters {
  /**
   * `kobayashi`, or `karma-rappel`: the model of PFHub's benchmark 3a (Karma and Rappel 1998), whose phase φ = 2 p − 1,
   * width W₀ = ε̄, time τ₀ = τ, anisotropy ε₄ = δ and diffusivity D = a² are those of the benchmark, with λ = D τ₀ /
   * (0.6267 W₀²) and K = 1; α, γ, Tₑ and noise are not used.
   */
  readonly model: 'kobayashi' | 'karma-rappel';
  /** τ, the relaxation time of the phase. */
  readonly tau: number;
  /** ε̄, the width of the interface. */
  readonly epsilon: number;
  /** δ, the strength of the anisotropy: 0 for none, below 1. */
  readonly delta: number;
  /** j, the number of preferred directions around the z axis: a whole number; 0 for none. */
  readonly fold: number;
  /** θ₀ in radians: a preferred direction, from the x axis. */
  readonly orientation: number;
  /** In space: ε also has the term ε̄ · axial · n_z², n the normal. Negative for plates, positive for needles along z. */
  readonly axial: number;
  /** α, below 1. */
  readonly alpha: number;
  /** γ, how steeply the driving force follows the undercooling. */
  readonly gamma: number;
  /** Tₑ, the temperature of equilibrium. */
  readonly equilibrium: number;
  /** K, the latent heat. Larger values branch more. */
  readonly latentHeat: number;
  /** a², the diffusivity of heat. */
  readonly diffusivity: number;
  /** The amplitude of the noise at the interface, which starts side branches. */
  readonly noise: number;
}

/** The names of {@link ICE_PRESETS}. */
export type IcePreset = 'dendritic' | 'plate' | 'isotropic' | 'pfhub-3a';

/** A preset: the parameters, and the grid that they were made for. */
export interface IcePresetValues {
  readonly parameters: IceParameters;
  readonly spacing: number;
  /** Of explicit steps; semi-implicit ones are twice as long. */
  readonly timestep: number;
  /** The temperature at the start. */
  readonly temperature: number;
}

const KOBAYASHI: IceParameters = {
  model: 'kobayashi',
  tau: 3e-4,
  epsilon: 0.01,
  delta: 0.04,
  fold: 6,
  orientation: Math.PI / 2,
  axial: 0,
  alpha: 0.9,
  gamma: 10,
  equilibrium: 1,
  latentHeat: 1.8,
  diffusivity: 1,
  noise: 0.01,
};

/**
 * The three kinds of ice of Kim and Lin (2003) on Kobayashi's grid: branched, six-sided plates, and without preferred
 * directions; and PFHub's benchmark 3a.
 */
export const ICE_PRESETS = {
  dendritic: { parameters: KOBAYASHI, spacing: 0.03, timestep: 1e-4, temperature: 0 },
  plate: {
    parameters: { ...KOBAYASHI, latentHeat: 0.9, delta: 0.02 },
    spacing: 0.03,
    timestep: 1e-4,
    temperature: 0,
  },
  isotropic: {
    parameters: { ...KOBAYASHI, latentHeat: 1.6, delta: 0, fold: 0 },
    spacing: 0.03,
    timestep: 1e-4,
    temperature: 0,
  },
  'pfhub-3a': {
    parameters: {
      ...KOBAYASHI,
      model: 'karma-rappel',
      tau: 1,
      epsilon: 1,
      delta: 0.05,
      fold: 4,
      orientation: 0,
      latentHeat: 1,
      diffusivity: 10,
      noise: 0,
    },
    spacing: 1,
    timestep: 0.02,
    temperature: -0.3,
  },
} as const satisfies Record<IcePreset, IcePresetValues>;
