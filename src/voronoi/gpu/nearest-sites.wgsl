// The nearest site of every sample. Cells of many tiles collect the elements that can be nearest somewhere in them: large
// cells from all elements, small ones from the list of their large cell. Each tile picks its own from the list of its
// cell, and its samples measure only those. Lengths are relative to the center of the samples and to a unit: no
// coordinate exceeds ±1.

struct Frame {
  // Samples along each axis.
  size: vec3u,
  elementCount: u32,
  // Samples of a cell along each axis, and the place of the first cell's list.
  cell: vec3u,
  firstList: u32,
  // The same of the larger cells whose lists are read; without any, all elements are.
  parent: vec3u,
  firstParent: u32,
  // Position of the sample (0, 0, 0).
  first: vec3f,
  // The largest distance that counts, and the distance that is written beyond it.
  maxDistance: f32,
  // From sample to sample, along each axis.
  spacing: vec3f,
  beyond: f32,
  // Lengths in units times this are the caller's.
  unit: f32,
  poolSize: u32,
}

// a, b and c are the corners of a triangle; segments have two and points one. An arc has its ends in a and b, its center
// and radius in c, the direction to its middle in `middle`, and the cosine of half its angle.
struct Element {
  a: vec3f,
  kind: u32,
  b: vec3f,
  // One over the weight.
  scale: f32,
  c: vec3f,
  offset: f32,
  middle: vec2f,
  cosine: f32,
  site: u32,
}

// The list of a cell in the pool. If the pool was full, `first` is NONE and every element is in it.
struct List {
  first: u32,
  count: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> elements: array<Element>;
@group(0) @binding(2) var<storage, read_write> lists: array<List>;
// The first entry counts the others that are used.
@group(0) @binding(3) var<storage, read_write> pool: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> ids: array<i32>;
@group(0) @binding(5) var<storage, read_write> distances: array<f32>;

override TILE_X: u32 = 16;
override TILE_Y: u32 = 16;
override TILE_Z: u32 = 1;

const THREADS = 256u;
const NONE = 0xffffffffu;
const SEGMENT = 1u;
const ARC = 2u;
const TRIANGLE = 3u;
// Thin triangles are measured by their sides, which gives the same within the stated error.
const SIDES = 4u;
// Bounds are widened by this many units, so that rounding loses no candidate.
const MARGIN = 1e-5;

var<workgroup> partial: array<f32, THREADS>;
var<workgroup> picked: array<u32, THREADS>;
var<workgroup> pickedCount: atomic<u32>;
var<workgroup> pickedTotal: u32;
var<workgroup> listFirst: u32;
var<workgroup> listCount: u32;

// The distance without weight and offset.
fn distanceTo(p: vec3f, element: u32) -> f32 {
  let a = elements[element].a;
  let kind = elements[element].kind;
  if (kind == SEGMENT) {
    return sqrt(squareToSide(p, a, elements[element].b));
  }
  if (kind == ARC) {
    let c = elements[element].c;
    let q = p.xy - c.xy;
    let far = length(q);
    if (dot(q, elements[element].middle) >= elements[element].cosine * far) {
      return abs(far - c.z);
    }
    return min(distance(p.xy, a.xy), distance(p.xy, elements[element].b.xy));
  }
  if (kind >= TRIANGLE) {
    return sqrt(squareToTriangle(p, a, elements[element].b, elements[element].c, kind == SIDES));
  }
  return distance(p, a);
}

fn weigh(length: f32, element: u32) -> f32 {
  return length * elements[element].scale - elements[element].offset;
}

fn positionOf(sample: vec3u) -> vec3f {
  return frame.first + frame.spacing * vec3f(sample);
}

// The least of the threads' numbers, for all of them.
fn leastOf(value: f32, thread: u32) -> f32 {
  partial[thread] = value;
  for (var half = THREADS / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (thread < half) {
      partial[thread] = min(partial[thread], partial[thread + half]);
    }
  }
  return workgroupUniformLoad(&partial[0]);
}

// The ball around the samples from `low` on, `extent` along each axis: its center and its radius.
fn ballAround(low: vec3u, extent: vec3u) -> vec4f {
  let high = min(low + extent, frame.size) - vec3u(1u);
  let near = positionOf(low);
  let far = positionOf(high);
  return vec4f(0.5 * (near + far), 0.5 * distance(near, far) + MARGIN);
}

// The place of the list of the cell with this sample.
fn placeOf(sample: vec3u, cell: vec3u, first: u32) -> u32 {
  let cells = (frame.size + cell - vec3u(1u)) / cell;
  let at = sample / cell;
  return first + (at.z * cells.y + at.y) * cells.x + at.x;
}

// The element at a place of a list.
fn elementAt(first: u32, place: u32) -> u32 {
  if (first == NONE) {
    return place;
  }
  return atomicLoad(&pool[first + place]);
}

@compute @workgroup_size(THREADS)
fn gatherCells(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let low = group * frame.cell;
  var known = List(NONE, frame.elementCount);
  if (frame.firstParent != NONE) {
    known = lists[placeOf(low, frame.parent, frame.firstParent)];
  }
  let ball = ballAround(low, frame.cell);
  var upper = bitcast<f32>(0x7f7fffffu);
  for (var place = thread; place < known.count; place += THREADS) {
    let element = elementAt(known.first, place);
    upper = min(upper, weigh(distanceTo(ball.xyz, element) + ball.w, element));
  }
  let limit = min(leastOf(upper, thread), frame.maxDistance) + MARGIN;

  var count = 0u;
  for (var place = thread; place < known.count; place += THREADS) {
    let element = elementAt(known.first, place);
    count += select(0u, 1u, weigh(distanceTo(ball.xyz, element) - ball.w, element) <= limit);
  }
  atomicAdd(&pickedCount, count);
  workgroupBarrier();
  if (thread == 0u) {
    let total = atomicExchange(&pickedCount, 0u);
    let first = atomicAdd(&pool[0], total) + 1u;
    let fits = first + total <= frame.poolSize;
    listFirst = select(NONE, first, fits);
    lists[placeOf(low, frame.cell, frame.firstList)] = List(listFirst, select(frame.elementCount, total, fits));
  }
  let first = workgroupUniformLoad(&listFirst);
  if (first == NONE) {
    return;
  }
  for (var place = thread; place < known.count; place += THREADS) {
    let element = elementAt(known.first, place);
    if (weigh(distanceTo(ball.xyz, element) - ball.w, element) <= limit) {
      atomicStore(&pool[first + atomicAdd(&pickedCount, 1u)], element);
    }
  }
}

@compute @workgroup_size(THREADS)
fn measureTiles(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let tile = vec3u(TILE_X, TILE_Y, TILE_Z);
  let low = group * tile;
  if (thread == 0u) {
    let list = lists[placeOf(low, frame.cell, frame.firstList)];
    listFirst = list.first;
    listCount = list.count;
  }
  let first = workgroupUniformLoad(&listFirst);
  let count = workgroupUniformLoad(&listCount);

  let ball = ballAround(low, tile);
  var upper = bitcast<f32>(0x7f7fffffu);
  for (var place = thread; place < count; place += THREADS) {
    let element = elementAt(first, place);
    upper = min(upper, weigh(distanceTo(ball.xyz, element) + ball.w, element));
  }
  let limit = min(leastOf(upper, thread), frame.maxDistance) + MARGIN;

  let sample = low + vec3u(thread % TILE_X, (thread / TILE_X) % TILE_Y, thread / (TILE_X * TILE_Y));
  let p = positionOf(sample);
  var best = bitcast<f32>(0x7f7fffffu);
  var bestSite = NONE;
  for (var start = 0u; start < count; start += THREADS) {
    let place = start + thread;
    if (place < count) {
      let element = elementAt(first, place);
      if (weigh(distanceTo(ball.xyz, element) - ball.w, element) <= limit) {
        picked[atomicAdd(&pickedCount, 1u)] = element;
      }
    }
    workgroupBarrier();
    if (thread == 0u) {
      pickedTotal = atomicExchange(&pickedCount, 0u);
    }
    let chosen = workgroupUniformLoad(&pickedTotal);
    for (var i = 0u; i < chosen; i++) {
      let element = picked[i];
      let measured = weigh(distanceTo(p, element), element);
      let site = elements[element].site;
      if (measured < best || (measured == best && site < bestSite)) {
        best = measured;
        bestSite = site;
      }
    }
    // The next elements take the places of these.
    workgroupBarrier();
  }
  if (all(sample < frame.size)) {
    let at = (sample.z * frame.size.y + sample.y) * frame.size.x + sample.x;
    let counts = best <= frame.maxDistance;
    ids[at] = select(-1, i32(bestSite), counts);
    distances[at] = select(frame.beyond, best * frame.unit, counts);
  }
}
