// Runs in the page of a replay: the motion beside the plot. The slider, the plot and the view show the same frame.
(async () => {
  const motion = JSON.parse(document.getElementById('motion').textContent);
  const root = document.getElementById('view');
  const slider = document.getElementById('frame');
  const play = document.getElementById('play');
  const shown = document.getElementById('shown');
  const plot = document.querySelector('svg.nf-plot');
  const { left, right, top, bottom, frameCount } = motion.plot;
  const cursor = document.createElementNS('http://www.w3.org/2000/svg', 'line');
  cursor.setAttribute('class', 'nf-cursor');
  cursor.setAttribute('y1', top);
  cursor.setAttribute('y2', bottom);
  plot.append(cursor);

  let view = null;
  try {
    view = await window.openModelView(root, motion.scene);
    view.setReach(2 * motion.ball.radius);
    root.classList.add('live');
  } catch {
    root.textContent = 'This browser shows no 3D view.';
  }

  let frame = -1;
  function show(next) {
    frame = Math.max(0, Math.min(frameCount - 1, Math.round(next)));
    slider.value = String(frame);
    const x = left + ((right - left) * frame) / Math.max(1, frameCount - 1);
    cursor.setAttribute('x1', x);
    cursor.setAttribute('x2', x);
    const value = motion.clearance[frame];
    const words =
      value === null
        ? 'beyond the cut-off'
        : value > 0
          ? `clearance ${value} ${motion.unit}`
          : value === 0
            ? 'the models intersect'
            : `depth ${-value} ${motion.unit}`;
    shown.textContent = `frame ${frame}: ${words}`;
    if (view === null) return;
    // Long motions keep some of their frames.
    const kept = Math.round(((motion.poses.length - 1) * frame) / Math.max(1, frameCount - 1));
    const [a, b] = motion.poses[kept];
    view.place(0, a);
    view.place(1, b);
    const hit = value !== null && value <= 0;
    view.paint((part) => view.color(part === 0 ? 'bodyA' : hit ? 'overlapping' : 'bodyB'));
  }
  view?.frame(motion.ball.center, 0.62 * motion.ball.radius, [0.55, 0.45, 0.75]);

  let playing = 0;
  let began = 0;
  function step(now) {
    // The whole motion takes at least four seconds, at most sixty frames a second.
    const seconds = Math.max(4, frameCount / 60);
    show((((now - began) / 1000 / seconds) % 1) * (frameCount - 1));
    playing = requestAnimationFrame(step);
  }
  function stop() {
    cancelAnimationFrame(playing);
    playing = 0;
    play.textContent = 'Play';
  }
  play.addEventListener('click', () => {
    if (playing !== 0) {
      stop();
      return;
    }
    play.textContent = 'Pause';
    const seconds = Math.max(4, frameCount / 60);
    began = performance.now() - (1000 * seconds * (frame >= frameCount - 1 ? 0 : frame)) / Math.max(1, frameCount - 1);
    playing = requestAnimationFrame(step);
  });
  slider.addEventListener('input', () => {
    stop();
    show(Number(slider.value));
  });
  const scrub = (event) => {
    const place = plot.getBoundingClientRect();
    const x = ((event.clientX - place.left) / place.width) * plot.viewBox.baseVal.width;
    stop();
    show(((x - left) / (right - left)) * (frameCount - 1));
  };
  plot.addEventListener('pointerdown', (event) => {
    plot.setPointerCapture(event.pointerId);
    scrub(event);
  });
  plot.addEventListener('pointermove', (event) => {
    if (event.buttons !== 0) scrub(event);
  });
  for (const link of document.querySelectorAll('a[href^="#frame-"]')) {
    link.addEventListener('click', (event) => {
      event.preventDefault();
      stop();
      show(Number(link.getAttribute('href').slice(7)));
    });
  }
  show(motion.worstFrame ?? 0);
  document.documentElement.dataset.state = 'ready';
})();
