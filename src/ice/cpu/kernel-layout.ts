// Places in the memory of assembly/ice-kernel.ts, in bytes, and the tiles that it steps.

/** Layout: byte of cells along x. */
export const NX = 0;
/** Layout: byte of cells along y. */
export const NY = 4;
/** Layout: byte of cells along z. */
export const NZ = 8;
/** Layout: byte of the bytes from a row to the next. */
export const ROW = 12;
/** Layout: byte of the bytes from a layer to the next. */
export const LAYER = 16;
/** Layout: byte of the address of the phase. */
export const PHASE = 20;
/** Layout: byte of the address of the phase after the step. */
export const PHASE_AFTER = 24;
/** Layout: byte of the address of the temperature. */
export const HEAT = 28;
/** Layout: byte of the address of the temperature after the step. */
export const HEAT_AFTER = 32;
/** Layout: byte of the address of the room for growth, 0 without obstacles. */
export const ROOM = 36;
/** Layout: byte of bits: 1 for the model of Karma and Rappel, 2 for an implicit temperature. */
export const MODEL = 40;
/** Layout: byte of the fold j. */
export const FOLD = 44;
/** Layout: byte of the part of the noise that a step has in common. */
export const NOISE_KEY = 48;
/** Layout: byte of the steps done, for the host: the fields before and after a step change places. */
export const DONE = 52;
/** Layout: byte of the weight of compact differences. */
export const COMPACT = 64;
/** Layout: byte of the weight of the terms with ∂ε/∂θ. */
export const CROSS = 68;
/** Layout: byte of δ. */
export const DELTA = 72;
/** Layout: byte of δ j. */
export const DELTA_FOLD = 76;
/** Layout: byte of cos j θ₀. */
export const TURN_RE = 80;
/** Layout: byte of sin j θ₀. */
export const TURN_IM = 84;
/** Layout: byte of the weight of the reaction. */
export const REACTION = 88;
/** Layout: byte of α/π. */
export const ALPHA = 92;
/** Layout: byte of γ. */
export const GAMMA = 96;
/** Layout: byte of Tₑ. */
export const EQUILIBRIUM = 100;
/** Layout: byte of K. */
export const LATENT = 104;
/** Layout: byte of timestep · a² / spacing². */
export const DIFFUSION = 108;
/** Layout: byte of the amplitude of the noise. */
export const NOISE = 112;
/** Layout: byte of −2 λ of the model of Karma and Rappel. */
export const COUPLING = 116;
/** Layout: byte of the largest difference that is dropped. */
export const STILL = 120;
/** Layout: byte of the strength of the axial term. */
export const AXIAL = 124;
/** Layout: byte at which the corners of a tile begin. */
export const FIRST_CORNERS = 1024;
/** Layout: bytes between the corners of one thread and those of the next. */
export const CORNER_BYTES = 16_384;

/** Label: bit of what a step of a tile returns: something changed. */
export const MOVED = 1;
/** Label: bit of what a step of a tile returns: all phases of the tile are 0. */
export const LIQUID = 2;
/** Label: bit of what a step of a tile returns: all phases of the tile are 1. */
export const SOLID = 4;

/** Chosen: cells of a tile along x, y and z in the plane. */
export const PLANE_TILE = [32, 32, 1] as const;
/** Chosen: cells of a tile along x, y and z in space. */
export const SPACE_TILE = [32, 8, 8] as const;
