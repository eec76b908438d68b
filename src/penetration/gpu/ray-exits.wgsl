// Where the rays of six cube views leave a union of convex sums, one workgroup per tile of 8 × 8 pixels, twin of
// union-rays.ts and cell-query.ts. Lists the sums that the tile's pyramid meets. A chain of them that holds all four
// corners up to the bound settles the tile; otherwise each pixel's front moves to the end of any sum that holds it, until
// none does. Blocks of 4 × 4 tiles come first and pass their lists on. `probe` follows one ray per workgroup.

struct Query {
  resolution: u32,
  // Tiles along a side of a view, and blocks; 0 for no blocks.
  tiles: u32,
  blocks: u32,
  sumCount: u32,
  // 1: the exit of every pixel is kept, and no tile is settled as a whole.
  keepExits: u32,
  // Exits beyond this are not distinguished.
  bound: f32,
}

// As written by minkowski-planes.wgsl.
struct Sum {
  ball: vec4f,
  firstPlane: u32,
  endOutside: u32,
  endPlane: u32,
  distance: f32,
}

// The nearest exit of a tile and its pixel, row × resolution + column; NONE if none is nearer than the bound, the exit then
// 0 if the tile was settled as a whole.
struct TileExit {
  exit: f32,
  pixel: u32,
}

@group(0) @binding(0) var<uniform> query: Query;
@group(0) @binding(1) var<storage, read> sums: array<Sum>;
@group(0) @binding(2) var<storage, read> planes: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> tileExits: array<TileExit>;
@group(0) @binding(4) var<storage, read_write> exits: array<f32>;
// A block: how many sums it meets, NONE if it is settled, then LIST entries for them.
@group(0) @binding(5) var<storage, read_write> blockSums: array<u32>;

// A sum holds points up to this far outside, in units of the two models' radii: slits as thin are closed.
const JOIN = 1e-6;
const NONE = 0xffffffffu;
const BEYOND = 1e30;
const SIDE = 8u;
const GROUP = 64u;
// Tiles along a side of a block.
const BLOCK = 4u;
// If a tile meets more sums than this, its pixels test all sums.
const LIST = 2048u;
const MAX_LINKS = 64u;
const MAX_MOVES = 4096u;
// The state of the search for a chain.
const LINKED = 0u;
const SETTLED = 1u;
const OPEN = 2u;

// Axes as in cube-views.ts.
const FORWARD = array<vec3f, 6>(
  vec3f(1, 0, 0), vec3f(-1, 0, 0), vec3f(0, 1, 0), vec3f(0, -1, 0), vec3f(0, 0, 1), vec3f(0, 0, -1),
);
const RIGHT = array<vec3f, 6>(
  vec3f(0, 0, 1), vec3f(0, 0, -1), vec3f(1, 0, 0), vec3f(1, 0, 0), vec3f(-1, 0, 0), vec3f(1, 0, 0),
);
const UP = array<vec3f, 6>(
  vec3f(0, 1, 0), vec3f(0, 1, 0), vec3f(0, 0, 1), vec3f(0, 0, -1), vec3f(0, 1, 0), vec3f(0, 1, 0),
);

var<workgroup> list: array<u32, LIST>;
var<workgroup> met: atomic<u32>;
var<workgroup> farthest: atomic<u32>;
var<workgroup> owner: atomic<u32>;
var<workgroup> front: vec4f;
var<workgroup> nearest: atomic<u32>;
// Shared by all threads of the workgroup.
var<workgroup> listed: u32;
var<workgroup> state: u32;

// Whether a plane has the whole pyramid, whose edges are the columns, on its outer side.
fn misses(sum: Sum, corners: mat4x3f) -> bool {
  for (var p = sum.firstPlane; p < sum.endOutside; p++) {
    let plane = planes[p];
    if (all(plane.xyz * corners >= vec4f(0.0))) {
      return true;
    }
  }
  return false;
}

// Where the corner rays leave a sum that holds the whole front; −1 if it does not.
fn leaveCorners(sum: Sum, corners: mat4x3f, start: vec4f) -> vec4f {
  var far = vec4f(BEYOND);
  for (var p = sum.firstPlane; p < sum.endPlane; p++) {
    let plane = planes[p];
    let slopes = plane.xyz * corners;
    if (any(start * slopes > vec4f(plane.w + JOIN))) {
      return vec4f(-1.0);
    }
    far = min(far, select(vec4f(BEYOND), plane.w / slopes, slopes > vec4f(0.0)));
  }
  return far;
}

// Where a ray leaves a sum that holds its front; −1 if it does not.
fn leave(sum: Sum, direction: vec3f, start: f32) -> f32 {
  var far = BEYOND;
  for (var p = sum.firstPlane; p < sum.endPlane; p++) {
    let plane = planes[p];
    let slope = dot(plane.xyz, direction);
    if (start * slope > plane.w + JOIN) {
      return -1.0;
    }
    if (slope > 0.0) {
      far = min(far, plane.w / slope);
    }
  }
  return far;
}

fn leastAlong(ends: mat4x3f, way: vec3f) -> f32 {
  let along = way * ends;
  return min(min(along.x, along.y), min(along.z, along.w)) * inverseSqrt(max(dot(way, way), 1e-30));
}

// Whether the surface spanned by the four points of the front is farther than the bound.
fn spansBeyond(corners: mat4x3f, reach: vec4f) -> bool {
  let ends = mat4x3f(reach.x * corners[0], reach.y * corners[1], reach.z * corners[2], reach.w * corners[3]);
  let middle = corners[0] + corners[1] + corners[2] + corners[3];
  if (leastAlong(ends, middle) >= query.bound) {
    return true;
  }
  let normal = cross(ends[3] - ends[0], ends[2] - ends[1]);
  return leastAlong(ends, select(normal, -normal, dot(normal, middle) < 0.0)) >= query.bound;
}

// The sums that the group tests.
fn takeSum(i: u32) -> u32 {
  return select(i, list[min(i, LIST - 1u)], listed <= LIST);
}

fn countSums() -> u32 {
  return select(query.sumCount, listed, listed <= LIST);
}

// Moves the front by the sum that takes it farthest; the state is then SETTLED beyond the bound, OPEN if none does.
fn linkFarthest(local: u32, corners: mat4x3f) {
  let start = front;
  let least = min(min(start.x, start.y), min(start.z, start.w));
  var best = 0.0;
  var ends = vec4f(0.0);
  for (var i = local; i < countSums(); i += GROUP) {
    let far = leaveCorners(sums[takeSum(i)], corners, start);
    let reach = min(min(far.x, far.y), min(far.z, far.w));
    if (reach > least && reach > best) {
      best = reach;
      ends = far;
    }
  }
  atomicMax(&farthest, bitcast<u32>(best));
  workgroupBarrier();
  let winner = atomicLoad(&farthest);
  if (winner > 0u && winner == bitcast<u32>(best)) {
    atomicMin(&owner, local);
  }
  workgroupBarrier();
  if (atomicLoad(&owner) == local) {
    front = ends;
  }
  workgroupBarrier();
  if (local == 0u) {
    state = select(select(LINKED, SETTLED, spansBeyond(corners, front)), OPEN, winner == 0u);
    atomicStore(&farthest, 0u);
    atomicStore(&owner, NONE);
  }
}

// The pyramid of pixels: left, right, bottom and top on the screen.
fn boundPixels(x: u32, y: u32, side: u32) -> vec4f {
  let step = 2.0 / f32(query.resolution);
  let low = vec2f(f32(x), f32(y)) * step;
  let high = min(low + vec2f(f32(side) * step), vec2f(2.0));
  return vec4f(low.x - 1.0, high.x - 1.0, 1.0 - high.y, 1.0 - low.y);
}

fn cornersOf(view: u32, screen: vec4f) -> mat4x3f {
  let left = FORWARD[view] + screen.x * RIGHT[view];
  let right = FORWARD[view] + screen.y * RIGHT[view];
  let low = screen.z * UP[view];
  let high = screen.w * UP[view];
  return mat4x3f(left + low, right + low, left + high, right + high);
}

// Lists a sum if the pyramid may meet it, by its ball and its planes.
fn tryList(sum: u32, view: u32, screen: vec4f, corners: mat4x3f) {
  let candidate = sums[sum];
  if (candidate.distance > query.bound) {
    return;
  }
  let ball = candidate.ball;
  let depth = dot(FORWARD[view], ball.xyz);
  let across = dot(RIGHT[view], ball.xyz);
  let above = dot(UP[view], ball.xyz);
  let beyond = vec4f(screen.x * depth - across, across - screen.y * depth, screen.z * depth - above, above - screen.w * depth);
  if (any(beyond * inverseSqrt(vec4f(1.0) + screen * screen) > vec4f(ball.w)) || misses(candidate, corners)) {
    return;
  }
  let slot = atomicAdd(&met, 1u);
  if (slot < LIST) {
    list[slot] = sum;
  }
}

// After all sums are listed: searches for a chain that settles the pyramid.
fn linkAll(local: u32, corners: mat4x3f) {
  if (local == 0u) {
    atomicStore(&owner, NONE);
    atomicStore(&nearest, NONE);
  }
  workgroupBarrier();
  if (local == 0u) {
    listed = atomicLoad(&met);
    state = select(LINKED, OPEN, query.keepExits == 1u);
  }
  for (var link = 0u; link < MAX_LINKS; link++) {
    if (workgroupUniformLoad(&state) != LINKED) {
      break;
    }
    linkFarthest(local, corners);
  }
}

fn directionOf(view: u32, column: u32, row: u32) -> vec3f {
  let x = (2.0 * f32(column) + 1.0) / f32(query.resolution) - 1.0;
  let y = 1.0 - (2.0 * f32(row) + 1.0) / f32(query.resolution);
  return normalize(FORWARD[view] + x * RIGHT[view] + y * UP[view]);
}

// Lists a sum if the ray may meet it, by its ball and the planes that have the origin outside.
fn tryListAlong(sum: u32, direction: vec3f) {
  let candidate = sums[sum];
  let ball = candidate.ball;
  let along = dot(ball.xyz, direction);
  let away = dot(ball.xyz, ball.xyz) - ball.w * ball.w;
  if (candidate.distance > query.bound || (away > 0.0 && (along < 0.0 || along * along < away))) {
    return;
  }
  for (var p = candidate.firstPlane; p < candidate.endOutside; p++) {
    if (dot(planes[p].xyz, direction) >= 0.0) {
      return;
    }
  }
  let slot = atomicAdd(&met, 1u);
  if (slot < LIST) {
    list[slot] = sum;
  }
}

// One ray by all threads: for few rays through many sums, before a good bound is known.
@compute @workgroup_size(64)
fn probe(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
  let direction = directionOf(group.z, group.x, group.y);
  for (var i = local; i < query.sumCount; i += GROUP) {
    tryListAlong(i, direction);
  }
  workgroupBarrier();
  if (local == 0u) {
    listed = atomicLoad(&met);
    state = LINKED;
  }
  for (var moves = 0u; moves < MAX_MOVES; moves++) {
    if (workgroupUniformLoad(&state) != LINKED) {
      break;
    }
    let start = front.x;
    var reached = start;
    for (var i = local; i < countSums(); i += GROUP) {
      reached = max(reached, leave(sums[takeSum(i)], direction, start));
    }
    atomicMax(&farthest, bitcast<u32>(reached));
    workgroupBarrier();
    if (local == 0u) {
      let farther = bitcast<f32>(atomicLoad(&farthest));
      state = select(select(LINKED, SETTLED, farther >= query.bound), OPEN, farther <= start);
      front.x = farther;
    }
  }
  if (local == 0u) {
    let pixel = group.y * query.resolution + group.x;
    let ray = group.z * query.resolution * query.resolution + pixel;
    tileExits[ray] = TileExit(front.x, select(pixel, NONE, front.x >= query.bound));
  }
}

@compute @workgroup_size(64)
fn settle(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
  let screen = boundPixels(BLOCK * SIDE * group.x, BLOCK * SIDE * group.y, BLOCK * SIDE);
  let corners = cornersOf(group.z, screen);
  for (var i = local; i < query.sumCount; i += GROUP) {
    tryList(i, group.z, screen, corners);
  }
  linkAll(local, corners);
  let settled = workgroupUniformLoad(&state) == SETTLED;
  let block = ((group.z * query.blocks + group.y) * query.blocks + group.x) * (LIST + 1u);
  if (local == 0u) {
    blockSums[block] = select(listed, NONE, settled);
  }
  if (!settled && listed <= LIST) {
    for (var i = local; i < listed; i += GROUP) {
      blockSums[block + 1u + i] = list[i];
    }
  }
}

@compute @workgroup_size(64)
fn trace(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
  let tile = (group.z * query.tiles + group.y) * query.tiles + group.x;
  let block = ((group.z * query.blocks + group.y / BLOCK) * query.blocks + group.x / BLOCK) * (LIST + 1u);
  if (local == 0u) {
    listed = LIST + 1u;
    if (query.blocks > 0u) {
      listed = blockSums[block];
    }
  }
  let available = workgroupUniformLoad(&listed);
  if (available == NONE) {
    if (local == 0u) {
      tileExits[tile] = TileExit(0.0, NONE);
    }
    return;
  }
  let screen = boundPixels(SIDE * group.x, SIDE * group.y, SIDE);
  let corners = cornersOf(group.z, screen);
  if (available > LIST) {
    for (var i = local; i < query.sumCount; i += GROUP) {
      tryList(i, group.z, screen, corners);
    }
  } else {
    for (var i = local; i < available; i += GROUP) {
      tryList(blockSums[block + 1u + i], group.z, screen, corners);
    }
  }
  linkAll(local, corners);
  if (workgroupUniformLoad(&state) == SETTLED) {
    if (local == 0u) {
      tileExits[tile] = TileExit(0.0, NONE);
    }
    return;
  }

  let column = SIDE * group.x + local % SIDE;
  let row = SIDE * group.y + local / SIDE;
  let inside = column < query.resolution && row < query.resolution;
  var exit = BEYOND;
  if (inside) {
    let direction = directionOf(group.z, column, row);
    var reached = 0.0;
    var moved = true;
    while (moved && reached < query.bound) {
      moved = false;
      for (var i = 0u; i < countSums(); i++) {
        let far = leave(sums[takeSum(i)], direction, reached);
        if (far > reached) {
          reached = far;
          moved = true;
        }
      }
    }
    exit = min(reached, query.bound);
    if (query.keepExits == 1u) {
      exits[(group.z * query.resolution + row) * query.resolution + column] = exit;
    }
    // The bits of non-negative numbers are ordered like the numbers.
    atomicMin(&nearest, bitcast<u32>(exit));
  }
  workgroupBarrier();
  let least = atomicLoad(&nearest);
  if (inside && bitcast<u32>(exit) == least) {
    atomicMin(&owner, local);
  }
  workgroupBarrier();
  if (local == atomicLoad(&owner)) {
    tileExits[tile] = TileExit(exit, select(row * query.resolution + column, NONE, exit >= query.bound));
  }
}
