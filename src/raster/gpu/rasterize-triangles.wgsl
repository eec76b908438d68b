// Triangles tested at the exact centres of pixels by homogeneous edge functions (Olano and Greer 1997), so nothing is
// snapped or clipped. The extreme depth is found by 32-bit atomics, then the triangle that has it, then its colour.

struct Run {
  width: u32,
  height: u32,
  firstView: u32,
  // Where the run's triangle ids begin in `entries`, and how many there are.
  firstEntry: u32,
  entryCount: u32,
  // 0: none, 1: front, 2: back.
  cull: u32,
  // 1: the greatest depth wins.
  greatest: u32,
  // 1: equal depths pass, so the last of them wins.
  orEqual: u32,
  // 0: find the depth, 1: find who has it. One kernel does both, so that both see the same bits.
  claiming: u32,
  clearColor: u32,
  clearDepth: u32,
}

struct Claim {
  // Rank of the winning triangle in this run, or NOBODY.
  winner: atomic<u32>,
  // Bits of the depth before this run.
  before: u32,
}

@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> views: array<mat4x4f>;
@group(0) @binding(2) var<storage, read> entries: array<u32>;
@group(0) @binding(3) var<storage, read_write> depths: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> claims: array<Claim>;
@group(0) @binding(5) var<storage, read_write> image: array<u32>;
@group(1) @binding(0) var<storage, read> positions: array<f32>;
@group(1) @binding(1) var<storage, read> indices: array<u32>;
@group(1) @binding(2) var<storage, read> colors: array<u32>;

const NOBODY = 0xffffffffu;
const LAST_RANK = 0xfffffffeu;
// By how many pixels the bounds of a triangle may be off, ample for images of 8192 pixels a side.
const BOUNDS_MARGIN = 0.05;

fn corner(triangle: u32, i: u32, matrix: mat4x4f) -> vec4f {
  let at = 3u * indices[3u * triangle + i];
  return matrix * vec4f(positions[at], positions[at + 1u], positions[at + 2u], 1.0);
}

// a.x b.y − b.x a.y, of exactly opposite sign with the arguments swapped even where products are fused into sums: no
// pixel of a shared edge is missed or hit twice.
fn area(a: vec2f, b: vec2f) -> f32 {
  let swap = b.x < a.x || (b.x == a.x && b.y < a.y);
  let p = select(a, b, swap);
  let q = select(b, a, swap);
  let value = p.x * q.y - q.x * p.y;
  return select(value, -value, swap);
}

// Whether a centre on the edge from a to b belongs to the triangle: the edge is its left one, or a level one on top.
fn owns(a: vec3f, b: vec3f, side: f32) -> bool {
  let rightward = -side * area(a.zy, b.zy);
  let upward = side * area(a.zx, b.zx);
  return rightward > 0.0 || (rightward == 0.0 && upward < 0.0);
}

fn inside(edge: f32, a: vec3f, b: vec3f, side: f32) -> bool {
  return side * edge > 0.0 || (edge == 0.0 && owns(a, b, side));
}

// First and last index of the centres along a side of `size` pixels that the triangle's extent may reach.
fn bounds(coordinates: vec3f, w: vec3f, size: f32) -> vec2f {
  let at = 0.5 * (coordinates / w + 1.0) * size - 0.5;
  let low = min(at.x, min(at.y, at.z)) - BOUNDS_MARGIN;
  let high = max(at.x, max(at.y, at.z)) + BOUNDS_MARGIN;
  return vec2f(clamp(ceil(low), 0.0, size), clamp(floor(high), -1.0, size - 1.0));
}

@compute @workgroup_size(8, 8)
fn rasterize(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_id) local: vec3u,
) {
  let rank = group.y * groups.x + group.x;
  if (rank >= run.entryCount) {
    return;
  }
  let view = run.firstView + group.z;
  let triangle = entries[run.firstEntry + rank];
  let matrix = views[view];
  var a = corner(triangle, 0u, matrix);
  var b = corner(triangle, 1u, matrix);
  var c = corner(triangle, 2u, matrix);
  let w = vec3f(a.w, b.w, c.w);
  let x = vec3f(a.x, b.x, c.x);
  let y = vec3f(a.y, b.y, c.y);
  let z = vec3f(a.z, b.z, c.z);
  // Beyond one plane of the clip volume, which holds whatever the signs of w.
  if (all(x > w) || all(-x > w) || all(y > w) || all(-y > w) || all(z > w) || all(z < vec3f(0.0)) || all(w <= vec3f(0.0))) {
    return;
  }
  let size = vec2f(f32(run.width), f32(run.height));
  var columns = vec2f(0.0, size.x - 1.0);
  var rows = vec2f(0.0, size.y - 1.0);
  if (all(w > vec3f(0.0))) {
    columns = bounds(x, w, size.x);
    rows = bounds(-y, w, size.y);
  }

  // Scaled by a power of two, which is exact, so that the products below neither overflow nor vanish.
  let sizes = max(max(abs(x), abs(y)), abs(w));
  let largest = max(sizes.x, max(sizes.y, sizes.z));
  let exponent = clamp(bitcast<u32>(largest) >> 23u, 1u, 253u);
  let scale = bitcast<f32>((254u - exponent) << 23u);
  a *= scale;
  b *= scale;
  c *= scale;

  for (var row = u32(rows.x) + local.y; f32(row) <= rows.y; row += 8u) {
    for (var column = u32(columns.x) + local.x; f32(column) <= columns.y; column += 8u) {
      // The corners as seen from the centre, which is a whole number of half pixels and so exact.
      let centre = vec2f(f32(2u * column + 1u) - size.x, size.y - f32(2u * row + 1u));
      let p = vec3f(a.xy * size - centre * a.w, a.w);
      let q = vec3f(b.xy * size - centre * b.w, b.w);
      let r = vec3f(c.xy * size - centre * c.w, c.w);
      let edges = vec3f(area(q.xy, r.xy), area(r.xy, p.xy), area(p.xy, q.xy));
      let volume = dot(edges, scale * w);
      if (volume == 0.0) {
        continue;
      }
      let side = sign(volume);
      if ((run.cull == 1u && side > 0.0) || (run.cull == 2u && side < 0.0)) {
        continue;
      }
      if (!(inside(edges.x, q, r, side) && inside(edges.y, r, p, side) && inside(edges.z, p, q, side))) {
        continue;
      }
      let depth = dot(edges, scale * z) / volume;
      if (!(depth >= 0.0 && depth <= 1.0)) {
        continue;
      }
      // Bits of numbers that are not negative are ordered as the numbers; the mask takes the sign of −0.
      offer((view * run.height + row) * run.width + column, bitcast<u32>(depth) & 0x7fffffffu, rank);
    }
  }
}

fn offer(at: u32, bits: u32, rank: u32) {
  if (run.claiming == 0u) {
    if (run.greatest == 1u) {
      atomicMax(&depths[at], bits);
    } else {
      atomicMin(&depths[at], bits);
    }
  } else if (bits == atomicLoad(&depths[at]) && (run.orEqual == 1u || bits != claims[at].before)) {
    atomicMin(&claims[at].winner, select(rank, LAST_RANK - rank, run.orEqual == 1u));
  }
}

fn pixelAt(id: vec3u) -> u32 {
  return ((run.firstView + id.z) * run.height + id.y) * run.width + id.x;
}

// Ends a run: winners colour their pixels, and what is there now is what was there before the next run.
@compute @workgroup_size(8, 8)
fn resolve(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= run.width || id.y >= run.height) {
    return;
  }
  let at = pixelAt(id);
  let winner = atomicLoad(&claims[at].winner);
  if (winner != NOBODY) {
    let rank = select(winner, LAST_RANK - winner, run.orEqual == 1u);
    image[at] = colors[entries[run.firstEntry + rank]];
    atomicStore(&claims[at].winner, NOBODY);
  }
  claims[at].before = atomicLoad(&depths[at]);
}

@compute @workgroup_size(8, 8)
fn clear(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= run.width || id.y >= run.height) {
    return;
  }
  let at = pixelAt(id);
  image[at] = run.clearColor;
  atomicStore(&depths[at], run.clearDepth);
  atomicStore(&claims[at].winner, NOBODY);
  claims[at].before = run.clearDepth;
}
