// Places in the memory of assembly/ice-kernel.ts, in bytes.
export const NX = 0;
export const NY = 4;
export const NZ = 8;
export const ROW = 12;
export const LAYER = 16;
export const PHASE = 20;
export const PHASE_AFTER = 24;
export const HEAT = 28;
export const HEAT_AFTER = 32;
export const ROOM = 36;
export const MODEL = 40;
export const FOLD = 44;
export const NOISE_KEY = 48;
/** Steps done, for the host: the fields before and after a step change places. */
export const DONE = 52;
export const COMPACT = 64;
export const CROSS = 68;
export const DELTA = 72;
export const DELTA_FOLD = 76;
export const TURN_RE = 80;
export const TURN_IM = 84;
export const REACTION = 88;
export const ALPHA = 92;
export const GAMMA = 96;
export const EQUILIBRIUM = 100;
export const LATENT = 104;
export const DIFFUSION = 108;
export const NOISE = 112;
export const COUPLING = 116;
export const STILL = 120;
export const AXIAL = 124;
/** Where the corners of a tile are kept, and how many bytes later those of the next thread. */
export const FIRST_CORNERS = 1024;
export const CORNER_BYTES = 16_384;

/** What a step of a tile returns. */
export const MOVED = 1;
/** All phases of the tile are 0. */
export const LIQUID = 2;
/** All phases of the tile are 1. */
export const SOLID = 4;

/** Cells of a tile along x, y and z, in the plane and in space. */
export const PLANE_TILE = [32, 32, 1] as const;
export const SPACE_TILE = [32, 8, 8] as const;
