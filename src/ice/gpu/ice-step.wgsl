// What a step is made of, in the plane and in space: the same numbers and the same order as plane-step.ts. Put before
// ice-plane.wgsl and ice-space.wgsl.

struct Ice {
  size: vec3u,
  compact: f32,
  // Tiles along x, y and z.
  tiles: vec3u,
  cross: f32,
  delta: f32,
  deltaFold: f32,
  turnRe: f32,
  turnIm: f32,
  reaction: f32,
  alpha: f32,
  gamma: f32,
  equilibrium: f32,
  latentHeat: f32,
  diffusion: f32,
  noise: f32,
  coupling: f32,
  still: f32,
  axial: f32,
  wall: f32,
  // Tiles in a row of workgroups: a dispatch has at most 65,535 along an axis.
  groupsX: u32,
}

// What steps of a batch differ in; a dynamic offset selects it. The second key is of the second of two steps in one pass.
struct Step {
  noiseKey: u32,
  secondKey: u32,
}

@group(0) @binding(0) var<uniform> ice: Ice;
@group(0) @binding(1) var<uniform> step: Step;
// By tile: whether it is computed in this step and in the next one; and those of the step after that, to be cleared.
@group(0) @binding(4) var<storage, read> awake: array<u32>;
@group(0) @binding(5) var<storage, read_write> waking: array<u32>;
@group(0) @binding(6) var<storage, read_write> resting: array<u32>;
// By tile: the number of steps it was computed in, and the number of those with phases other than 0 and 1.
@group(0) @binding(7) var<storage, read_write> work: array<vec2u>;
// 0 in obstacles.
@group(0) @binding(8) var<storage, read> room: array<u32>;

// Bindings 2 and 3 are the cells before and after the step: phase and temperature.

override FOLD: u32 = 6u;
override IS_KARMA: bool = false;
override HAS_NOISE: bool = true;
override HAS_ROOM: bool = false;
override IS_DIRECTED: bool = true;
override IS_BANDED: bool = true;
// 0: no flux; 1: fixed; 2: periodic.
override BOUNDARY: u32 = 0u;

// Whether something moved in the tile, and whether something has a phase other than 0 and 1.
var<workgroup> moved: atomic<u32>;
var<workgroup> mixed: atomic<u32>;

// The place of a cell along an axis, which may be one beyond the grid.
fn place(at: i32, count: u32) -> u32 {
  let last = i32(count) - 1;
  if (BOUNDARY == 2u) {
    return u32(select(select(at, 0, at > last), last, at < 0));
  }
  return u32(clamp(at, 0, last));
}

// Cephes' atanf (Moshier 1992): the built-in one may be off by thousands of units in the last place.
fn arctangent(x: f32) -> f32 {
  let size = abs(x);
  let isLarge = size > 2.414213562373095;
  let isMiddle = size > 0.4142135623730950;
  let top = select(select(size, size - 1.0, isMiddle), -1.0, isLarge);
  let bottom = select(select(1.0, size + 1.0, isMiddle), size, isLarge);
  let base = select(select(0.0, 0.7853981633974483, isMiddle), 1.5707963267948966, isLarge);
  let t = top / bottom;
  let z = t * t;
  let sum = ((8.05374449538e-2 * z - 1.38776856032e-1) * z + 1.99777106478e-1) * z - 3.33329491539e-1;
  return sign(x) * (base + (sum * z * t + t));
}

fn noiseOf(cell: u32, key: u32) -> f32 {
  var h = (cell * 0x9e3779b1u) ^ key;
  h = (h ^ (h >> 16u)) * 0x21f0aaadu;
  h = (h ^ (h >> 15u)) * 0x735a2d97u;
  h = h ^ (h >> 15u);
  return f32(h >> 8u) * 5.9604644775390625e-8 - 0.5;
}

// p (1 − p) (p − 1/2 + m), with noise, times the weight of the reaction.
fn react(p: f32, heat: f32, cell: u32, key: u32) -> f32 {
  let well = p * (1.0 - p);
  if (well == 0.0) {
    return 0.0;
  }
  var push = p - 0.5;
  if (IS_KARMA) {
    push += ice.coupling * heat * well;
  } else {
    push += ice.alpha * arctangent(ice.gamma * (ice.equilibrium - heat));
  }
  if (HAS_NOISE) {
    push += ice.noise * noiseOf(cell, key);
  }
  return ice.reaction * well * push;
}

fn settle(p: f32) -> f32 {
  return select(select(p, 1.0, abs(1.0 - p) < ice.still), 0.0, abs(p) < ice.still);
}

fn dropped(difference: f32) -> f32 {
  return select(0.0, difference, abs(difference) > ice.still);
}

// A complex number to the power of the fold, by squares and products.
fn raise(z: vec2f) -> vec2f {
  var power = z;
  for (var bit = i32(firstLeadingBit(FOLD)) - 1; bit >= 0; bit--) {
    power = vec2f(power.x * power.x - power.y * power.y, 2.0 * power.x * power.y);
    if (((FOLD >> u32(bit)) & 1u) == 1u) {
      power = vec2f(power.x * z.x - power.y * z.y, power.x * z.y + power.y * z.x);
    }
  }
  return power;
}
