// A step in the plane. A thread goes up a column of cells with the values around in registers and computes the corners on
// both sides of it: twice as many as shared memory would need, but without barriers. Most of a grid is still: there
// corners and reactions cost a comparison. A workgroup covers a tile of the band.

override ROWS: u32 = 4u;

fn load(x: u32, y: i32, isSide: bool) -> vec2f {
  var value = before[place(y, ice.size.y) * ice.size.x + x];
  if (BOUNDARY == 1u && (isSide || y < 0 || y >= i32(ice.size.y))) {
    value.y = 2.0 * ice.wall - value.y;
  }
  return value;
}

fn isOpen(x: u32, y: i32) -> bool {
  return room[place(y, ice.size.y) * ice.size.x + x] != 0u;
}

// The compact weight and the flux of a corner.
fn cornerOf(p00: f32, p10: f32, p01: f32, p11: f32, open: bool) -> vec3f {
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
  if (HAS_ROOM && !open) {
    return vec3f(0.0);
  }
  return vec3f(a, 0.25 * a * gx + b * gy, 0.25 * a * gy - b * gx);
}

@compute @workgroup_size(32, 8)
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
  let x = corner.x * 32u + thread.x;
  let first = (corner.y * 8u + thread.y) * ROWS;
  var hasMoved = false;
  var isMixed = false;
  if (x < ice.size.x && first < ice.size.y) {
    let left = place(i32(x) - 1, ice.size.x);
    let right = place(i32(x) + 1, ice.size.x);
    let atLeft = x == 0u;
    let atRight = x + 1u == ice.size.x;
    let y0 = i32(first);
    let s0 = load(left, y0 - 1, atLeft);
    var s1 = load(x, y0 - 1, false);
    let s2 = load(right, y0 - 1, atRight);
    var c0 = load(left, y0, atLeft);
    var c1 = load(x, y0, false);
    var c2 = load(right, y0, atRight);
    var openLow = vec3<bool>(true);
    var open = vec3<bool>(true);
    if (HAS_ROOM) {
      openLow = vec3<bool>(isOpen(left, y0 - 1), isOpen(x, y0 - 1), isOpen(right, y0 - 1));
      open = vec3<bool>(isOpen(left, y0), isOpen(x, y0), isOpen(right, y0));
    }
    var lowL = cornerOf(s0.x, s1.x, c0.x, c1.x, all(openLow.xy) && all(open.xy));
    var lowR = cornerOf(s1.x, s2.x, c1.x, c2.x, all(openLow.yz) && all(open.yz));
    let end = min(first + ROWS, ice.size.y);
    for (var row = first; row < end; row++) {
      let y = i32(row);
      let n0 = load(left, y + 1, atLeft);
      let n1 = load(x, y + 1, false);
      let n2 = load(right, y + 1, atRight);
      var openHigh = vec3<bool>(true);
      if (HAS_ROOM) {
        openHigh = vec3<bool>(isOpen(left, y + 1), isOpen(x, y + 1), isOpen(right, y + 1));
      }
      let highL = cornerOf(c0.x, c1.x, n0.x, n1.x, all(open.xy) && all(openHigh.xy));
      let highR = cornerOf(c1.x, c2.x, n1.x, n2.x, all(open.yz) && all(openHigh.yz));
      let p = c1.x;
      let t = c1.y;
      let sides = ((lowR.x + highR.x) * (c2.x - p) + (lowL.x + highL.x) * (c0.x - p))
        + ((highL.x + highR.x) * (n1.x - p) + (lowL.x + lowR.x) * (s1.x - p));
      let along = ((lowR.y + highR.y) - (lowL.y + highL.y)) + ((highL.z + highR.z) - (lowL.z + lowR.z));
      let cell = row * ice.size.x + x;
      var change = sides + along + react(p, t, cell);
      if (IS_KARMA) {
        let mean = (lowL.x + highR.x) + (lowR.x + highL.x);
        change = select(0.0, change * 4.0 * ice.compact / mean, mean > 0.0);
      }
      if (HAS_ROOM && !open.y) {
        change = 0.0;
      }
      let next = settle(p + change);
      let flow = (dropped(c2.y - t) + dropped(c0.y - t)) + (dropped(n1.y - t) + dropped(s1.y - t));
      let warm = t + (ice.diffusion * flow + ice.latentHeat * (next - p));
      after[cell] = vec2f(next, warm);
      hasMoved = hasMoved || next != p || warm != t;
      isMixed = isMixed || (next != 0.0 && next != 1.0);
      s1 = c1;
      c0 = n0;
      c1 = n1;
      c2 = n2;
      lowL = highL;
      lowR = highR;
      open = openHigh;
    }
  }
  if (IS_BANDED) {
    if (isMixed) {
      atomicStore(&mixed, 1u);
    }
    // Noise moves a mixed tile even if it did not this time.
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
