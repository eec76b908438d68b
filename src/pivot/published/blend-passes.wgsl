// Adds a constant to the pixels that triangles cover, and finds the greatest sum of an image.

@group(0) @binding(0) var<storage, read> positions: array<f32>;
@group(0) @binding(1) var<storage, read> indices: array<u32>;
@group(0) @binding(3) var sums: texture_2d<f32>;
@group(0) @binding(4) var<storage, read_write> greatest: atomic<u32>;

@vertex
fn placeCorner(@builtin(vertex_index) corner: u32) -> @builtin(position) vec4f {
  let at = 3u * indices[corner];
  return vec4f(positions[at], positions[at + 1u], positions[at + 2u], 1.0);
}

// The blend constant is multiplied by this.
@fragment
fn addConstant() -> @location(0) vec4f {
  return vec4f(1.0);
}

// A workgroup per row.
@compute @workgroup_size(64)
fn findGreatest(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
  let width = textureDimensions(sums).x;
  var own = 0.0;
  for (var column = local; column < width; column += 64u) {
    own = max(own, textureLoad(sums, vec2u(column, group.x), 0).r);
  }
  let sum = u32(round(255.0 * own));
  if (atomicLoad(&greatest) < sum) {
    atomicMax(&greatest, sum);
  }
}
