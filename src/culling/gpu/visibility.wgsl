// Visibility of triangles in an orthographic view, by counting fragments: what is nearest in each pixel, whose it is,
// what is nearest of the others; then the triangles that are not in front of everything of other objects somewhere.
// Rasterization is conservative: a quad around each triangle, and every pixel square that the triangle can meet, with
// bounds of its depth there.

struct View {
  // The view is along this axis; the image has the next two.
  axis: u32,
  resolution: u32,
  triangleCount: u32,
  // Where the lengths of the lists are among `lengths`.
  sourceLength: u32,
  // Image coordinates in pixels and depths: subtracted, then multiplied.
  origin: vec3f,
  targetLength: u32,
  scale: vec3f,
  // How far coordinates in the image may be off, in pixels, and depths.
  pixelPad: f32,
  depthPad: f32,
}

// The common part of the boxes of two objects, as in linear-bvh.wgsl.
struct Overlap {
  low: vec3f,
  other: u32,
  high: vec3f,
  pair: u32,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> positions: array<f32>;
@group(0) @binding(2) var<storage, read> corners: array<u32>;
@group(0) @binding(3) var<storage, read> objectOf: array<u32>;
@group(0) @binding(4) var<storage, read> overlapStarts: array<u32>;
@group(0) @binding(5) var<storage, read> overlaps: array<Overlap>;
// Triangles left before and after a view.
@group(0) @binding(6) var<storage, read> sourceList: array<u32>;
@group(0) @binding(7) var<storage, read_write> targetList: array<u32>;
// 1 for the triangles of the source list that are hidden in a pixel.
@group(0) @binding(8) var<storage, read_write> hidden: array<atomic<u32>>;
// The lengths of the two lists.
@group(0) @binding(9) var<storage, read_write> lengths: array<atomic<u32>>;
// Three images: nearest depth, number of its object plus 1, nearest depth of other objects. Depths are stored as the
// complement of their bits: more is nearer, and 0 is nothing.
@group(0) @binding(10) var<storage, read_write> pixels: array<atomic<u32>>;
// The same memory as `lengths`, for the vertex stage.
@group(0) @binding(11) var<storage, read> drawnLengths: array<u32>;

const PAD = 1.1920929e-7;
// Triangles with a smaller area, relative to the square of their longest side, have no usable plane.
const MIN_TURN = 0.015625;
// Widens depths on a plane, relative to those of the triangle.
const PLANE_PAD = 0.00390625;

fn corner(triangle: u32, k: u32) -> vec3f {
  let at = 3u * corners[3u * triangle + k];
  return vec3f(positions[at], positions[at + 1u], positions[at + 2u]);
}

// In the image: pixels across, pixels up, depth.
fn project(p: vec3f) -> vec3f {
  let q = vec3f(p[(view.axis + 1u) % 3u], p[(view.axis + 2u) % 3u], p[view.axis]);
  return (q - view.origin) * view.scale;
}

// The triangles that reach into an overlap of their object's box with another's.
@compute @workgroup_size(256)
fn listTriangles(@builtin(global_invocation_id) id: vec3u) {
  let triangle = id.x;
  if (triangle >= view.triangleCount) {
    return;
  }
  let object = objectOf[triangle];
  let a = corner(triangle, 0u);
  let b = corner(triangle, 1u);
  let c = corner(triangle, 2u);
  let low = min(a, min(b, c)) - PAD;
  let high = max(a, max(b, c)) + PAD;
  for (var i = overlapStarts[object]; i < overlapStarts[object + 1u]; i++) {
    if (all(low <= overlaps[i].high) && all(high >= overlaps[i].low)) {
      targetList[atomicAdd(&lengths[view.targetLength], 1u)] = triangle;
      return;
    }
  }
}

// The triangles that are hidden somewhere go on.
@compute @workgroup_size(256)
fn keepHidden(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= atomicLoad(&lengths[view.sourceLength])) {
    return;
  }
  if (atomicLoad(&hidden[id.x]) == 1u) {
    atomicStore(&hidden[id.x], 0u);
    targetList[atomicAdd(&lengths[view.targetLength], 1u)] = sourceList[id.x];
  }
}

struct Fragment {
  @builtin(position) position: vec4f,
  @location(0) @interpolate(flat, either) a: vec3f,
  @location(1) @interpolate(flat, either) b: vec3f,
  @location(2) @interpolate(flat, either) c: vec3f,
  // Place in the list, and the object's number plus 1.
  @location(3) @interpolate(flat, either) place: vec2u,
}

// A corner of the quad around a triangle: whole pixels.
@vertex
fn placeQuad(@builtin(vertex_index) vertex: u32, @builtin(instance_index) instance: u32) -> Fragment {
  if (instance >= drawnLengths[view.sourceLength]) {
    // No area, no pixels.
    return Fragment(vec4f(0.0, 0.0, 0.0, 1.0), vec3f(0.0), vec3f(0.0), vec3f(0.0), vec2u(0u));
  }
  return quadOf(sourceList[instance], vertex, instance);
}

// The same for a triangle by its number, with an object's own draw.
@vertex
fn placeObjectQuad(@builtin(vertex_index) vertex: u32, @builtin(instance_index) triangle: u32) -> Fragment {
  return quadOf(triangle, vertex, triangle);
}

fn quadOf(triangle: u32, vertex: u32, instance: u32) -> Fragment {
  let a = project(corner(triangle, 0u));
  let b = project(corner(triangle, 1u));
  let c = project(corner(triangle, 2u));
  let size = f32(view.resolution);
  let low = clamp(floor(min(a.xy, min(b.xy, c.xy)) - view.pixelPad), vec2f(0.0), vec2f(size));
  let high = clamp(floor(max(a.xy, max(b.xy, c.xy)) + view.pixelPad) + 1.0, vec2f(0.0), vec2f(size));
  let isRight = vertex == 1u || vertex == 2u || vertex == 4u;
  let isUpper = vertex == 2u || vertex == 4u || vertex == 5u;
  let at = vec2f(select(low.x, high.x, isRight), select(low.y, high.y, isUpper));
  // Rows of the image run downwards.
  let place = vec2f(2.0 * at.x / size - 1.0, 1.0 - 2.0 * at.y / size);
  return Fragment(vec4f(place, 0.0, 1.0), a, b, c, vec2u(instance, objectOf[triangle] + 1u));
}

fn turn(a: vec2f, b: vec2f) -> f32 {
  return a.x * b.y - a.y * b.x;
}

fn spread(v: vec2f) -> f32 {
  return abs(v.x) + abs(v.y);
}

// Bounds of the depths of a triangle over a pixel square: nearest and farthest; the first is greater if it cannot meet it.
fn depthsOver(pixel: vec2f, fragment: Fragment) -> vec2f {
  let a = fragment.a;
  let u = fragment.b.xy - a.xy;
  let v = fragment.c.xy - a.xy;
  let w = fragment.c.xy - fragment.b.xy;
  let p = pixel - a.xy;
  let q = pixel - fragment.b.xy;
  let area = turn(u, v);
  let side = max(spread(u), spread(v));
  let reach = 0.5 + 4.0 * view.pixelPad;
  let depths = vec3f(a.z, fragment.b.z, fragment.c.z);
  var near = min(depths.x, min(depths.y, depths.z));
  var far = max(depths.x, max(depths.y, depths.z));
  let range = far - near;
  if (abs(area) > MIN_TURN * side * side && side > 2.0) {
    let way = sign(area);
    let outside = way * turn(u, p) < -reach * spread(u) || way * turn(w, q) < -reach * spread(w) ||
      way * turn(p, v) < -reach * spread(v);
    if (outside) {
      return vec2f(1.0, 0.0);
    }
    let du = depths.y - depths.x;
    let dv = depths.z - depths.x;
    let slope = vec2f(du * v.y - dv * u.y, dv * u.x - du * v.x) / area;
    let center = depths.x + dot(slope, p);
    let around = (0.5 + 4.0 * view.pixelPad) * spread(slope) + PLANE_PAD * range;
    near = max(near, center - around);
    far = min(far, center + around);
  } else {
    // A thin triangle lies along its longest side.
    let along = select(select(v, u, spread(u) >= spread(v)), w, spread(w) > side);
    let start = select(p, q, spread(w) > side);
    if (abs(turn(along, start)) > reach * spread(along) + abs(area) + PAD) {
      return vec2f(1.0, 0.0);
    }
  }
  return max(vec2f(near - view.depthPad, far + view.depthPad), vec2f(0.0));
}

fn nearness(depth: f32) -> u32 {
  return ~bitcast<u32>(depth);
}

@fragment
fn drawNearest(fragment: Fragment) -> @location(0) vec4f {
  let pixel = vec2u(fragment.position.xy);
  let depths = depthsOver(vec2f(pixel) + 0.5, fragment);
  if (depths.x <= depths.y) {
    atomicMax(&pixels[pixel.y * view.resolution + pixel.x], nearness(depths.x));
  }
  return vec4f(0.0);
}

@fragment
fn drawOwner(fragment: Fragment) -> @location(0) vec4f {
  let pixel = vec2u(fragment.position.xy);
  let at = pixel.y * view.resolution + pixel.x;
  let depths = depthsOver(vec2f(pixel) + 0.5, fragment);
  if (depths.x <= depths.y && nearness(depths.x) == atomicLoad(&pixels[at])) {
    atomicMax(&pixels[at + view.resolution * view.resolution], fragment.place.y);
  }
  return vec4f(0.0);
}

@fragment
fn drawSecond(fragment: Fragment) -> @location(0) vec4f {
  let pixel = vec2u(fragment.position.xy);
  let at = pixel.y * view.resolution + pixel.x;
  let size = view.resolution * view.resolution;
  let depths = depthsOver(vec2f(pixel) + 0.5, fragment);
  if (depths.x <= depths.y && fragment.place.y != atomicLoad(&pixels[at + size])) {
    atomicMax(&pixels[at + 2u * size], nearness(depths.x));
  }
  return vec4f(0.0);
}

@fragment
fn testHidden(fragment: Fragment) -> @location(0) vec4f {
  let pixel = vec2u(fragment.position.xy);
  let at = pixel.y * view.resolution + pixel.x;
  let size = view.resolution * view.resolution;
  let depths = depthsOver(vec2f(pixel) + 0.5, fragment);
  if (depths.x <= depths.y) {
    let isOwner = fragment.place.y == atomicLoad(&pixels[at + size]);
    let limit = atomicLoad(&pixels[at + select(0u, 2u * size, isOwner)]);
    // The reversed depth function: equal depths count as hidden.
    if (limit != 0u && nearness(depths.y) <= limit) {
      atomicStore(&hidden[fragment.place.x], 1u);
    }
  }
  return vec4f(0.0);
}

// Depths for the depth test of the device, in half of its range: the cleared depth is behind everything.
fn deviceDepth(depth: f32) -> f32 {
  return min(0.5 * depth, 0.75);
}

@fragment
fn testDepth(fragment: Fragment) -> @builtin(frag_depth) f32 {
  let depths = depthsOver(floor(fragment.position.xy) + 0.5, fragment);
  if (depths.x > depths.y) {
    discard;
  }
  return deviceDepth(depths.y);
}

@fragment
fn writeDepth(fragment: Fragment) -> @builtin(frag_depth) f32 {
  let depths = depthsOver(floor(fragment.position.xy) + 0.5, fragment);
  if (depths.x > depths.y) {
    discard;
  }
  return deviceDepth(depths.x);
}
