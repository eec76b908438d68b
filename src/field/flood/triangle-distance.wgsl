// Squares of distances to segments and triangles; put before the shaders that call these.

fn squareToSide(p: vec3f, a: vec3f, b: vec3f) -> f32 {
  let side = b - a;
  let square = dot(side, side);
  var d = p - a;
  if (square > 0.0) {
    let share = clamp(dot(d, side) / square, 0.0, 1.0);
    // From the nearer end, where the rounding of the share matters less.
    if (share > 0.5) {
      d = (p - b) + (1.0 - share) * side;
    } else {
      d -= share * side;
    }
  }
  return dot(d, d);
}

// `sidesOnly` leaves out the face, which for the thinnest triangles gives the same within the stated error.
fn squareToTriangle(p: vec3f, a: vec3f, b: vec3f, c: vec3f, sidesOnly: bool) -> f32 {
  var least = min(squareToSide(p, a, b), min(squareToSide(p, a, c), squareToSide(p, b, c)));
  if (!sidesOnly) {
    let u = b - a;
    let v = c - a;
    let normal = cross(u, v);
    let square = dot(normal, normal);
    let toB = cross(v, normal) / square;
    let toC = cross(normal, u) / square;
    var d = p - a;
    var s = dot(d, toB);
    var r = dot(d, toC);
    d = (p - a) - s * u - r * v;
    // The error of the weights grows with the distance from a; the remainder is small along the triangle, and so is its error.
    s += dot(d, toB);
    r += dot(d, toC);
    d = (p - a) - s * u - r * v;
    if (s >= 0.0 && r >= 0.0 && s + r <= 1.0) {
      least = min(least, dot(d, d));
    }
  }
  return least;
}
