// The samples of a grid whose cells a surface meets and that are in a solid, with the nearest triangle of that solid; the
// twin of surface-cells.ts, triangle-octree.ts and field/source/row-crossings.ts. Lengths are in spacings; the cell of node
// (i, j, k) reaches from (i, j, k) to (i + 1, j + 1, k + 1). Behind field/flood/triangle-distance.wgsl.

struct Frame {
  size: vec3u,
  surfaceCount: u32,
  // Of the solid's triangles, and leaves of the octree per spacing.
  boxMinimum: vec3f,
  solidCount: u32,
  boxScale: vec3f,
  levels: u32,
  // Whole numbers per spacing, for exact signs.
  scale: f32,
  sampleCount: u32,
  // Room for rounding of coordinates, in spacings.
  margin: f32,
}

struct Sample {
  node: u32,
  // In units of AREA_UNIT.
  area: u32,
  triangle: u32,
  padding: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
// Nine coordinates per triangle.
@group(0) @binding(1) var<storage, read> surface: array<f32>;
@group(0) @binding(2) var<storage, read> solid: array<f32>;
// By row and place along x: the change of the winding number before that place; later 1 for nodes in the solid.
@group(0) @binding(3) var<storage, read_write> windings: array<atomic<i32>>;
// By node: the area of surface in its cell, 0 in a cell without surface.
@group(0) @binding(4) var<storage, read_write> areas: array<atomic<u32>>;
// The number of all samples; then by row its samples, later the number of samples before it.
@group(0) @binding(5) var<storage, read_write> rows: array<u32>;
@group(0) @binding(6) var<storage, read_write> samples: array<Sample>;
// Six numbers per node of the octree: complements of the minimum and the maximum, as unsigned numbers in order; 0 is empty.
@group(0) @binding(7) var<storage, read_write> boxes: array<atomic<u32>>;
// By leaf: the first triangle of a chain, plus 1.
@group(0) @binding(8) var<storage, read_write> heads: array<atomic<u32>>;
@group(0) @binding(9) var<storage, read_write> next: array<u32>;

override LEVEL: u32 = 0u;

// Of squared spacings.
const AREA_UNIT = 1048576.0;
const STACK_SIZE = 56u;
// Squared sine below which a triangle is measured by its sides only.
const THIN_SINE_SQUARED = 1e-3;
const NO_TRIANGLE = 0xffffffffu;

fn surfaceCorner(triangle: u32, corner: u32) -> vec3f {
  let o = 9u * triangle + 3u * corner;
  return vec3f(surface[o], surface[o + 1u], surface[o + 2u]);
}

fn solidCorner(triangle: u32, corner: u32) -> vec3f {
  let o = 9u * triangle + 3u * corner;
  return vec3f(solid[o], solid[o + 1u], solid[o + 2u]);
}

// A product of whole numbers below 2²³ as high · 2²⁴ + middle · 2¹² + low.
fn product(a: i32, b: i32) -> vec3i {
  let aLow = a & 0xfff;
  let bLow = b & 0xfff;
  let aHigh = a >> 12u;
  let bHigh = b >> 12u;
  return vec3i(aHigh * bHigh, aHigh * bLow + aLow * bHigh, aLow * bLow);
}

// Twice the area of the triangle of an edge and a point in the plane of y and z: exact, with the middle and low parts
// positive.
fn turn(a: vec2i, b: vec2i, p: vec2i) -> vec3i {
  let d = b - a;
  let e = p - a;
  var sum = product(d.x, e.y) - product(d.y, e.x);
  sum.y += sum.z >> 12u;
  sum.z &= 0xfff;
  sum.x += sum.y >> 12u;
  sum.y &= 0xfff;
  return sum;
}

// The side of a point as if it lay at (y + ε, z + ε²); 0 for an edge without length.
fn sideOf(value: vec3i, a: vec2i, b: vec2i) -> i32 {
  if (value.x < 0) {
    return -1;
  }
  if (any(value != vec3i(0))) {
    return 1;
  }
  let d = b - a;
  return select(sign(-d.y), sign(d.x), d.y == 0);
}

fn toFloat(value: vec3i) -> f32 {
  return abs(16777216.0 * f32(value.x) + (4096.0 * f32(value.y) + f32(value.z)));
}

// One workgroup per triangle of the solid.
@compute @workgroup_size(64)
fn crossSolid(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let triangle = group.y * groups.x + group.x;
  if (triangle >= frame.solidCount) {
    return;
  }
  let a = solidCorner(triangle, 0u);
  let b = solidCorner(triangle, 1u);
  let c = solidCorner(triangle, 2u);
  let low = vec2i(floor(min(a.yz, min(b.yz, c.yz)) - 1.0));
  let high = vec2i(ceil(max(a.yz, max(b.yz, c.yz)) + 1.0));
  let first = max(low, vec2i(0));
  let last = min(high, vec2i(frame.size.yz) - 1);
  if (any(first > last)) {
    return;
  }
  let sides = vec2u(last - first) + 1u;
  let ia = vec2i(round(a.yz * frame.scale));
  let ib = vec2i(round(b.yz * frame.scale));
  let ic = vec2i(round(c.yz * frame.scale));
  for (var n = thread; n < sides.x * sides.y; n += 64u) {
    let place = vec2u(first) + vec2u(n % sides.x, n / sides.x);
    let p = vec2i((vec2f(place) + 0.5) * frame.scale);
    let ofC = turn(ia, ib, p);
    let ofA = turn(ib, ic, p);
    let ofB = turn(ic, ia, p);
    let side = sideOf(ofC, ia, ib);
    if (side == 0 || sideOf(ofA, ib, ic) != side || sideOf(ofB, ic, ia) != side) {
      continue;
    }
    let weights = vec3f(toFloat(ofA), toFloat(ofB), toFloat(ofC));
    let total = weights.x + weights.y + weights.z;
    if (total == 0.0) {
      continue;
    }
    let x = dot(weights / total, vec3f(a.x, b.x, c.x));
    let before = u32(clamp(ceil(x - 0.5), 0.0, f32(frame.size.x)));
    if (before > 0u) {
      let row = place.x + frame.size.y * place.y;
      atomicAdd(&windings[(frame.size.x + 1u) * row + before], side);
    }
  }
}

// One thread per row.
@compute @workgroup_size(64)
fn sumRows(@builtin(global_invocation_id) id: vec3u) {
  let row = id.x;
  if (row >= frame.size.y * frame.size.z) {
    return;
  }
  let first = (frame.size.x + 1u) * row;
  var sum = atomicLoad(&windings[first + frame.size.x]);
  for (var i = frame.size.x; i > 0u; i--) {
    let step = atomicLoad(&windings[first + i - 1u]);
    atomicStore(&windings[first + i - 1u], select(0, 1, sum > 0));
    sum += step;
  }
}

var<private> corners: array<vec3f, 10>;
var<private> kept: array<vec3f, 10>;

// The area of a triangle in the cell at `low`, in squared spacings; negative where the cell is missed.
fn areaIn(a: vec3f, b: vec3f, c: vec3f, low: vec3f) -> f32 {
  corners[0] = a - low;
  corners[1] = b - low;
  corners[2] = c - low;
  var count = 3u;
  for (var plane = 0u; plane < 6u; plane++) {
    let axis = plane >> 1u;
    let isHigh = (plane & 1u) == 1u;
    var keptCount = 0u;
    var before = corners[count - 1u];
    var beforeOut = select(-frame.margin - before[axis], before[axis] - 1.0 - frame.margin, isHigh);
    for (var n = 0u; n < count; n++) {
      let here = corners[n];
      let out = select(-frame.margin - here[axis], here[axis] - 1.0 - frame.margin, isHigh);
      if ((out > 0.0) != (beforeOut > 0.0) && keptCount < 10u) {
        kept[keptCount] = before + (beforeOut / (beforeOut - out)) * (here - before);
        keptCount++;
      }
      if (out <= 0.0 && keptCount < 10u) {
        kept[keptCount] = here;
        keptCount++;
      }
      before = here;
      beforeOut = out;
    }
    count = keptCount;
    if (count == 0u) {
      return -1.0;
    }
    corners = kept;
  }
  var sum = vec3f(0.0);
  for (var n = 2u; n < count; n++) {
    sum += cross(corners[n - 1u] - corners[0], corners[n] - corners[0]);
  }
  return 0.5 * length(sum);
}

// One workgroup per triangle of the surface.
@compute @workgroup_size(64)
fn markSurface(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let triangle = group.y * groups.x + group.x;
  if (triangle >= frame.surfaceCount) {
    return;
  }
  let a = surfaceCorner(triangle, 0u);
  let b = surfaceCorner(triangle, 1u);
  let c = surfaceCorner(triangle, 2u);
  let first = max(vec3i(floor(min(a, min(b, c)) - frame.margin)), vec3i(0));
  let last = min(vec3i(floor(max(a, max(b, c)) + frame.margin)), vec3i(frame.size) - 1);
  if (any(first > last)) {
    return;
  }
  let normal = cross(b - a, c - a);
  let size = abs(normal);
  var w = 2u;
  if (size.x >= size.y && size.x >= size.z) {
    w = 0u;
  } else if (size.y >= size.z) {
    w = 1u;
  }
  if (size[w] == 0.0) {
    return;
  }
  let u = (w + 1u) % 3u;
  let v = (w + 2u) % 3u;
  let slopeU = normal[u] / normal[w];
  let slopeV = normal[v] / normal[w];
  // The plane of the triangle over one cell, and room for the rounding of steep differences.
  let half = 0.5 * (abs(slopeU) + abs(slopeV)) + 8.0 * frame.margin;
  let sideU = u32(last[u] - first[u]) + 1u;
  let sideV = u32(last[v] - first[v]) + 1u;
  for (var n = thread; n < sideU * sideV; n += 64u) {
    var cell = first;
    cell[u] += i32(n % sideU);
    cell[v] += i32(n / sideU);
    let at = a[w] - slopeU * (f32(cell[u]) + 0.5 - a[u]) - slopeV * (f32(cell[v]) + 0.5 - a[v]);
    let lowest = max(first[w], i32(floor(at - half)));
    let highest = min(last[w], i32(floor(at + half)));
    for (var k = lowest; k <= highest; k++) {
      cell[w] = k;
      let place = vec3u(cell);
      let row = place.y + frame.size.y * place.z;
      if (atomicLoad(&windings[(frame.size.x + 1u) * row + place.x]) == 0) {
        continue;
      }
      let area = areaIn(a, b, c, vec3f(cell));
      if (area >= 0.0) {
        atomicAdd(&areas[frame.size.x * row + place.x], max(1u, u32(area * AREA_UNIT + 0.5)));
      }
    }
  }
}

// One thread per row.
@compute @workgroup_size(64)
fn countRows(@builtin(global_invocation_id) id: vec3u) {
  let row = id.x;
  if (row >= frame.size.y * frame.size.z) {
    return;
  }
  var count = 0u;
  for (var i = 0u; i < frame.size.x; i++) {
    count += select(0u, 1u, atomicLoad(&areas[frame.size.x * row + i]) != 0u);
  }
  rows[row + 1u] = count;
}

var<workgroup> sums: array<u32, 256>;

// One workgroup: every thread sums up a part of the rows.
@compute @workgroup_size(256)
fn placeRows(@builtin(local_invocation_index) thread: u32) {
  let count = frame.size.y * frame.size.z;
  let share = (count + 255u) / 256u;
  let first = min(count, thread * share);
  let end = min(count, first + share);
  var sum = 0u;
  for (var row = first; row < end; row++) {
    sum += rows[row + 1u];
  }
  sums[thread] = sum;
  workgroupBarrier();
  var before = 0u;
  for (var other = 0u; other < thread; other++) {
    before += sums[other];
  }
  for (var row = first; row < end; row++) {
    let held = rows[row + 1u];
    rows[row + 1u] = before;
    before += held;
  }
  if (thread == 255u) {
    rows[0] = before;
  }
}

// One thread per row.
@compute @workgroup_size(64)
fn writeSamples(@builtin(global_invocation_id) id: vec3u) {
  let row = id.x;
  if (row >= frame.size.y * frame.size.z) {
    return;
  }
  var at = rows[row + 1u];
  for (var i = 0u; i < frame.size.x; i++) {
    let area = atomicLoad(&areas[frame.size.x * row + i]);
    if (area != 0u) {
      samples[at] = Sample(frame.size.x * row + i, area, 0u, 0u);
      at++;
    }
  }
}

// Floating-point numbers as unsigned ones in the same order.
fn ordered(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  return bits ^ select(0x80000000u, 0xffffffffu, (bits & 0x80000000u) != 0u);
}

fn unordered(x: u32) -> f32 {
  return bitcast<f32>(x ^ select(0xffffffffu, 0x80000000u, (x & 0x80000000u) != 0u));
}

fn spreadBits(value: u32) -> u32 {
  var x = value;
  x = (x | (x << 8u)) & 0x0300f00fu;
  x = (x | (x << 4u)) & 0x030c30c3u;
  return (x | (x << 2u)) & 0x09249249u;
}

fn firstOfLevel(level: u32) -> u32 {
  return ((1u << (3u * level)) - 1u) / 7u;
}

// One thread per triangle of the solid.
@compute @workgroup_size(64)
fn insertTriangles(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let triangle = id.y * 64u * groups.x + id.x;
  if (triangle >= frame.solidCount) {
    return;
  }
  let a = solidCorner(triangle, 0u);
  let b = solidCorner(triangle, 1u);
  let c = solidCorner(triangle, 2u);
  let low = min(a, min(b, c));
  let high = max(a, max(b, c));
  let side = 1u << frame.levels;
  let middle = (0.5 * (low + high) - frame.boxMinimum) * frame.boxScale;
  let place = vec3u(clamp(middle, vec3f(0.0), vec3f(f32(side) - 1.0)));
  let leaf = spreadBits(place.x) | (spreadBits(place.y) << 1u) | (spreadBits(place.z) << 2u);
  next[triangle] = atomicExchange(&heads[leaf], triangle + 1u);
  let box = 6u * (firstOfLevel(frame.levels) + leaf);
  for (var axis = 0u; axis < 3u; axis++) {
    atomicMax(&boxes[box + axis], ~ordered(low[axis]));
    atomicMax(&boxes[box + 3u + axis], ordered(high[axis]));
  }
}

// One thread per node of a level: the boxes of its children, joined.
@compute @workgroup_size(64)
fn joinBoxes(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= 1u << (3u * LEVEL)) {
    return;
  }
  let node = firstOfLevel(LEVEL) + id.x;
  for (var part = 0u; part < 6u; part++) {
    var most = 0u;
    for (var child = 1u; child <= 8u; child++) {
      most = max(most, atomicLoad(&boxes[6u * (8u * node + child) + part]));
    }
    atomicStore(&boxes[6u * node + part], most);
  }
}

fn squareToBox(p: vec3f, node: u32) -> f32 {
  let box = 6u * node;
  let last = atomicLoad(&boxes[box + 3u]);
  if (last == 0u) {
    return -1.0;
  }
  let low = vec3f(
    unordered(~atomicLoad(&boxes[box])),
    unordered(~atomicLoad(&boxes[box + 1u])),
    unordered(~atomicLoad(&boxes[box + 2u])),
  );
  let high = vec3f(unordered(last), unordered(atomicLoad(&boxes[box + 4u])), unordered(atomicLoad(&boxes[box + 5u])));
  let d = max(max(low - p, p - high), vec3f(0.0));
  return dot(d, d);
}

// One thread per sample.
@compute @workgroup_size(64)
fn measureSamples(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let at = id.y * 64u * groups.x + id.x;
  if (at >= frame.sampleCount) {
    return;
  }
  let node = samples[at].node;
  let row = node / frame.size.x;
  let p = vec3f(vec3u(node % frame.size.x, row % frame.size.y, row / frame.size.y)) + 0.5;
  let firstLeaf = firstOfLevel(frame.levels);
  var best = 3e38;
  var found = NO_TRIANGLE;
  var waiting: array<u32, STACK_SIZE>;
  var bounds: array<f32, STACK_SIZE>;
  waiting[0] = 0u;
  bounds[0] = 0.0;
  var top = 1u;
  while (top > 0u) {
    top--;
    if (bounds[top] > best) {
      continue;
    }
    let here = waiting[top];
    if (here >= firstLeaf) {
      var triangle = atomicLoad(&heads[here - firstLeaf]);
      while (triangle != 0u) {
        let number = triangle - 1u;
        let a = solidCorner(number, 0u);
        let b = solidCorner(number, 1u);
        let c = solidCorner(number, 2u);
        let u = b - a;
        let v = c - a;
        let normal = cross(u, v);
        let isThin = dot(normal, normal) <= THIN_SINE_SQUARED * dot(u, u) * dot(v, v);
        let square = squareToTriangle(p, a, b, c, isThin);
        if (square < best || (square == best && number < found)) {
          best = square;
          found = number;
        }
        triangle = next[number];
      }
      continue;
    }
    let start = top;
    for (var child = 1u; child <= 8u; child++) {
      let square = squareToBox(p, 8u * here + child);
      if (square < 0.0 || square > best) {
        continue;
      }
      // The nearest on top.
      var slot = top;
      top++;
      while (slot > start && bounds[slot - 1u] < square) {
        bounds[slot] = bounds[slot - 1u];
        waiting[slot] = waiting[slot - 1u];
        slot--;
      }
      bounds[slot] = square;
      waiting[slot] = 8u * here + child;
    }
  }
  samples[at].triangle = found;
}
