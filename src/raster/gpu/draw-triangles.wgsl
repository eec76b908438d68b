// Reads a triangle's corners from storage, so that vertices need no copies for the color of each triangle.

@group(0) @binding(0) var<uniform> view: mat4x4f;
@group(1) @binding(0) var<storage, read> positions: array<f32>;
@group(1) @binding(1) var<storage, read> indices: array<u32>;
@group(1) @binding(2) var<storage, read> colors: array<u32>;

struct Corner {
  @builtin(position) position: vec4f,
  @location(0) @interpolate(flat, either) color: u32,
}

@vertex
fn placeCorner(@builtin(vertex_index) corner: u32) -> Corner {
  let at = 3u * indices[corner];
  let point = vec4f(positions[at], positions[at + 1u], positions[at + 2u], 1.0);
  return Corner(view * point, colors[corner / 3u]);
}

@fragment
fn colorPixel(@location(0) @interpolate(flat, either) color: u32) -> @location(0) u32 {
  return color;
}
