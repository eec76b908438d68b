// Strokes on the cells of a growth, one thread per cell of the stroke's box; and one field written over all cells.

struct Stroke {
  // In cells.
  start: vec3f,
  radius: f32,
  way: vec3f,
  phase: f32,
  // The first cell of the box, and the number of cells.
  low: vec3u,
  temperature: f32,
  count: vec3u,
  // Bit 0: sets the phase; 1: sets the temperature; 2: makes obstacles; 3: removes them; 4: there are obstacles.
  kind: u32,
  size: vec3u,
  // Cells from a row to the next in memory.
  stride: u32,
}

@group(0) @binding(0) var<uniform> stroke: Stroke;
@group(0) @binding(1) var<storage, read_write> cells: array<vec2f>;
@group(0) @binding(2) var<storage, read_write> room: array<u32>;
@group(0) @binding(3) var<storage, read> values: array<f32>;

@compute @workgroup_size(8, 8)
fn paint(@builtin(global_invocation_id) thread: vec3u) {
  if (any(thread >= stroke.count)) {
    return;
  }
  let at = stroke.low + thread;
  var offset = vec3f(at) - stroke.start;
  let square = dot(stroke.way, stroke.way);
  if (square > 0.0) {
    offset -= clamp(dot(offset, stroke.way) / square, 0.0, 1.0) * stroke.way;
  }
  if (dot(offset, offset) > stroke.radius * stroke.radius) {
    return;
  }
  let row = at.z * stroke.size.y + at.y;
  let cell = row * stroke.size.x + at.x;
  let place = row * stroke.stride + at.x;
  var value = cells[place];
  if ((stroke.kind & 4u) != 0u) {
    room[cell] = 0u;
  }
  if ((stroke.kind & 8u) != 0u) {
    room[cell] = 1u;
  }
  if ((stroke.kind & 1u) != 0u) {
    value.x = stroke.phase;
  }
  if ((stroke.kind & 16u) != 0u && room[cell] == 0u) {
    value.x = 0.0;
  }
  if ((stroke.kind & 2u) != 0u) {
    value.y = stroke.temperature;
  }
  cells[place] = value;
}

// Writes the phase (bit 0 of the kind) or the temperature of all cells.
@compute @workgroup_size(256)
fn scatter(@builtin(global_invocation_id) thread: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let end = arrayLength(&values);
  for (var cell = thread.x; cell < end; cell += 256u * groups.x) {
    let place = cell / stroke.size.x * stroke.stride + cell % stroke.size.x;
    if ((stroke.kind & 1u) != 0u) {
      cells[place].x = values[cell];
    } else {
      cells[place].y = values[cell];
    }
  }
}
