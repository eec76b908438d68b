// Runs in the page of a certificate: the robots beside the plot. The slider, the plot and the view show the same frame.
(async () => {
  const motion = JSON.parse(document.getElementById('motion').textContent);
  const root = document.getElementById('view');
  const slider = document.getElementById('frame');
  const play = document.getElementById('play');
  const shown = document.getElementById('shown');
  const plot = document.querySelector('svg.nf-band-plot');
  const { left, right, top, bottom } = motion.plot;
  const frameCount = motion.poses.length;
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
    const words = value === null ? 'nothing to come near to' : value === 0 ? 'bodies meet' : `clearance ${value} m`;
    shown.textContent = `${motion.times[frame]} s: ${words}`;
    if (view === null) return;
    for (let part = 0; part < motion.robots.length; part++) {
      view.place(part, motion.poses[frame].slice(7 * part, 7 * part + 7));
    }
    const hit = value !== null && (value === 0 || value < motion.wanted);
    view.paint((part) => view.color(!motion.robots[part] ? 'bodyB' : hit ? 'overlapping' : 'bodyA'));
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
