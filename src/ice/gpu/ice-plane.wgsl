// A step in the plane. A thread goes up two columns of cells with the values around in registers and computes the corners
// beside them: 1.5 for each cell, more than shared memory would need, but without barriers. Most of a grid is still: there
// corners and reactions cost a comparison. A workgroup covers a tile of the band.

// Rows of an odd number of cells end with one that is not used.
@group(0) @binding(2) var<storage, read> before: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> after: array<vec4f>;

override ROWS: u32 = 4u;

// A row of four cells, of which the thread owns the two in the middle: phases and temperatures.
struct Row {
  p: vec4f,
  t: vec4f,
  // Bit i: the cell i is no obstacle.
  open: u32,
  // Whether all phases are 0, or all are 1.
  isFlat: bool,
}

// Where the cells of a thread's rows are. Pairs of cells lie in a vec4f: phase, temperature, phase, temperature.
struct Columns {
  x: u32,
  left: u32,
  pair: u32,
  right: u32,
  // Whether the left neighbor is the first of its pair, the right one the second, and whether the second cell is beyond.
  isLeftFirst: bool,
  isRightSecond: bool,
  isSingle: bool,
  isAtLeft: bool,
  isAtRight: bool,
}

fn columnsAt(pair: u32) -> Columns {
  let last = (ice.size.x + 1u) / 2u - 1u;
  let isOdd = (ice.size.x & 1u) == 1u;
  let isAtLeft = pair == 0u;
  let isAtRight = pair == last;
  let isPeriodic = BOUNDARY == 2u;
  return Columns(
    2u * pair,
    select(pair - 1u, select(pair, last, isPeriodic), isAtLeft),
    pair,
    select(pair + 1u, select(pair, 0u, isPeriodic), isAtRight),
    isAtLeft && (!isPeriodic || isOdd),
    isAtRight && !isPeriodic,
    isAtRight && isOdd,
    isAtLeft,
    isAtRight,
  );
}

fn loadRow(c: Columns, y: i32) -> Row {
  let start = place(y, ice.size.y) * ((ice.size.x + 1u) / 2u);
  return rowOf(c, y, before[start + c.pair], before[start + c.left], before[start + c.right]);
}

// A row from the pair of the thread and those beside it.
fn rowOf(c: Columns, y: i32, own: vec4f, l: vec4f, r: vec4f) -> Row {
  let left = select(l.zw, l.xy, c.isLeftFirst);
  var second = own.zw;
  var right = select(r.xy, r.zw, c.isRightSecond);
  if (c.isSingle) {
    second = select(own.xy, right, BOUNDARY == 2u);
    right = second;
  }
  var row = Row(vec4f(left.x, own.x, second.x, right.x), vec4f(left.y, own.y, second.y, right.y), 0xfu, false);
  if (BOUNDARY == 1u) {
    let mirrored = 2.0 * ice.wall - row.t;
    if (y < 0 || y >= i32(ice.size.y)) {
      row.t = mirrored;
    } else {
      row.t.x = select(row.t.x, mirrored.x, c.isAtLeft);
      row.t.z = select(row.t.z, mirrored.z, c.isSingle);
      row.t.w = select(row.t.w, mirrored.w, c.isAtRight);
    }
  }
  row.isFlat = (row.p.x == 0.0 || row.p.x == 1.0) && all(row.p.yzw == vec3f(row.p.x));
  if (HAS_ROOM) {
    let line = place(y, ice.size.y) * ice.size.x;
    row.open = 0u;
    for (var i = 0u; i < 4u; i++) {
      row.open |= min(room[line + place(i32(c.x + i) - 1, ice.size.x)], 1u) << i;
    }
  }
  return row;
}

// The compact weight and the flux of a corner.
fn cornerOf(p00: f32, p10: f32, p01: f32, p11: f32, isOpen: bool) -> vec3f {
  if (HAS_ROOM && !isOpen) {
    return vec3f(0.0);
  }
  let gx = (p10 - p00) + (p11 - p01);
  let gy = (p01 - p00) + (p11 - p10);
  let square = gx * gx + gy * gy;
  var a = ice.compact;
  var b = 0.0;
  if (IS_DIRECTED && square > 0.0) {
    let power = raise(vec2f(gx, gy) * -inverseSqrt(square));
    let e = 1.0 + ice.delta * (power.x * ice.turnRe + power.y * ice.turnIm);
    a = ice.compact * e * e;
    b = ice.cross * e * ice.deltaFold * (power.y * ice.turnRe - power.x * ice.turnIm);
  }
  return vec3f(a, 0.25 * a * gx + b * gy, 0.25 * a * gy - b * gx);
}

struct Corners {
  left: vec3f,
  middle: vec3f,
  right: vec3f,
}

fn cornersOf(low: Row, high: Row) -> Corners {
  let open = low.open & high.open;
  return Corners(
    cornerOf(low.p.x, low.p.y, high.p.x, high.p.y, (open & 3u) == 3u),
    cornerOf(low.p.y, low.p.z, high.p.y, high.p.z, (open & 6u) == 6u),
    cornerOf(low.p.z, low.p.w, high.p.z, high.p.w, (open & 12u) == 12u),
  );
}

// Where all phases are 0, or all are 1.
fn flatCorners() -> Corners {
  let flat = vec3f(ice.compact, 0.0, 0.0);
  return Corners(flat, flat, flat);
}

// Those below the first row of a thread.
fn firstCorners(low: Row, high: Row) -> Corners {
  if (!HAS_ROOM && low.isFlat && high.isFlat && low.p.y == high.p.y) {
    return flatCorners();
  }
  return cornersOf(low, high);
}

// The next phase of a cell between four corners.
fn nextPhase(
  p: f32, west: f32, east: f32, south: f32, north: f32, t: f32, cell: u32, key: u32, lowL: vec3f, lowR: vec3f,
  highL: vec3f, highR: vec3f,
) -> f32 {
  let sides = ((lowR.x + highR.x) * (east - p) + (lowL.x + highL.x) * (west - p))
    + ((highL.x + highR.x) * (north - p) + (lowL.x + lowR.x) * (south - p));
  let along = ((lowR.y + highR.y) - (lowL.y + highL.y)) + ((highL.z + highR.z) - (lowL.z + lowR.z));
  var change = sides + along + react(p, t, cell, key);
  if (IS_KARMA) {
    let mean = (lowL.x + highR.x) + (lowR.x + highL.x);
    change = select(0.0, change * 4.0 * ice.compact / mean, mean > 0.0);
  }
  return settle(p + change);
}

fn droppedPair(difference: vec2f) -> vec2f {
  return select(vec2f(0.0), difference, abs(difference) > vec2f(ice.still));
}

// The cells of a thread in a row after a step, from the rows around and the corners below, which become those above: phase
// and temperature of the first, phase and temperature of the second.
fn stepRow(south: Row, here: Row, north: Row, low: ptr<function, Corners>, cell: u32, key: u32) -> vec4f {
  let p = here.p.yz;
  let t = here.t.yz;
  var next = p;
  if (south.isFlat && here.isFlat && north.isFlat && here.p.y == south.p.y && here.p.y == north.p.y) {
    *low = flatCorners();
    if (HAS_ROOM) {
      *low = cornersOf(here, north);
    }
  } else {
    let high = cornersOf(here, north);
    next.x = nextPhase(
      p.x, here.p.x, p.y, south.p.y, north.p.y, t.x, cell, key, (*low).left, (*low).middle, high.left, high.middle,
    );
    next.y = nextPhase(
      p.y, p.x, here.p.w, south.p.z, north.p.z, t.y, cell + 1u, key, (*low).middle, (*low).right, high.middle, high.right,
    );
    if (HAS_ROOM) {
      next = select(p, next, vec2<bool>((here.open & 2u) != 0u, (here.open & 4u) != 0u));
    }
    *low = high;
  }
  let flow = (droppedPair(here.t.zw - t) + droppedPair(here.t.xy - t))
    + (droppedPair(north.t.yz - t) + droppedPair(south.t.yz - t));
  let warm = t + (ice.diffusion * flow + ice.latentHeat * (next - p));
  return vec4f(next.x, warm.x, next.y, warm.y);
}

@compute @workgroup_size(32, 4)
fn stepPlane(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_id) thread: vec3u,
  @builtin(local_invocation_index) index: u32,
) {
  let tile = group.y * ice.groupsX + group.x;
  if (tile >= ice.tiles.x * ice.tiles.y) {
    return;
  }
  if (IS_BANDED) {
    if (index == 0u) {
      resting[tile] = 0u;
    }
    if (awake[tile] == 0u) {
      return;
    }
  }
  let corner = vec2u(tile % ice.tiles.x, tile / ice.tiles.x);
  let pair = corner.x * 32u + thread.x;
  let first = (corner.y * 4u + thread.y) * ROWS;
  var hasMoved = false;
  var isMixed = false;
  if (2u * pair < ice.size.x && first < ice.size.y) {
    let columns = columnsAt(pair);
    let pairs = (ice.size.x + 1u) / 2u;
    var south = loadRow(columns, i32(first) - 1);
    var here = loadRow(columns, i32(first));
    var low = firstCorners(south, here);
    let end = min(first + ROWS, ice.size.y);
    for (var y = first; y < end; y++) {
      let north = loadRow(columns, i32(y) + 1);
      let result = stepRow(south, here, north, &low, y * ice.size.x + columns.x, step.noiseKey);
      after[y * pairs + pair] = result;
      let next = result.xz;
      let warm = result.yw;
      let p = here.p.yz;
      let t = here.t.yz;
      // The cell after the last one of an odd row does not count.
      let isReal = vec2<bool>(true, !columns.isSingle);
      hasMoved = hasMoved || any((next != p) & isReal) || any((warm != t) & isReal);
      isMixed = isMixed || any((next != vec2f(0.0)) & (next != vec2f(1.0)) & isReal);
      south = here;
      here = north;
    }
  }
  if (IS_BANDED) {
    if (isMixed) {
      atomicStore(&mixed, 1u);
    }
    // Noise can move a mixed tile in a later step.
    if (hasMoved || (HAS_NOISE && isMixed)) {
      atomicStore(&moved, 1u);
    }
    workgroupBarrier();
    if (index == 0u) {
      work[tile] += vec2u(1u, atomicLoad(&mixed));
    }
    if (index < 9u && atomicLoad(&moved) == 1u) {
      var other = vec2i(corner) + vec2i(i32(index % 3u), i32(index / 3u)) - 1;
      if (BOUNDARY == 2u) {
        other = (other + vec2i(ice.tiles.xy)) % vec2i(ice.tiles.xy);
      }
      if (all(other >= vec2i(0)) && all(other < vec2i(ice.tiles.xy))) {
        waking[u32(other.y) * ice.tiles.x + u32(other.x)] = 1u;
      }
    }
  }
}
