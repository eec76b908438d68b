// Textures into buffers without gaps, whatever the depth format; one 32-bit number per pixel.

@group(0) @binding(0) var color: texture_2d_array<u32>;
@group(0) @binding(1) var depth: texture_depth_2d_array;
@group(0) @binding(2) var stencil: texture_2d_array<u32>;
@group(0) @binding(3) var<storage, read_write> pixels: array<u32>;

fn store(at: vec3u, size: vec2u, value: u32) {
  pixels[(at.z * size.y + at.y) * size.x + at.x] = value;
}

@compute @workgroup_size(8, 8)
fn copyColor(@builtin(global_invocation_id) at: vec3u) {
  let size = textureDimensions(color);
  if (all(at.xy < size)) {
    store(at, size, textureLoad(color, at.xy, at.z, 0).r);
  }
}

@compute @workgroup_size(8, 8)
fn copyDepth(@builtin(global_invocation_id) at: vec3u) {
  let size = textureDimensions(depth);
  if (all(at.xy < size)) {
    store(at, size, bitcast<u32>(textureLoad(depth, at.xy, at.z, 0)));
  }
}

@compute @workgroup_size(8, 8)
fn copyStencil(@builtin(global_invocation_id) at: vec3u) {
  let size = textureDimensions(stencil);
  if (all(at.xy < size)) {
    store(at, size, textureLoad(stencil, at.xy, at.z, 0).r);
  }
}
