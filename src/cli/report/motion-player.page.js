// What the pages of motions share: the view, the slider with its button, and a plot whose cursor follows the frames.

/** Opens the view; null in a browser that cannot show it, which the page then says. */
window.openMotionView = async (root, scene, reach) => {
  try {
    const view = await window.openModelView(root, scene);
    view.setReach(reach);
    root.classList.add('live');
    return view;
  } catch {
    root.textContent = 'This browser shows no 3D view.';
    return null;
  }
};

/**
 * Plays by a button and a slider. `frameAt` tells the frame to show some seconds after the start, `secondsTo` when to start so that the
 * frame shown now comes first; null where there is nothing to play. Returns what stops it.
 */
window.playFrames = ({ show, frameAt, secondsTo }) => {
  const slider = document.querySelector('input[type="range"]');
  const play = document.getElementById('play');
  let playing = 0;
  let began = 0;
  function step(now) {
    show(frameAt((now - began) / 1000));
    playing = requestAnimationFrame(step);
  }
  function stop() {
    cancelAnimationFrame(playing);
    playing = 0;
    play.textContent = 'Play';
  }
  play.addEventListener('click', () => {
    const seconds = secondsTo();
    if (playing !== 0 || seconds === null) {
      stop();
      return;
    }
    play.textContent = 'Pause';
    began = performance.now() - 1000 * seconds;
    playing = requestAnimationFrame(step);
  });
  slider.addEventListener('input', () => {
    stop();
    show(Number(slider.value));
  });
  return stop;
};

/** The frames of a motion beside a plot: slider, plot, links and `present(frame)` show the same frame. */
window.playMotion = ({ plot, box, frameCount, firstFrame, present }) => {
  const { left, right, top, bottom } = box;
  const slider = document.getElementById('frame');
  const last = Math.max(1, frameCount - 1);
  const cursor = document.createElementNS('http://www.w3.org/2000/svg', 'line');
  cursor.setAttribute('class', 'nf-cursor');
  cursor.setAttribute('y1', top);
  cursor.setAttribute('y2', bottom);
  plot.append(cursor);

  let frame = -1;
  function show(next) {
    frame = Math.max(0, Math.min(frameCount - 1, Math.round(next)));
    slider.value = String(frame);
    const x = left + ((right - left) * frame) / last;
    cursor.setAttribute('x1', x);
    cursor.setAttribute('x2', x);
    present(frame);
  }

  // The whole motion takes at least four seconds, at most sixty frames a second.
  const duration = Math.max(4, frameCount / 60);
  const stop = window.playFrames({
    show,
    frameAt: (seconds) => ((seconds / duration) % 1) * (frameCount - 1),
    secondsTo: () => (duration * (frame >= frameCount - 1 ? 0 : frame)) / last,
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
  show(firstFrame);
  document.documentElement.dataset.state = 'ready';
};
