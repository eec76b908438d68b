// A linear bounding volume hierarchy over the triangles that reach into the boxes of other objects, built and traversed in
// one go (Karras 2012): filter, Morton codes, radix sort, tree, boxes, pairs. Coordinates run from 0 to 1; bits of floats
// that are not negative are ordered like the floats. Boxes are grown by PAD, which covers the rounding of coordinates.

struct Frame {
  triangleCount: u32,
  // 1: every triangle is kept, and pairs within an object count.
  selfCollision: u32,
  // 1: pairs that a plane separates are left out.
  separates: u32,
  pairCapacity: u32,
  // Places in `output`, in words.
  objectFlags: u32,
  pairFlags: u32,
  pairs: u32,
  // The digit that a sorting pass looks at.
  shift: u32,
  mortonOrigin: vec3f,
  objectPairCount: u32,
  mortonScale: vec3f,
}

// The common part of the boxes of two objects.
struct Overlap {
  low: vec3f,
  other: u32,
  high: vec3f,
  // The number of the pair of objects.
  pair: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> positions: array<f32>;
@group(0) @binding(2) var<storage, read> corners: array<u32>;
@group(0) @binding(3) var<storage, read> objectOf: array<u32>;
@group(0) @binding(4) var<storage, read> overlapStarts: array<u32>;
@group(0) @binding(5) var<storage, read> overlaps: array<Overlap>;
// Code and triangle.
@group(0) @binding(6) var<storage, read_write> source: array<vec2u>;
@group(0) @binding(7) var<storage, read_write> sorted: array<vec2u>;
// Of each digit, for each block of keys.
@group(0) @binding(8) var<storage, read_write> histogram: array<u32>;
// Children of a node (leaves with the highest bit set), the last slot of the left child, and of the right.
@group(0) @binding(9) var<storage, read_write> links: array<vec4u>;
// Of nodes, then of leaves.
@group(0) @binding(10) var<storage, read_write> parents: array<u32>;
// Of nodes: least x, y, z, object, greatest x, y, z, object. The second binding is the same memory.
@group(0) @binding(11) var<storage, read_write> bounds: array<atomic<u32>>;
@group(0) @binding(12) var<storage, read> nodeBounds: array<vec4u>;
// Of leaves: least x, y, z, object, greatest x, y, z, triangle.
@group(0) @binding(13) var<storage, read_write> leafBounds: array<vec4u>;
// Kept triangles, candidates, pairs; then flags of objects and of pairs of objects; then the
// pairs of triangles: the number of their objects' pair, the triangles.
@group(0) @binding(14) var<storage, read_write> output: array<atomic<u32>>;

const PAD = 1.1920929e-7;
const KEPT = 0u;
const CANDIDATES = 1u;
const PAIRS = 2u;
const LEAF = 0x80000000u;
const NONE = 0xffffffffu;
const DIGITS = 256u;
const BLOCK = 1024u;
const CELLS = 1024.0;

fn corner(triangle: u32, k: u32) -> vec3f {
  let at = 3u * corners[3u * triangle + k];
  return vec3f(positions[at], positions[at + 1u], positions[at + 2u]);
}

// Ten bits, each followed by two zeros.
fn spreadBits(value: u32) -> u32 {
  var x = value;
  x = (x | (x << 16u)) & 0x030000ffu;
  x = (x | (x << 8u)) & 0x0300f00fu;
  x = (x | (x << 4u)) & 0x030c30c3u;
  return (x | (x << 2u)) & 0x09249249u;
}

fn mortonCode(p: vec3f) -> u32 {
  let cell = vec3u(clamp((p - frame.mortonOrigin) * frame.mortonScale, vec3f(0.0), vec3f(CELLS - 1.0)));
  return spreadBits(cell.x) | (spreadBits(cell.y) << 1u) | (spreadBits(cell.z) << 2u);
}

var<workgroup> groupKept: atomic<u32>;
var<workgroup> groupStart: u32;

// Keeps the triangles that reach into an overlap of their object's box with another's.
@compute @workgroup_size(256)
fn keepTriangles(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
  let triangle = id.x;
  var keeps = false;
  var code = 0u;
  var object = 0u;
  if (triangle < frame.triangleCount) {
    object = objectOf[triangle];
    let a = corner(triangle, 0u);
    let b = corner(triangle, 1u);
    let c = corner(triangle, 2u);
    let low = min(a, min(b, c)) - PAD;
    let high = max(a, max(b, c)) + PAD;
    keeps = frame.selfCollision == 1u;
    for (var i = overlapStarts[object]; i < overlapStarts[object + 1u] && !keeps; i++) {
      keeps = all(low <= overlaps[i].high) && all(high >= overlaps[i].low);
    }
    code = mortonCode(0.5 * (low + high));
  }
  var place = 0u;
  if (keeps) {
    place = atomicAdd(&groupKept, 1u);
  }
  workgroupBarrier();
  if (local == 0u) {
    groupStart = atomicAdd(&output[KEPT], atomicLoad(&groupKept));
  }
  workgroupBarrier();
  if (keeps) {
    source[groupStart + place] = vec2u(code, triangle);
    atomicStore(&output[frame.objectFlags + object], 1u);
  }
}

var<workgroup> counts: array<atomic<u32>, DIGITS>;

fn digitOf(code: u32) -> u32 {
  return (code >> frame.shift) & (DIGITS - 1u);
}

@compute @workgroup_size(256)
fn countDigits(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
  let kept = atomicLoad(&output[KEPT]);
  let blocks = (kept + BLOCK - 1u) / BLOCK;
  for (var i = group.x * BLOCK + local; i < min(kept, (group.x + 1u) * BLOCK); i += 256u) {
    atomicAdd(&counts[digitOf(source[i].x)], 1u);
  }
  workgroupBarrier();
  // There is a workgroup for every block that there could be.
  if (group.x < blocks) {
    histogram[local * blocks + group.x] = atomicLoad(&counts[local]);
  }
}

var<workgroup> totals: array<u32, DIGITS>;

// Where each block puts the keys of each digit. One workgroup; a thread for each digit.
@compute @workgroup_size(256)
fn scanDigits(@builtin(local_invocation_index) local: u32) {
  let blocks = (atomicLoad(&output[KEPT]) + BLOCK - 1u) / BLOCK;
  var total = 0u;
  for (var block = 0u; block < blocks; block++) {
    total += histogram[local * blocks + block];
  }
  totals[local] = total;
  for (var step = 1u; step < DIGITS; step *= 2u) {
    workgroupBarrier();
    var before = 0u;
    if (local >= step) {
      before = totals[local - step];
    }
    workgroupBarrier();
    totals[local] += before;
  }
  var start = totals[local] - total;
  for (var block = 0u; block < blocks; block++) {
    let at = local * blocks + block;
    let count = histogram[at];
    histogram[at] = start;
    start += count;
  }
}

var<workgroup> tileDigits: array<u32, 256>;
var<workgroup> starts: array<u32, DIGITS>;

// Moves keys to their places; equal ones keep their order.
@compute @workgroup_size(256)
fn scatterKeys(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
  let kept = atomicLoad(&output[KEPT]);
  let blocks = (kept + BLOCK - 1u) / BLOCK;
  if (group.x < blocks) {
    starts[local] = histogram[local * blocks + group.x];
  }
  for (var tile = 0u; tile < BLOCK; tile += 256u) {
    let i = group.x * BLOCK + tile + local;
    var key = vec2u(0u);
    var digit = NONE;
    if (i < kept) {
      key = source[i];
      digit = digitOf(key.x);
    }
    tileDigits[local] = digit;
    workgroupBarrier();
    var rank = 0u;
    var same = 0u;
    for (var other = 0u; other < 256u; other++) {
      let isSame = u32(tileDigits[other] == digit);
      same += isSame;
      rank += select(0u, isSame, other < local);
    }
    var start = 0u;
    if (i < kept) {
      start = starts[digit];
      sorted[start + rank] = key;
    }
    workgroupBarrier();
    if (i < kept && rank + 1u == same) {
      starts[digit] = start + same;
    }
    workgroupBarrier();
  }
}

// The length of the common prefix of two codes; equal codes are told apart by their slots.
fn prefix(code: u32, slot: i32, other: i32, kept: i32) -> i32 {
  if (other < 0 || other >= kept) {
    return -1;
  }
  let change = code ^ source[other].x;
  if (change == 0u) {
    return 32 + i32(countLeadingZeros(u32(slot) ^ u32(other)));
  }
  return i32(countLeadingZeros(change));
}

// The inner node that begins or ends at a slot (Karras 2012, Fig. 4), with an empty box.
@compute @workgroup_size(256)
fn buildNodes(@builtin(global_invocation_id) id: vec3u) {
  let kept = i32(atomicLoad(&output[KEPT]));
  let slot = i32(id.x);
  if (slot >= kept - 1) {
    return;
  }
  let code = source[slot].x;
  let way = select(-1, 1, prefix(code, slot, slot + 1, kept) > prefix(code, slot, slot - 1, kept));
  let least = prefix(code, slot, slot - way, kept);
  var most = 2;
  while (prefix(code, slot, slot + most * way, kept) > least) {
    most *= 2;
  }
  var reach = 0;
  for (var step = most / 2; step >= 1; step /= 2) {
    if (prefix(code, slot, slot + (reach + step) * way, kept) > least) {
      reach += step;
    }
  }
  let end = slot + reach * way;
  let known = prefix(code, slot, end, kept);
  var split = 0;
  var step = reach;
  loop {
    step = (step + 1) / 2;
    if (prefix(code, slot, slot + (split + step) * way, kept) > known) {
      split += step;
    }
    if (step == 1 || step == 0) {
      break;
    }
  }
  let cut = u32(slot + split * way + min(way, 0));
  let first = u32(min(slot, end));
  let last = u32(max(slot, end));
  let leaves = u32(kept) - 1u;
  var left = cut;
  var right = cut + 1u;
  parents[select(left, leaves + left, first == cut)] = id.x;
  parents[select(right, leaves + right, last == cut + 1u)] = id.x;
  if (first == cut) {
    left |= LEAF;
  }
  if (last == cut + 1u) {
    right |= LEAF;
  }
  links[slot] = vec4u(left, right, cut, last);
  for (var k = 0u; k < 4u; k++) {
    atomicStore(&bounds[8u * id.x + k], NONE);
    atomicStore(&bounds[8u * id.x + 4u + k], 0u);
  }
}

// Boxes of the leaves, then of the nodes above. A leaf climbs while it widens a node. Whatever bound a node ends with was
// carried to its parent by the leaf that set it, so every bound arrives at the root in any order of execution.
@compute @workgroup_size(256)
fn fitBoxes(@builtin(global_invocation_id) id: vec3u) {
  let kept = atomicLoad(&output[KEPT]);
  let slot = id.x;
  if (slot >= kept) {
    return;
  }
  let triangle = source[slot].y;
  let a = corner(triangle, 0u);
  let b = corner(triangle, 1u);
  let c = corner(triangle, 2u);
  let low = bitcast<vec3u>(max(min(a, min(b, c)) - PAD, vec3f(0.0)));
  let high = bitcast<vec3u>(max(a, max(b, c)) + PAD);
  let object = objectOf[triangle];
  leafBounds[2u * slot] = vec4u(low, object);
  leafBounds[2u * slot + 1u] = vec4u(high, triangle);
  if (kept < 2u) {
    return;
  }
  var node = parents[kept - 1u + slot];
  for (var level = 0u; level < 64u; level++) {
    let at = 8u * node;
    var widens = atomicMin(&bounds[at], low.x) > low.x;
    widens = (atomicMin(&bounds[at + 1u], low.y) > low.y) || widens;
    widens = (atomicMin(&bounds[at + 2u], low.z) > low.z) || widens;
    widens = (atomicMin(&bounds[at + 3u], object) > object) || widens;
    widens = (atomicMax(&bounds[at + 4u], high.x) < high.x) || widens;
    widens = (atomicMax(&bounds[at + 5u], high.y) < high.y) || widens;
    widens = (atomicMax(&bounds[at + 6u], high.z) < high.z) || widens;
    // An object's number is one more here: 0 stands for no object.
    widens = (atomicMax(&bounds[at + 7u], object + 1u) < object + 1u) || widens;
    if (!widens || node == 0u) {
      break;
    }
    node = parents[node];
  }
}

fn overlap(low: vec3u, high: vec3u, otherLow: vec3u, otherHigh: vec3u) -> bool {
  return all(low <= otherHigh) && all(otherLow <= high);
}

fn largest(v: vec3f) -> f32 {
  return max(abs(v.x), max(abs(v.y), abs(v.z)));
}

// Whether the plane of one triangle has all of the other on one side, beyond doubt: the bound covers the rounding of the
// coordinates (2⁻²⁴) and of this function. See docs/culling.md.
fn planeSeparates(one: u32, other: u32) -> bool {
  let a = corner(one, 0u);
  let u = corner(one, 1u) - a;
  let v = corner(one, 2u) - a;
  let p = corner(other, 0u) - a;
  let q = corner(other, 1u) - a;
  let r = corner(other, 2u) - a;
  let normal = cross(u, v);
  let side = max(largest(u), largest(v)) + 2.0 * PAD;
  let far = max(largest(p), max(largest(q), largest(r))) + 2.0 * PAD;
  let doubt = 7.6293945e-6 * side * (side + far);
  let heights = vec3f(dot(normal, p), dot(normal, q), dot(normal, r));
  return all(heights > vec3f(doubt)) || all(heights < vec3f(-doubt));
}

fn shareCorner(one: u32, other: u32) -> bool {
  let mine = vec3u(corners[3u * one], corners[3u * one + 1u], corners[3u * one + 2u]);
  for (var k = 0u; k < 3u; k++) {
    if (any(mine == vec3u(corners[3u * other + k]))) {
      return true;
    }
  }
  return false;
}

// Two triangles whose boxes overlap.
fn addCandidate(one: u32, object: u32, other: u32, otherObject: u32) {
  // Pairs of objects have numbers, and after them the single objects.
  var pair = frame.objectPairCount + object;
  if (object == otherObject) {
    if (frame.selfCollision == 0u || shareCorner(one, other)) {
      return;
    }
  } else {
    let first = overlapStarts[object];
    let end = overlapStarts[object + 1u];
    pair = NONE;
    for (var i = first; i < end; i++) {
      if (overlaps[i].other == otherObject) {
        pair = overlaps[i].pair;
        break;
      }
    }
    if (pair == NONE) {
      return;
    }
    atomicStore(&output[frame.pairFlags + pair], 1u);
  }
  atomicAdd(&output[CANDIDATES], 1u);
  if (frame.separates == 1u && (planeSeparates(one, other) || planeSeparates(other, one))) {
    return;
  }
  let place = atomicAdd(&output[PAIRS], 1u);
  if (place < frame.pairCapacity) {
    let at = frame.pairs + 3u * place;
    atomicStore(&output[at], pair);
    atomicStore(&output[at + 1u], min(one, other));
    atomicStore(&output[at + 2u], max(one, other));
  }
}

// Every leaf against the leaves after it.
@compute @workgroup_size(64)
fn findPairs(@builtin(global_invocation_id) id: vec3u) {
  let kept = atomicLoad(&output[KEPT]);
  let slot = id.x;
  if (slot + 1u >= kept) {
    return;
  }
  let own = leafBounds[2u * slot];
  let ownHigh = leafBounds[2u * slot + 1u];
  let object = own.w;
  // Prefixes grow along a path, up to 64, so the stack holds no more than that.
  var stack: array<u32, 64>;
  var top = 0u;
  var node = 0u;
  loop {
    let link = links[node];
    var next = NONE;
    for (var side = 0u; side < 2u; side++) {
      let child = select(link.x, link.y, side == 1u);
      let last = select(link.z, link.w, side == 1u);
      if (last <= slot) {
        continue;
      }
      if ((child & LEAF) != 0u) {
        let at = 2u * (child & ~LEAF);
        let low = leafBounds[at];
        let high = leafBounds[at + 1u];
        if (overlap(own.xyz, ownHigh.xyz, low.xyz, high.xyz)) {
          addCandidate(ownHigh.w, object, high.w, low.w);
        }
        continue;
      }
      let low = nodeBounds[2u * child];
      let high = nodeBounds[2u * child + 1u];
      let isOwn = low.w == object && high.w == object + 1u && frame.selfCollision == 0u;
      if (isOwn || !overlap(own.xyz, ownHigh.xyz, low.xyz, high.xyz)) {
        continue;
      }
      if (next == NONE) {
        next = child;
      } else {
        stack[top] = child;
        top++;
      }
    }
    if (next == NONE) {
      if (top == 0u) {
        break;
      }
      top--;
      next = stack[top];
    }
    node = next;
  }
}
