// Runs in the page of a report: a view of placed meshes by WebGL, without dependencies and without perspective. Drag turns, the wheel or two fingers
// zoom, the right button or Shift moves. Marks (points, lines, a label) are drawn over it.

/** @param {HTMLElement} root @param {{shapes: number[][], parts: number[][], data: string}} scene */
window.openModelView = openModelView;

async function openModelView(root, scene) {
  const canvas = root.appendChild(document.createElement('canvas'));
  const overlay = root.appendChild(document.createElement('canvas'));
  overlay.className = 'marks';
  const gl = canvas.getContext('webgl2', { antialias: true, alpha: true, premultipliedAlpha: true });
  if (gl === null) throw new Error('no WebGL 2');
  const bytes = await unpack(scene.data);

  const vertexCode = `#version 300 es
    in vec3 corner; in vec4 row0; in vec4 row1; in vec4 row2; in vec4 tint;
    uniform vec3 low; uniform vec3 size; uniform mat4 view; uniform mat4 project;
    out vec3 seen; out vec4 color;
    void main() {
      vec4 p = vec4(low + corner * size, 1.0);
      vec4 inView = view * vec4(dot(row0, p), dot(row1, p), dot(row2, p), 1.0);
      seen = inView.xyz; color = tint; gl_Position = project * inView;
    }`;
  const fragmentCode = `#version 300 es
    precision highp float;
    in vec3 seen; in vec4 color; out vec4 shown;
    void main() {
      vec3 n = normalize(cross(dFdx(seen), dFdy(seen)));
      float lit = 0.6 + 0.42 * max(0.0, dot(n, normalize(vec3(-0.45, 0.5, 0.75)))) + 0.08 * n.y;
      shown = vec4(color.rgb * lit * color.a, color.a);
    }`;
  const program = gl.createProgram();
  for (const [kind, code] of [
    [gl.VERTEX_SHADER, vertexCode],
    [gl.FRAGMENT_SHADER, fragmentCode],
  ]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, code);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? 'no program');
  gl.useProgram(program);
  const attribute = (name) => gl.getAttribLocation(program, name);
  const uniform = (name) => gl.getUniformLocation(program, name);
  const places = { low: uniform('low'), size: uniform('size'), view: uniform('view'), project: uniform('project') };

  // A shape: [vertices, triangles, bytes per index, start of its corners, start of its indices, low (3), size (3)].
  const shapes = scene.shapes.map(([vertices, triangles, wide, cornerStart, indexStart, ...box]) => {
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, bytes.subarray(cornerStart, cornerStart + 6 * vertices), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(attribute('corner'));
    gl.vertexAttribPointer(attribute('corner'), 3, gl.UNSIGNED_SHORT, true, 6, 0);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    const indices = bytes.subarray(indexStart, indexStart + 3 * wide * triangles);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
    const instances = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, instances);
    for (const [k, name] of ['row0', 'row1', 'row2', 'tint'].entries()) {
      gl.enableVertexAttribArray(attribute(name));
      gl.vertexAttribDivisor(attribute(name), 1);
      gl.vertexAttribPointer(attribute(name), 4, gl.FLOAT, false, 64, 16 * k);
    }
    const type = wide === 2 ? gl.UNSIGNED_SHORT : gl.UNSIGNED_INT;
    return { array, instances, type, count: 3 * triangles, low: box.slice(0, 3), size: box.slice(3), solid: 0, all: 0 };
  });
  const poses = scene.parts.map((part) => part.slice(1));
  const members = shapes.map(() => []);
  for (const [part, [shape]] of scene.parts.entries()) if (shape >= 0) members[shape].push(part);

  // The camera shows `size` around `focus` to each side, turned by two angles; what is more than `front` nearer to the eye than
  // the focus is cut away. Everything is drawn relative to `origin`.
  const camera = { focus: [0, 0, 0], size: 1, front: 1, yaw: 0.6, pitch: 0.4 };
  let origin = [0, 0, 0];
  let reach = 1;
  let paint = () => [0.6, 0.66, 0.72, 1];
  let marks = { points: [], lines: [], label: null };
  let asked = 0;

  function rotationOf([, , , x, y, z, w]) {
    return [
      [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
      [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
      [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ];
  }

  /** Writes the places and colors of all parts: opaque ones first. */
  function fill() {
    for (const [i, shape] of shapes.entries()) {
      const shown = [];
      for (const part of members[i]) {
        const tint = paint(part);
        if (tint !== null) shown.push({ part, tint });
      }
      shown.sort((a, b) => b.tint[3] - a.tint[3]);
      const values = new Float32Array(16 * shown.length);
      for (const [k, { part, tint }] of shown.entries()) {
        const rows = rotationOf(poses[part]);
        for (let r = 0; r < 3; r++) values.set([...rows[r], poses[part][r] - origin[r]], 16 * k + 4 * r);
        values.set(tint, 16 * k + 12);
      }
      shape.all = shown.length;
      shape.solid = shown.filter(({ tint }) => tint[3] === 1).length;
      gl.bindBuffer(gl.ARRAY_BUFFER, shape.instances);
      gl.bufferData(gl.ARRAY_BUFFER, values, gl.DYNAMIC_DRAW);
    }
    draw();
  }

  function axes() {
    const [cy, sy, cp, sp] = [camera.yaw, camera.pitch].flatMap((angle) => [Math.cos(angle), Math.sin(angle)]);
    const back = [sy * cp, sp, cy * cp];
    const right = [cy, 0, -sy];
    const up = [-sy * sp, cp, -cy * sp];
    return { right, up, back };
  }
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

  function draw() {
    if (asked === 0) asked = requestAnimationFrame(drawNow);
  }

  function drawNow() {
    asked = 0;
    const ratio = Math.min(2, devicePixelRatio);
    const [width, height] = [root.clientWidth, root.clientHeight].map((length) =>
      Math.max(1, Math.round(ratio * length)),
    );
    for (const surface of [canvas, overlay]) {
      if (surface.width !== width || surface.height !== height) [surface.width, surface.height] = [width, height];
    }
    const { right, up, back } = axes();
    const eye = camera.focus.map((value, k) => value - origin[k]);
    const view = [0, 1, 2].flatMap((k) => [right[k], up[k], back[k], 0]);
    view.push(-dot(right, eye), -dot(up, eye), -dot(back, eye), 1);
    const aspect = width / height;
    const across = 1 / (camera.size * Math.max(1, aspect));
    const along = aspect / (camera.size * Math.max(1, aspect));
    const [near, far] = [-camera.front, 2 * reach];
    const project = [across, 0, 0, 0, 0, along, 0, 0, 0, 0, 2 / (near - far), 0, 0, 0, (far + near) / (near - far), 1];
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.depthMask(true);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.uniformMatrix4fv(places.view, false, view);
    gl.uniformMatrix4fv(places.project, false, project);
    for (const faint of [false, true]) {
      if (faint) {
        gl.enable(gl.BLEND);
        gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
      } else gl.disable(gl.BLEND);
      gl.depthMask(!faint);
      for (const shape of shapes) {
        const first = faint ? shape.solid : 0;
        const count = (faint ? shape.all : shape.solid) - first;
        if (count === 0) continue;
        gl.bindVertexArray(shape.array);
        gl.bindBuffer(gl.ARRAY_BUFFER, shape.instances);
        for (const [k, name] of ['row0', 'row1', 'row2', 'tint'].entries()) {
          gl.vertexAttribPointer(attribute(name), 4, gl.FLOAT, false, 64, 64 * first + 16 * k);
        }
        gl.uniform3fv(places.low, shape.low);
        gl.uniform3fv(places.size, shape.size);
        gl.drawElementsInstanced(gl.TRIANGLES, shape.count, shape.type, 0, count);
      }
    }
    drawMarks(ratio, { right, up, back, eye, across, along });
  }

  function drawMarks(ratio, { right, up, eye, across, along }) {
    const pen = overlay.getContext('2d');
    const { width, height } = overlay;
    pen.clearRect(0, 0, width, height);
    const at = (point) => {
      const from = point.map((value, k) => value - origin[k] - eye[k]);
      const [x, y] = [across * dot(right, from), along * dot(up, from)];
      return [(0.5 + 0.5 * x) * width, (0.5 - 0.5 * y) * height];
    };
    const styles = getComputedStyle(root);
    pen.lineCap = 'round';
    const lines = marks.lines.map(([p, q]) => [at(p), at(q)]);
    for (const [color, thick] of [
      [styles.getPropertyValue('--page') || '#ffffff', 5],
      [styles.getPropertyValue('--mark'), 2.4],
    ]) {
      pen.strokeStyle = color;
      pen.fillStyle = color;
      pen.lineWidth = thick * ratio;
      pen.beginPath();
      for (const [p, q] of lines) {
        pen.moveTo(...p);
        pen.lineTo(...q);
      }
      pen.stroke();
      for (const point of marks.points) {
        pen.beginPath();
        pen.arc(...at(point), (thick + 2.2) * ratio, 0, 7);
        pen.fill();
      }
    }
    if (marks.label !== null) {
      const p = at(marks.label.at);
      pen.font = `600 ${15 * ratio}px system-ui, sans-serif`;
      pen.lineWidth = 4 * ratio;
      pen.strokeStyle = styles.getPropertyValue('--page') || '#ffffff';
      pen.fillStyle = styles.color;
      const place = [p[0] + 14 * ratio, p[1] - 12 * ratio];
      pen.strokeText(marks.label.text, ...place);
      pen.fillText(marks.label.text, ...place);
    }
  }

  /** Frames a ball, seen from a direction if one is given; `front` is how far before it nothing is cut away. */
  function frame(center, radius, towardEye, front = 2 * reach) {
    camera.focus = [...center];
    camera.size = radius;
    camera.front = front;
    if (towardEye) {
      const flat = Math.hypot(towardEye[0], towardEye[2]);
      camera.pitch = Math.atan2(towardEye[1], flat);
      if (flat > 1e-6) camera.yaw = Math.atan2(towardEye[0], towardEye[2]);
    }
    origin = [...center];
    fill();
  }

  const pointers = new Map();
  canvas.tabIndex = 0;
  overlay.style.pointerEvents = 'none';
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
  });
  for (const name of ['pointerup', 'pointercancel']) {
    canvas.addEventListener(name, (event) => pointers.delete(event.pointerId));
  }
  canvas.addEventListener('pointermove', (event) => {
    const before = pointers.get(event.pointerId);
    if (before === undefined) return;
    const now = [event.clientX, event.clientY];
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    pointers.set(event.pointerId, now);
    if (others.length > 0) {
      const apart = (p) => Math.hypot(p[0] - others[0][0], p[1] - others[0][1]);
      zoom(apart(before) / Math.max(1, apart(now)));
    } else if (event.shiftKey || event.buttons === 2 || event.buttons === 4) {
      const { right, up } = axes();
      const step = (2 * camera.size) / Math.min(root.clientWidth, root.clientHeight);
      camera.focus = camera.focus.map((value, k) => value - step * (dx * right[k] - dy * up[k]));
      draw();
    } else turn(-0.008 * dx, 0.008 * dy);
  });
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      zoom(Math.exp(0.0015 * Math.max(-200, Math.min(200, event.deltaY))));
    },
    { passive: false },
  );
  canvas.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }[event.key];
    if (step !== undefined) turn(...step);
    else if (event.key === '+') zoom(0.85);
    else if (event.key === '-') zoom(1.18);
    else return;
    event.preventDefault();
  });
  function turn(yaw, pitch) {
    camera.yaw += yaw;
    camera.pitch = Math.max(-1.55, Math.min(1.55, camera.pitch + pitch));
    draw();
  }
  function zoom(factor) {
    camera.size *= factor;
    draw();
  }
  new ResizeObserver(draw).observe(root);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', fill);

  return {
    frame,
    /** A color of the report's style by its name, as four numbers. */
    color: (name, opacity = 1) => {
      const value = Number.parseInt(getComputedStyle(root).getPropertyValue(`--${name}`).trim().slice(1), 16);
      return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255, opacity];
    },
    /** How far the scene reaches around the focus; the depth range follows it. */
    setReach: (length) => {
      reach = length;
    },
    /** A color of four numbers for each part, or null for none; drawn at once. */
    paint: (colors) => {
      paint = colors;
      fill();
    },
    mark: (shown) => {
      marks = { points: [], lines: [], label: null, ...shown };
      draw();
    },
    place: (part, pose) => {
      poses[part] = pose;
    },
    refresh: fill,
  };

  async function unpack(text) {
    const packed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }
}
