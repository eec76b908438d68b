// The planes of sums {b − a} of convex pieces, one workgroup per sum, twin of convex/minkowski-sums.ts. Facets of
// either piece, and all pairs of edges whose arcs of normals cross; then how far both pieces together reach along each
// normal. In single precision: every plane supports the sum up to rounding, and offsets are rounded outward.

struct Placement {
  // Rows of 3 × 4: the scaled rotation and the translation.
  x: vec4f,
  y: vec4f,
  z: vec4f,
  scale: f32,
  // The first vectors are points, whose w is a length; the others directions, whose w is a mark.
  pointCount: u32,
  vectorCount: u32,
}

// Positions in a solid's vectors. Normals of facets come before those that only split arcs; an arc is three vectors.
struct Leaf {
  firstPoint: u32,
  endPoint: u32,
  firstNormal: u32,
  endFacet: u32,
  endNormal: u32,
  firstArc: u32,
  arcCount: u32,
  flat: u32,
}

struct Pair {
  leafA: u32,
  leafB: u32,
  // Twice the capacity from here on: planes, then the normals as they are found.
  firstPlane: u32,
  capacity: u32,
  // A lower bound on the sum's distance from the origin.
  distance: f32,
}

struct Sum {
  // A ball around the sum: center and radius.
  ball: vec4f,
  // Planes that have the origin outside come first.
  firstPlane: u32,
  endOutside: u32,
  endPlane: u32,
  distance: f32,
}

@group(0) @binding(0) var<uniform> placement: Placement;
@group(0) @binding(1) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> placed: array<vec4f>;

@compute @workgroup_size(64)
fn place(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= placement.vectorCount) {
    return;
  }
  let v = vectors[i];
  var moved = vec3f(dot(placement.x.xyz, v.xyz), dot(placement.y.xyz, v.xyz), dot(placement.z.xyz, v.xyz));
  if (i < placement.pointCount) {
    moved += vec3f(placement.x.w, placement.y.w, placement.z.w);
    placed[i] = vec4f(moved, v.w * placement.scale);
  } else {
    placed[i] = vec4f(moved / placement.scale, v.w);
  }
}

@group(0) @binding(3) var<storage, read> pairs: array<Pair>;
@group(0) @binding(4) var<storage, read> leavesA: array<Leaf>;
@group(0) @binding(5) var<storage, read> leavesB: array<Leaf>;
@group(0) @binding(6) var<storage, read> vectorsA: array<vec4f>;
@group(0) @binding(7) var<storage, read> vectorsB: array<vec4f>;
@group(0) @binding(8) var<storage, read_write> sums: array<Sum>;
@group(0) @binding(9) var<storage, read_write> planes: array<vec4f>;
// Sixteenths of the capacity that the sum with the greatest shortage needed, plus one; 0 while all have enough room.
@group(0) @binding(10) var<storage, read_write> shortage: array<atomic<u32>>;

// Sines of angles. Arcs that miss each other by less than this count as crossing: an extra plane does no harm.
const NEARLY_CROSSING = 1e-6;
// Edges at a smaller angle have no common normal except by rounding.
const PARALLEL = 1e-6;
// A plane of two edges nearer than this to a facet's is left out: the facet's plane covers both.
const SAME_FACET = 3e-6;
// Offsets are enlarged by this, in units of the two models' radii: eight roundings.
const OUTWARDS = 5e-7;
const GROUP = 64u;

var<workgroup> used: atomic<u32>;
var<workgroup> outside: atomic<u32>;
var<workgroup> inside: atomic<u32>;

fn put(pair: Pair, normal: vec3f) {
  let slot = atomicAdd(&used, 1u);
  if (slot < pair.capacity) {
    planes[pair.firstPlane + pair.capacity + slot] = vec4f(normal, 0.0);
  }
}

fn isSameFacet(normal: vec3f, end: vec4f) -> bool {
  let off = normal - end.xyz;
  return end.w == 1.0 && dot(off, off) < SAME_FACET * SAME_FACET;
}

fn isBeside(edge: vec3f, first: vec3f, last: vec3f) -> bool {
  let begin = dot(edge, first);
  let end = dot(edge, last);
  return min(begin, end) > NEARLY_CROSSING || max(begin, end) < -NEARLY_CROSSING;
}

// Writes the plane of two edges if their arcs cross.
fn tryArcs(pair: Pair, arcA: u32, arcB: u32) {
  let edgeA = vectorsA[arcA].xyz;
  let firstB = vectorsB[arcB + 1u];
  let lastB = vectorsB[arcB + 2u];
  if (isBeside(edgeA, firstB.xyz, lastB.xyz)) {
    return;
  }
  let edgeB = vectorsB[arcB].xyz;
  let firstA = vectorsA[arcA + 1u];
  let lastA = vectorsA[arcA + 2u];
  if (isBeside(edgeB, firstA.xyz, lastA.xyz)) {
    return;
  }
  let across = cross(edgeA, edgeB);
  let squared = dot(across, across);
  if (squared < PARALLEL * PARALLEL) {
    return;
  }
  // Each arc crosses the other's circle, here or on the far side of the sphere.
  var normal = across * inverseSqrt(squared);
  if (dot(normal, firstA.xyz + lastA.xyz) < 0.0) {
    normal = -normal;
  }
  if (dot(normal, firstB.xyz + lastB.xyz) <= 0.0) {
    return;
  }
  if (isSameFacet(normal, firstA) || isSameFacet(normal, lastA)) {
    return;
  }
  if (isSameFacet(normal, firstB) || isSameFacet(normal, lastB)) {
    return;
  }
  put(pair, normal);
}

@compute @workgroup_size(64)
fn build(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let index = group.x + group.y * groups.x;
  if (index >= arrayLength(&pairs)) {
    return;
  }
  let pair = pairs[index];
  let a = leavesA[pair.leafA];
  let b = leavesB[pair.leafB];
  // Two polygons may be parallel; their sum then needs walls through its rim.
  let walled = a.flat == 1u && b.flat == 1u;
  let endA = select(a.endFacet, a.endNormal, walled);
  for (var i = a.firstNormal + local; i < endA; i += GROUP) {
    put(pair, vectorsA[i].xyz);
  }
  let endB = select(b.endFacet, b.endNormal, walled);
  for (var i = b.firstNormal + local; i < endB; i += GROUP) {
    put(pair, vectorsB[i].xyz);
  }
  for (var i = local; i < a.arcCount * b.arcCount; i += GROUP) {
    tryArcs(pair, a.firstArc + 3u * (i / b.arcCount), b.firstArc + 3u * (i % b.arcCount));
  }
  storageBarrier();
  workgroupBarrier();

  let wanted = atomicLoad(&used);
  let count = min(wanted, pair.capacity);
  for (var i = local; i < count; i += GROUP) {
    let normal = planes[pair.firstPlane + pair.capacity + i].xyz;
    var reachA = -1e30;
    for (var v = a.firstPoint; v < a.endPoint; v++) {
      reachA = max(reachA, dot(normal, vectorsA[v].xyz));
    }
    var reachB = -1e30;
    for (var v = b.firstPoint; v < b.endPoint; v++) {
      reachB = max(reachB, dot(normal, vectorsB[v].xyz));
    }
    let offset = reachA + reachB + OUTWARDS;
    var slot = 0u;
    if (offset < 0.0) {
      slot = atomicAdd(&outside, 1u);
    } else {
      slot = count - 1u - atomicAdd(&inside, 1u);
    }
    planes[pair.firstPlane + slot] = vec4f(normal, offset);
  }
  workgroupBarrier();
  if (local == 0u) {
    // The first vectors are the balls around the leaves.
    let ball = vectorsA[pair.leafA] + vectorsB[pair.leafB] + vec4f(0.0, 0.0, 0.0, OUTWARDS);
    sums[index] = Sum(
      ball,
      pair.firstPlane,
      pair.firstPlane + atomicLoad(&outside),
      pair.firstPlane + count,
      pair.distance,
    );
    if (wanted > pair.capacity) {
      atomicMax(&shortage[0], 16u * wanted / pair.capacity + 1u);
    }
  }
}
