// A step in space, as ice-plane.wgsl: a thread goes up a column of cells along z and computes the four corners around it
// between each two layers.

@group(0) @binding(2) var<storage, read> before: array<vec2f>;
@group(0) @binding(3) var<storage, read_write> after: array<vec2f>;

override LAYERS: u32 = 8u;

// The values of the nine cells around a column in one layer: of the phase, and of the temperature beside the column.
struct Layer {
  p: array<f32, 9>,
  heat: f32,
  west: f32,
  east: f32,
  south: f32,
  north: f32,
  // Bit 3 j + i: the cell (i, j) is no obstacle.
  open: u32,
}

struct Column {
  x: array<u32, 3>,
  y: array<u32, 3>,
  // Which of its neighbors in the layer are beyond the grid: west, east, south, north.
  beyond: vec4<bool>,
}

fn wallHeat(value: f32, isBeyond: bool) -> f32 {
  return select(value, 2.0 * ice.wall - value, BOUNDARY == 1u && isBeyond);
}

fn loadLayer(column: Column, z: i32) -> Layer {
  var layer: Layer;
  let base = place(z, ice.size.z) * ice.size.y;
  let isBeyond = z < 0 || z >= i32(ice.size.z);
  layer.open = 0x1ffu;
  for (var j = 0u; j < 3u; j++) {
    for (var i = 0u; i < 3u; i++) {
      let at = (base + column.y[j]) * ice.size.x + column.x[i];
      let value = before[at];
      layer.p[3u * j + i] = value.x;
      if (j == 1u && i == 1u) {
        layer.heat = wallHeat(value.y, isBeyond);
      }
      if (j == 1u && i == 0u) {
        layer.west = wallHeat(value.y, column.beyond.x);
      }
      if (j == 1u && i == 2u) {
        layer.east = wallHeat(value.y, column.beyond.y);
      }
      if (j == 0u && i == 1u) {
        layer.south = wallHeat(value.y, column.beyond.z);
      }
      if (j == 2u && i == 1u) {
        layer.north = wallHeat(value.y, column.beyond.w);
      }
      if (HAS_ROOM && room[at] == 0u) {
        layer.open &= ~(1u << (3u * j + i));
      }
    }
  }
  return layer;
}

// The compact weight and the flux of the corner after the cell (i, j) of the lower layer.
fn cornerOf(low: ptr<function, Layer>, high: ptr<function, Layer>, at: u32) -> vec4f {
  if (HAS_ROOM) {
    let needed = 0x1bu << at;
    if (((*low).open & (*high).open & needed) != needed) {
      return vec4f(0.0);
    }
  }
  let p000 = (*low).p[at];
  let p100 = (*low).p[at + 1u];
  let p010 = (*low).p[at + 3u];
  let p110 = (*low).p[at + 4u];
  let p001 = (*high).p[at];
  let p101 = (*high).p[at + 1u];
  let p011 = (*high).p[at + 3u];
  let p111 = (*high).p[at + 4u];
  let g = vec3f(
    ((p100 - p000) + (p110 - p010)) + ((p101 - p001) + (p111 - p011)),
    ((p010 - p000) + (p110 - p100)) + ((p011 - p001) + (p111 - p101)),
    ((p001 - p000) + (p101 - p100)) + ((p011 - p010) + (p111 - p110)),
  );
  let square = dot(g, g);
  if (!IS_DIRECTED || square == 0.0) {
    return vec4f(ice.compact, 0.125 * ice.compact * g);
  }
  let length = sqrt(square);
  let n = g / -length;
  // The power before the last: its real and imaginary parts are the derivatives.
  var power = vec2f(ice.turnRe, -ice.turnIm);
  for (var i = 1u; i < FOLD; i++) {
    power = vec2f(power.x * n.x - power.y * n.y, power.x * n.y + power.y * n.x);
  }
  let slope = vec3f(ice.deltaFold * power.x, -ice.deltaFold * power.y, 2.0 * ice.axial * n.z);
  let e = 1.0 + ice.delta * (power.x * n.x - power.y * n.y) + ice.axial * n.z * n.z;
  let a = ice.compact * e * e;
  let b = ice.cross * e * length;
  return vec4f(a, 0.125 * a * g - b * (slope - dot(slope, n) * n));
}

@compute @workgroup_size(16, 8)
fn stepSpace(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_id) thread: vec3u,
  @builtin(local_invocation_index) index: u32,
) {
  let tile = group.y * ice.groupsX + group.x;
  if (tile >= ice.tiles.x * ice.tiles.y * ice.tiles.z) {
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
  let corner = vec3u(tile % ice.tiles.x, (tile / ice.tiles.x) % ice.tiles.y, tile / (ice.tiles.x * ice.tiles.y));
  let x = corner.x * 16u + thread.x;
  let y = corner.y * 8u + thread.y;
  let first = corner.z * LAYERS;
  var hasMoved = false;
  var isMixed = false;
  if (x < ice.size.x && y < ice.size.y) {
    let column = Column(
      array(place(i32(x) - 1, ice.size.x), x, place(i32(x) + 1, ice.size.x)),
      array(place(i32(y) - 1, ice.size.y), y, place(i32(y) + 1, ice.size.y)),
      vec4<bool>(x == 0u, x + 1u == ice.size.x, y == 0u, y + 1u == ice.size.y),
    );
    var below = loadLayer(column, i32(first) - 1);
    var here = loadLayer(column, i32(first));
    // The corners below: south-west, south-east, north-west, north-east.
    var low = array(
      cornerOf(&below, &here, 0u), cornerOf(&below, &here, 1u), cornerOf(&below, &here, 3u), cornerOf(&below, &here, 4u),
    );
    let end = min(first + LAYERS, ice.size.z);
    for (var z = first; z < end; z++) {
      var above = loadLayer(column, i32(z) + 1);
      let high = array(
        cornerOf(&here, &above, 0u), cornerOf(&here, &above, 1u), cornerOf(&here, &above, 3u), cornerOf(&here, &above, 4u),
      );
      let p = here.p[4];
      let t = here.heat;
      let west = (low[0] + low[2]) + (high[0] + high[2]);
      let east = (low[1] + low[3]) + (high[1] + high[3]);
      let south = (low[0] + low[1]) + (high[0] + high[1]);
      let north = (low[2] + low[3]) + (high[2] + high[3]);
      let down = (low[0] + low[1]) + (low[2] + low[3]);
      let up = (high[0] + high[1]) + (high[2] + high[3]);
      let sides = ((east.x * (here.p[5] - p) + west.x * (here.p[3] - p))
        + (north.x * (here.p[7] - p) + south.x * (here.p[1] - p)))
        + (up.x * (above.p[4] - p) + down.x * (below.p[4] - p));
      let along = ((east.y - west.y) + (north.z - south.z)) + (up.w - down.w);
      let cell = (z * ice.size.y + y) * ice.size.x + x;
      var change = sides + along + react(p, t, cell, step.noiseKey);
      if (IS_KARMA) {
        let mean = up.x + down.x;
        change = select(0.0, change * 8.0 * ice.compact / mean, mean > 0.0);
      }
      if (HAS_ROOM && (here.open & 0x10u) == 0u) {
        change = 0.0;
      }
      let next = settle(p + change);
      let flow = ((dropped(here.east - t) + dropped(here.west - t)) + (dropped(here.north - t) + dropped(here.south - t)))
        + (dropped(above.heat - t) + dropped(below.heat - t));
      let warm = t + (ice.diffusion * flow + ice.latentHeat * (next - p));
      after[cell] = vec2f(next, warm);
      hasMoved = hasMoved || next != p || warm != t;
      isMixed = isMixed || (next != 0.0 && next != 1.0);
      below = here;
      here = above;
      low = high;
    }
  }
  if (IS_BANDED) {
    if (isMixed) {
      atomicStore(&mixed, 1u);
    }
    if (hasMoved || (HAS_NOISE && isMixed)) {
      atomicStore(&moved, 1u);
    }
    workgroupBarrier();
    if (index == 0u) {
      work[tile] += vec2u(1u, atomicLoad(&mixed));
    }
    if (index < 27u && atomicLoad(&moved) == 1u) {
      let counts = vec3i(ice.tiles);
      var other = vec3i(corner) + vec3i(i32(index % 3u), i32(index / 3u % 3u), i32(index / 9u)) - 1;
      if (BOUNDARY == 2u) {
        other = (other + counts) % counts;
      }
      if (all(other >= vec3i(0)) && all(other < counts)) {
        waking[u32((other.z * counts.y + other.y) * counts.x + other.x)] = 1u;
      }
    }
  }
}
