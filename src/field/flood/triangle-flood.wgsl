// Distances to triangles in three stages around a jump flood: nodes next to triangles take one of them as their seed;
// those nodes are the flood's sites; the seed of a node's site then bounds a search in the hierarchy for the nearest
// triangle. Lengths are relative to the center of the grid and to a unit: no coordinate exceeds ±1.

struct Frame {
  size: vec3u,
  triangleCount: u32,
  spacing: f32,
  // The largest distance searched.
  maxDistance: f32,
}

// Bits of floats: minimum and left child (0 for a leaf), maximum and 8 · first triangle + number of triangles.
struct Node {
  minimum: vec3u,
  left: u32,
  maximum: vec3u,
  triangles: u32,
}

// Bits of the corners; the caller's number of the triangle; 1 if only its sides are measured, which for the thinnest
// triangles gives the same within the stated error.
struct Triangle {
  a: vec3u,
  number: u32,
  b: vec3u,
  sidesOnly: u32,
  c: vec3u,
  padding: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> triangles: array<Triangle>;
@group(0) @binding(2) var<storage, read> nodes: array<Node>;
// By node of the grid: a triangle next to it, as 2³² − 1 minus its place in the hierarchy; 0 for none.
@group(0) @binding(3) var<storage, read_write> seeds: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> sites: array<u32>;
@group(0) @binding(5) var<storage, read_write> distances: array<f32>;
@group(0) @binding(6) var<storage, read_write> nearest: array<u32>;

const NONE = 0xffffffffu;
const NO_SITE_PLANE = 0xe001u;
// More samples along a side would seed more nodes of large triangles and change no answer.
const MAX_SAMPLES = 256u;
const MAX_DEPTH = 64u;

fn middle() -> vec3f {
  return 0.5 * vec3f(frame.size - vec3u(1u));
}

fn indexOf(node: vec3u) -> u32 {
  return (node.z * frame.size.y + node.y) * frame.size.x + node.x;
}

@compute @workgroup_size(64)
fn scatterSeeds(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let slot = group.y * groups.x + group.x;
  if (slot >= frame.triangleCount) {
    return;
  }
  let triangle = triangles[slot];
  let a = bitcast<vec3f>(triangle.a);
  let u = bitcast<vec3f>(triangle.b) - a;
  let v = bitcast<vec3f>(triangle.c) - a;
  let longest = max(length(u), max(length(v), length(v - u)));
  let parts = u32(clamp(ceil(longest / frame.spacing), 1.0, f32(MAX_SAMPLES)));
  let count = (parts + 1u) * (parts + 1u);
  for (var sample = thread; sample < count; sample += 64u) {
    let i = sample % (parts + 1u);
    let j = sample / (parts + 1u);
    if (i + j > parts) {
      continue;
    }
    let point = a + (f32(i) * u + f32(j) * v) / f32(parts);
    let place = clamp(round(point / frame.spacing + middle()), vec3f(0.0), vec3f(frame.size - vec3u(1u)));
    atomicMax(&seeds[indexOf(vec3u(place))], NONE - slot);
  }
}

@compute @workgroup_size(64)
fn placeSites(@builtin(global_invocation_id) node: vec3u) {
  if (node.x >= frame.size.x) {
    return;
  }
  let at = indexOf(node);
  let isPlane = frame.size.z == 1u;
  var site = select(NONE, NO_SITE_PLANE, isPlane);
  if (atomicLoad(&seeds[at]) != 0u) {
    site = select((node.z << 20u) | (node.y << 10u) | node.x, (node.y << 18u) | (node.x << 2u), isPlane);
  }
  sites[at] = site;
}

fn squareTo(p: vec3f, slot: u32) -> f32 {
  let triangle = triangles[slot];
  let a = bitcast<vec3f>(triangle.a);
  let b = bitcast<vec3f>(triangle.b);
  let c = bitcast<vec3f>(triangle.c);
  return squareToTriangle(p, a, b, c, triangle.sidesOnly != 0u);
}

fn squareToBox(p: vec3f, node: u32) -> f32 {
  let low = bitcast<vec3f>(nodes[node].minimum);
  let high = bitcast<vec3f>(nodes[node].maximum);
  let d = max(max(low - p, p - high), vec3f(0.0));
  return dot(d, d);
}

@compute @workgroup_size(64)
fn measure(@builtin(global_invocation_id) place: vec3u) {
  if (place.x >= frame.size.x) {
    return;
  }
  let at = indexOf(place);
  let p = (vec3f(place) - middle()) * frame.spacing;
  let site = sites[at];
  var home = vec3u(site & 0x3ffu, (site >> 10u) & 0x3ffu, site >> 20u);
  if (frame.size.z == 1u) {
    home = vec3u((site & 0xffffu) >> 2u, site >> 18u, 0u);
  }
  let guess = NONE - atomicLoad(&seeds[indexOf(home)]);
  var best = squareTo(p, guess);
  var number = triangles[guess].number;
  // Triangles beyond the limit are not searched; a limit whose square overflows is no limit.
  let limit = frame.maxDistance * frame.maxDistance;
  var waiting: array<u32, MAX_DEPTH>;
  var bounds: array<f32, MAX_DEPTH>;
  waiting[0] = 0u;
  bounds[0] = 0.0;
  var top = 1u;
  while (top > 0u) {
    top -= 1u;
    if (bounds[top] > min(best, limit)) {
      continue;
    }
    let node = waiting[top];
    let left = nodes[node].left;
    if (left == 0u) {
      let first = nodes[node].triangles >> 3u;
      let end = first + (nodes[node].triangles & 7u);
      for (var slot = first; slot < end; slot++) {
        let square = squareTo(p, slot);
        if (square < best || (square == best && triangles[slot].number < number)) {
          best = square;
          number = triangles[slot].number;
        }
      }
      continue;
    }
    let toLeft = squareToBox(p, left);
    let toRight = squareToBox(p, left + 1u);
    let leftIsNear = toLeft <= toRight;
    // The nearer child on top.
    waiting[top] = select(left, left + 1u, leftIsNear);
    bounds[top] = max(toLeft, toRight);
    waiting[top + 1u] = select(left + 1u, left, leftIsNear);
    bounds[top + 1u] = min(toLeft, toRight);
    top += 2u;
  }
  distances[at] = sqrt(best);
  nearest[at] = number;
}
