// One pass of jump flooding axis by axis: the nearest of three sites along y, then of three of these along z, then of
// three of those along x. A thread processes ROWS lines of nodes along z, one step apart, and walks along them; along x it exchanges
// data with its neighbors through workgroup memory. Squared distances to the lines and layers before and after follow
// from its own: (d ± s)² = d² ± 2ds + s², intermediate results modulo 2³².

struct Flood {
  size: vec3u,
  step: u32,
  // Columns of a workgroup that lie side by side; the others follow at whole steps.
  adjacent: u32,
  // Columns one step apart: the number that the workgroup writes, and the number that it reads before them.
  answered: u32,
  halo: u32,
}

// A site and its squared distance.
struct Found {
  site: u32,
  square: u32,
}

// The nearest site along y, by line, and its distance along z.
struct Layer {
  found: array<Found, ROWS>,
  dz: array<u32, ROWS>,
}

@group(0) @binding(0) var<uniform> flood: Flood;
@group(0) @binding(1) var<storage, read> before: array<u32>;
@group(0) @binding(2) var<storage, read_write> after: array<u32>;

const ROWS = 2u;
const READ_ROWS = 4u;
const NO_SITE_SPACE = 0xffffffffu;
// Larger than every distance, even from the position in NO_SITE_SPACE.
const FAR = 0x40000000u;
override THREADS: u32 = 128u;
// Nodes per thread along a line.
override CHAIN: u32 = 16u;

// By line and thread: a site, and its squared distance without x. Double-buffered by layer, so that one barrier suffices.
var<workgroup> heard: array<vec2u, 2u * ROWS * THREADS>;

fn nearer(a: Found, b: Found) -> Found {
  return Found(select(a.site, b.site, b.square < a.square), min(a.square, b.square));
}

fn readSites(layer: u32, rows: array<u32, READ_ROWS>) -> array<u32, READ_ROWS> {
  var sites: array<u32, READ_ROWS>;
  for (var row = 0u; row < READ_ROWS; row++) {
    sites[row] = before[layer + rows[row]];
  }
  return sites;
}

fn nearestAlongY(sites: array<u32, READ_ROWS>, place: vec3u) -> Layer {
  let step = flood.step;
  var found: array<Found, READ_ROWS>;
  var dys: array<u32, READ_ROWS>;
  var y = place.y - step;
  for (var row = 0u; row < READ_ROWS; row++) {
    let site = sites[row];
    let dx = (site & 0x3ffu) - place.x;
    let dy = ((site >> 10u) & 0x3ffu) - y;
    let dz = (site >> 20u) - place.z;
    found[row] = Found(site, dx * dx + (dy * dy + dz * dz));
    dys[row] = dy;
    y += step;
  }
  var layer: Layer;
  for (var row = 0u; row < ROWS; row++) {
    let low = Found(found[row].site, found[row].square + step * step - dys[row] * (2u * step));
    let high = Found(found[row + 2u].site, found[row + 2u].square + step * step + dys[row + 2u] * (2u * step));
    layer.found[row] = nearer(nearer(low, found[row + 1u]), high);
    layer.dz[row] = (layer.found[row].site >> 20u) - place.z;
  }
  return layer;
}

// The nearest sites of a layer as seen from the next layer.
fn seenFromAbove(layer: Layer) -> array<Found, ROWS> {
  let step = flood.step;
  var seen: array<Found, ROWS>;
  for (var row = 0u; row < ROWS; row++) {
    seen[row] = Found(layer.found[row].site, layer.found[row].square + step * step - layer.dz[row] * (2u * step));
  }
  return seen;
}

@compute @workgroup_size(THREADS)
fn floodAxes(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  let size = flood.size;
  let step = flood.step;
  let adjacent = flood.adjacent;
  // Both are powers of two.
  let stepBits = firstTrailingBit(step);
  let adjacentBits = firstTrailingBit(adjacent);
  let blockBits = stepBits - adjacentBits;
  let first = ((group.x << adjacentBits) & (step - 1u)) + (thread & (adjacent - 1u));
  let place = (thread >> adjacentBits) - flood.halo;
  let column = i32((group.x >> blockBits) * flood.answered + place);
  let lastColumn = (i32(size.x) - 1 - i32(first)) >> stepBits;
  let isAnswered = column >= 0 && column <= lastColumn && place < flood.answered;
  // Beyond the border a column, and below it a line, replaces its missing neighbor, which changes no result.
  let x = min(first + u32(clamp(column, 0, max(lastColumn, 0))) * step, size.x - 1u);
  let y = (group.y & (step - 1u)) + (group.y >> stepBits) * step * ROWS;
  var rows: array<u32, READ_ROWS>;
  rows[0] = select(y, y - step, y >= step) * size.x + x;
  var line = y;
  for (var row = 1u; row < READ_ROWS; row++) {
    rows[row] = line * size.x + x;
    line = select(line, line + step, line + step < size.y);
  }
  let lower = select(0u - adjacent, 0u, thread < adjacent);
  let upper = select(adjacent, 0u, thread + adjacent >= THREADS);

  let start = (group.z & (step - 1u)) + (group.z >> stepBits) * step * CHAIN;
  let end = min(size.z, start + step * CHAIN);
  let jump = step * size.x * size.y;
  var at = start * size.x * size.y;
  var below: array<Found, ROWS>;
  for (var row = 0u; row < ROWS; row++) {
    below[row] = Found(NO_SITE_SPACE, FAR);
  }
  if (start >= step) {
    below = seenFromAbove(nearestAlongY(readSites(at - jump, rows), vec3u(x, y, start - step)));
  }
  var layer = nearestAlongY(readSites(at, rows), vec3u(x, y, start));
  var sites: array<u32, READ_ROWS>;
  if (start + step < size.z) {
    sites = readSites(at + jump, rows);
  }
  var slot = thread;
  for (var z = start; z < end; z += step) {
    var next: Layer;
    for (var row = 0u; row < ROWS; row++) {
      next.found[row] = Found(NO_SITE_SPACE, FAR);
      next.dz[row] = 0u;
    }
    if (z + step < size.z) {
      next = nearestAlongY(sites, vec3u(x, y, z + step));
    }
    // Read one layer ahead, to overlap the read with the barrier.
    if (z + 2u * step < size.z) {
      sites = readSites(at + 2u * jump, rows);
    }
    var best: array<Found, ROWS>;
    for (var row = 0u; row < ROWS; row++) {
      let above = Found(next.found[row].site, next.found[row].square + step * step + next.dz[row] * (2u * step));
      best[row] = nearer(nearer(below[row], layer.found[row]), above);
      let dx = (best[row].site & 0x3ffu) - x;
      heard[slot + row * THREADS] = vec2u(best[row].site, best[row].square - dx * dx);
    }
    workgroupBarrier();
    for (var row = 0u; row < ROWS; row++) {
      let left = heard[slot + row * THREADS + lower];
      let right = heard[slot + row * THREADS + upper];
      let toLeft = (left.x & 0x3ffu) - x;
      let toRight = (right.x & 0x3ffu) - x;
      let nearest = nearer(
        nearer(Found(left.x, left.y + toLeft * toLeft), best[row]),
        Found(right.x, right.y + toRight * toRight),
      );
      if (isAnswered && y + row * step < size.y) {
        after[at + (y + row * step) * size.x + x] = nearest.site;
      }
    }
    below = seenFromAbove(layer);
    layer = next;
    slot = select(thread, thread + ROWS * THREADS, slot == thread);
    at += jump;
  }
}
