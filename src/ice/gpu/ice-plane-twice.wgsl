// Two steps of the plane in one pass, which halves the traffic of the memory. A workgroup does the first step on 64 x 32 cells
// and keeps the result in its own memory; of that it does the second on the 60 x 30 cells inside. Put behind ice-plane.wgsl,
// whose steps these are. Full grids only: the active band is not bound by memory.

// Pairs and rows of a workgroup in the first step.
const ACROSS = 32u;
const UP = 32u;
// Rows of a thread; the first step is written out for four.
const EACH = 4u;

// The cells after the first step.
var<workgroup> between: array<vec4f, 1024>;

// A place along an axis that may be beyond the grid; periodic grids go on there, beyond others nothing is needed.
fn wrapped(at: i32, count: u32) -> i32 {
  if (BOUNDARY != 2u) {
    return at;
  }
  let n = i32(count);
  return ((at % n) + n) % n;
}

fn loadWrapped(c: Columns, y: i32) -> Row {
  return loadRow(c, wrapped(y, ice.size.y));
}

// The number of a thread's first cell in a row, for the noise; of rows that are not needed, any.
fn cellAt(c: Columns, y: i32) -> u32 {
  return u32(wrapped(y, ice.size.y)) * ice.size.x + c.x;
}

// The row at y after the first step, which is the row `at` of the workgroup.
fn loadBetween(c: Columns, x: u32, y: i32, at: u32) -> Row {
  var line = at;
  if (BOUNDARY != 2u) {
    // Beyond a side is what is at it.
    line = u32(i32(at) + clamp(y, 0, i32(ice.size.y) - 1) - y);
  }
  let start = line * ACROSS + x;
  let left = select(start - 1u, start, c.isAtLeft && BOUNDARY != 2u);
  let right = select(start + 1u, start, c.isAtRight && BOUNDARY != 2u);
  return rowOf(c, y, between[start], between[left], between[right]);
}

@compute @workgroup_size(32, 8)
fn stepPlaneTwice(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_id) thread: vec3u,
) {
  let pairs = (ice.size.x + 1u) / 2u;
  let groupsAcross = (pairs + ACROSS - 3u) / (ACROSS - 2u);
  let number = group.y * groups.x + group.x;
  let corner = vec2i(i32(number % groupsAcross) * i32(ACROSS - 2u) - 1, i32(number / groupsAcross) * i32(UP - 2u) - 1);
  let pair = wrapped(corner.x + i32(thread.x), pairs);
  let isPair = pair >= 0 && pair < i32(pairs);
  let columns = columnsAt(u32(clamp(pair, 0, i32(pairs) - 1)));
  let bottom = thread.y * EACH;
  let first = corner.y + i32(bottom);
  if (isPair && (BOUNDARY == 2u || first < i32(ice.size.y))) {
    // All rows before the first use: their loads are under way at the same time.
    let r0 = loadWrapped(columns, first - 1);
    let r1 = loadWrapped(columns, first);
    let r2 = loadWrapped(columns, first + 1);
    let r3 = loadWrapped(columns, first + 2);
    let r4 = loadWrapped(columns, first + 3);
    let r5 = loadWrapped(columns, first + 4);
    var low = firstCorners(r0, r1);
    between[bottom * ACROSS + thread.x] = stepRow(r0, r1, r2, &low, cellAt(columns, first), step.noiseKey);
    between[(bottom + 1u) * ACROSS + thread.x] = stepRow(r1, r2, r3, &low, cellAt(columns, first + 1), step.noiseKey);
    between[(bottom + 2u) * ACROSS + thread.x] = stepRow(r2, r3, r4, &low, cellAt(columns, first + 2), step.noiseKey);
    between[(bottom + 3u) * ACROSS + thread.x] = stepRow(r3, r4, r5, &low, cellAt(columns, first + 3), step.noiseKey);
  }
  workgroupBarrier();
  let isInside = thread.x > 0u && thread.x < ACROSS - 1u && corner.x + i32(thread.x) < i32(pairs);
  let begin = max(bottom, 1u);
  let end = min(i32(min(bottom + EACH, UP - 1u)), i32(ice.size.y) - corner.y);
  if (isInside && i32(begin) < end) {
    var south = loadBetween(columns, thread.x, corner.y + i32(begin) - 1, begin - 1u);
    var here = loadBetween(columns, thread.x, corner.y + i32(begin), begin);
    var low = firstCorners(south, here);
    for (var at = begin; i32(at) < end; at++) {
      let y = corner.y + i32(at);
      let north = loadBetween(columns, thread.x, y + 1, at + 1u);
      let row = u32(y);
      after[row * pairs + columns.pair] = stepRow(south, here, north, &low, row * ice.size.x + columns.x, step.secondKey);
      south = here;
      here = north;
    }
  }
}
