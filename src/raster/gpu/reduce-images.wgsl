// The least or greatest value of each view's pixels and the first pixel that has it: 64 candidates per workgroup until one is left.

struct Reduction {
  width: u32,
  height: u32,
  // 1: the greatest.
  greatest: u32,
  // 1: distance from the eye instead of depth.
  distance: u32,
  // 1: ignore pixels of the color `except`.
  excepting: u32,
  except: u32,
  // Workgroups per view in `gather`.
  groups: u32,
}

// See eye-distance.ts: xyz the line of sight, w the offset.
struct EyeFrame {
  center: vec4f,
  x: vec4f,
  y: vec4f,
}

// The lesser key wins; of equal keys the lesser pixel.
struct Candidate {
  key: u32,
  pixel: u32,
}

struct Extreme {
  pixel: u32,
  depth: u32,
}

@group(0) @binding(0) var<uniform> reduction: Reduction;
@group(0) @binding(1) var<storage, read> frames: array<EyeFrame>;
@group(0) @binding(2) var<storage, read> colors: array<u32>;
@group(0) @binding(3) var<storage, read> depths: array<u32>;
@group(0) @binding(4) var<storage, read_write> candidates: array<Candidate>;
@group(0) @binding(5) var<storage, read_write> extremes: array<Extreme>;

const NONE = 0xffffffffu;
var<workgroup> best: array<Candidate, 64>;

fn better(a: Candidate, b: Candidate) -> bool {
  return a.key < b.key || (a.key == b.key && a.pixel < b.pixel);
}

fn leaveBest(local: u32, own: Candidate) {
  best[local] = own;
  for (var half = 32u; half > 0u; half = half / 2u) {
    workgroupBarrier();
    if (local < half && better(best[local + half], best[local])) {
      best[local] = best[local + half];
    }
  }
}

fn distanceAt(view: u32, pixel: u32, depth: f32) -> f32 {
  let x = (f32(2u * (pixel % reduction.width)) + 1.0) / f32(reduction.width) - 1.0;
  let y = 1.0 - (f32(2u * (pixel / reduction.width)) + 1.0) / f32(reduction.height);
  let frame = frames[view];
  let sight = frame.center + x * frame.x + y * frame.y;
  return length(sight.xyz) / abs(sight.w + (1.0 - depth));
}

@compute @workgroup_size(64)
fn gather(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
  let view = group.y;
  let pixels = reduction.width * reduction.height;
  var own = Candidate(NONE, NONE);
  for (var pixel = group.x * 64u + local; pixel < pixels; pixel += 64u * reduction.groups) {
    let at = view * pixels + pixel;
    if (reduction.excepting == 1u && colors[at] == reduction.except) {
      continue;
    }
    // Bits of nonnegative floats are ordered like the floats.
    var key = depths[at];
    if (reduction.distance == 1u) {
      key = bitcast<u32>(distanceAt(view, pixel, bitcast<f32>(key)));
    }
    if (reduction.greatest == 1u) {
      key = ~key;
    }
    let candidate = Candidate(key, pixel);
    if (better(candidate, own)) {
      own = candidate;
    }
  }
  leaveBest(local, own);
  if (local == 0u) {
    candidates[view * reduction.groups + group.x] = best[0];
  }
}

@compute @workgroup_size(64)
fn finish(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
  let view = group.x;
  var own = Candidate(NONE, NONE);
  for (var i = local; i < reduction.groups; i += 64u) {
    let candidate = candidates[view * reduction.groups + i];
    if (better(candidate, own)) {
      own = candidate;
    }
  }
  leaveBest(local, own);
  if (local == 0u) {
    let pixel = best[0].pixel;
    var depth = 0u;
    if (pixel != NONE) {
      depth = depths[view * reduction.width * reduction.height + pixel];
    }
    extremes[view] = Extreme(pixel, depth);
  }
}
