// One pass of jump flooding. A thread processes nodes one step apart along the last axis, one after the other, in the
// plane two side by side: each row (in space each layer) of neighbors is read and unpacked once and used for three of
// them. The nearest site is the least key: the squared distance, with the neighbor's number in the bits below, so that
// ties go to the first neighbor.

struct Flood {
  size: vec3u,
  // A power of two.
  step: u32,
}

@group(0) @binding(0) var<uniform> flood: Flood;
@group(0) @binding(1) var<storage, read> before: array<u32>;
@group(0) @binding(2) var<storage, read_write> after: array<u32>;

// See jump-flood.ts: a node without a site is just very far, if no key can be mistaken for it.
const NO_SITE_PLANE = 0xe001u;
// Nodes per thread.
override CHAIN: u32 = 8u;
// Whether nodes without a site need a test: in planes of more than 4096 nodes per side.
override IS_WIDE: bool = false;
// Larger than 16 times every squared distance in a plane of 8192 nodes per side: 2 · (4 · 8191)² < 2³¹.
const FAR = 0x80000000u;

fn least(keys: vec3u) -> u32 {
  return min(min(keys.x, keys.y), keys.z);
}

// The key of a site at the node that held it, and its changes toward the nodes around; coordinates times 4, squares
// times 16, intermediate results modulo 2³²: (d ± jump)² = d² ± 2 · d · jump + jump².
struct PlaneSite {
  own: u32,
  alongX: u32,
  // For the row before, its own and the row after.
  alongY: vec3u,
}

fn measureInPlane(at: u32, x: u32, y: u32, jump: u32) -> PlaneSite {
  let site = before[at];
  // Without the mark of NO_SITE_PLANE: the lowest bits hold the neighbor.
  let dx = (site & 0xfffcu) - x;
  let dy = (site >> 16u) - y;
  let square = jump * jump;
  if (IS_WIDE && site == NO_SITE_PLANE) {
    return PlaneSite(FAR, square, vec3u(square, 0u, square));
  }
  let alongY = dy * (2u * jump);
  return PlaneSite(dy * dy + dx * dx, dx * (2u * jump), vec3u(square + alongY, 0u, square - alongY));
}

// The least keys of three sites of a row at the node in their middle and at those before and after it along y.
fn rowKeysInPlane(low: PlaneSite, middle: PlaneSite, high: PlaneSite, square: u32) -> vec3u {
  return min(
    min(low.alongY + vec3u(low.own - low.alongX + square), middle.alongY + vec3u(middle.own + 1u)),
    high.alongY + vec3u(high.own + high.alongX + square + 2u),
  );
}

// The same for two nodes of a row, one step apart along x.
fn pairKeys(at: u32, left: u32, right: vec2u, x: u32, y: u32, jump: u32) -> array<vec3u, 2> {
  let a = measureInPlane(at - left, x - jump, y, jump);
  let b = measureInPlane(at, x, y, jump);
  let c = measureInPlane(at + right.x, x + jump, y, jump);
  let d = measureInPlane(at + right.y, x + 2u * jump, y, jump);
  let square = jump * jump;
  return array(rowKeysInPlane(a, b, c, square), rowKeysInPlane(b, c, d, square));
}

// Takes the site of the neighbor in a key.
fn takeInPlane(at: u32, key: u32, left: u32, right: u32, jump: u32) {
  let column = select(select(0u, right, (key & 3u) == 2u), 0u - left, (key & 3u) == 0u);
  after[at] = before[at + ((key >> 2u) & 3u) * jump - jump + column];
}

// Sides up to 8192 nodes.
@compute @workgroup_size(128)
fn floodPlane(@builtin(global_invocation_id) thread: vec3u) {
  let size = flood.size;
  let step = flood.step;
  let stepBits = firstTrailingBit(step);
  let firstX = (thread.x & (step - 1u)) + (thread.x >> stepBits) * step * 2u;
  let first = (thread.y & (step - 1u)) + (thread.y >> stepBits) * step * CHAIN;
  if (firstX >= size.x || first >= size.y) {
    return;
  }
  // Beyond the border a node replaces its missing neighbor, which changes no result.
  let left = select(0u, step, firstX >= step);
  let isPair = firstX + step < size.x;
  let next = select(0u, step, isPair);
  let right = vec2u(next, select(next, 2u * step, firstX + 2u * step < size.x));
  let jump = step * size.x;
  let jumpY = step << 2u;
  let x = firstX << 2u;
  var y = first << 2u;
  var at = first * size.x + firstX;
  var above = array(0xffffffffu, 0xffffffffu);
  if (first >= step) {
    let row = pairKeys(at - jump, left, right, x, y - jumpY, jumpY);
    above = array(row[0].z, row[1].z);
  }
  var row = pairKeys(at, left, right, x, y, jumpY);
  let end = min(size.y, first + step * CHAIN);
  for (var line = first; line < end; line += step) {
    var keys = array(min(above[0], row[0].y + 4u), min(above[1], row[1].y + 4u));
    above = array(row[0].z, row[1].z);
    y += jumpY;
    if (line + step < size.y) {
      row = pairKeys(at + jump, left, right, x, y, jumpY);
      keys = array(min(keys[0], row[0].x + 8u), min(keys[1], row[1].x + 8u));
    }
    takeInPlane(at, keys[0], left, next, jump);
    if (isPair) {
      takeInPlane(at + step, keys[1], step, right.y - next, jump);
    }
    at += jump;
  }
}

// For any side, one node per thread.
@compute @workgroup_size(128)
fn floodLargePlane(@builtin(global_invocation_id) node: vec3u) {
  let size = flood.size;
  let step = flood.step;
  if (node.x >= size.x) {
    return;
  }
  let low = select(node.xy, node.xy - step, node.xy >= vec2u(step));
  let high = select(node.xy, node.xy + step, node.xy + step < size.xy);
  var best = NO_SITE_PLANE;
  var shortest = 0xffffffffu;
  for (var y = low.y; y <= high.y; y += step) {
    for (var x = low.x; x <= high.x; x += step) {
      let site = before[y * size.x + x];
      let d = vec2u((site & 0xffffu) >> 2u, site >> 18u) - node.xy;
      let distance = d.x * d.x + d.y * d.y;
      if (site != NO_SITE_PLANE && distance < shortest) {
        shortest = distance;
        best = site;
      }
    }
  }
  after[node.y * size.x + node.x] = best;
}

// The offsets from a node to its neighbors before and after it along x and y.
struct Ways {
  left: u32,
  right: u32,
  up: u32,
  down: u32,
}

// Coordinates times 8, squares times 64.
fn rowKeys(at: u32, ways: Ways, place: vec3u, row: u32, jump: u32) -> vec3u {
  let sites = vec3u(before[at - ways.left], before[at], before[at + ways.right]);
  let dx = ((sites << vec3u(3u)) & vec3u(0x1ff8u)) - vec3u(place.x);
  let dy = ((sites >> vec3u(7u)) & vec3u(0x1ff8u)) - vec3u(place.y);
  let dz = ((sites >> vec3u(17u)) & vec3u(0x7ff8u)) - vec3u(place.z);
  let own = dz * dz + (dy * dy + (dx * dx + vec3u(row, row + 1u, row + 2u)));
  let other = own + vec3u(jump * jump);
  return vec3u(least(dz * (2u * jump) + other), least(own), least(dz * (0u - 2u * jump) + other));
}

fn layerKeys(at: u32, ways: Ways, place: vec3u, jump: u32) -> vec3u {
  let above = rowKeys(at - ways.up, ways, place, 0u, jump);
  let middle = rowKeys(at, ways, place, 4u, jump);
  return min(min(above, middle), rowKeys(at + ways.down, ways, place, 8u, jump));
}

@compute @workgroup_size(64)
fn floodSpace(@builtin(global_invocation_id) thread: vec3u) {
  let size = flood.size;
  let step = flood.step;
  let first = (thread.z & (step - 1u)) + (thread.z >> firstTrailingBit(step)) * step * CHAIN;
  if (thread.x >= size.x || first >= size.z) {
    return;
  }
  let ways = Ways(
    select(0u, step, thread.x >= step),
    select(0u, step, thread.x + step < size.x),
    select(0u, step * size.x, thread.y >= step),
    select(0u, step * size.x, thread.y + step < size.y),
  );
  let jump = step * size.x * size.y;
  let jumpZ = step << 3u;
  var place = vec3u(thread.xy, first) << vec3u(3u);
  var at = (first * size.y + thread.y) * size.x + thread.x;
  var above = 0xffffffffu;
  if (first >= step) {
    above = layerKeys(at - jump, ways, place - vec3u(0u, 0u, jumpZ), jumpZ).z;
  }
  var layer = layerKeys(at, ways, place, jumpZ);
  let end = min(size.z, first + step * CHAIN);
  for (var line = first; line < end; line += step) {
    var key = min(above, layer.y + 16u);
    above = layer.z;
    place.z += jumpZ;
    if (line + step < size.z) {
      layer = layerKeys(at + jump, ways, place, jumpZ);
      key = min(key, layer.x + 32u);
    }
    let column = select(select(0u, ways.right, (key & 3u) == 2u), 0u - ways.left, (key & 3u) == 0u);
    let row = select(select(0u, ways.down, (key & 12u) == 8u), 0u - ways.up, (key & 12u) == 0u);
    after[at] = before[at + ((key >> 4u) & 3u) * jump - jump + row + column];
    at += jump;
  }
}
