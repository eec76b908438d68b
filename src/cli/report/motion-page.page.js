// Runs in the page of a replay: the motion beside the plot. The slider, the plot and the view show the same frame.
(async () => {
  const motion = JSON.parse(document.getElementById('motion').textContent);
  const shown = document.getElementById('shown');
  const { frameCount } = motion.plot;
  const view = await window.openMotionView(document.getElementById('view'), motion.scene, 2 * motion.ball.radius);
  view?.frame(motion.ball.center, 0.62 * motion.ball.radius, [0.55, 0.45, 0.75]);

  function wordsOf(value) {
    if (value === null) return 'beyond the cut-off';
    if (value > 0) return `clearance ${value} ${motion.unit}`;
    return value === 0 ? 'the models intersect' : `depth ${-value} ${motion.unit}`;
  }

  function present(frame) {
    const value = motion.clearance[frame];
    shown.textContent = `frame ${frame}: ${wordsOf(value)}`;
    if (view === null) return;
    // Long motions keep some of their frames.
    const kept = Math.round(((motion.poses.length - 1) * frame) / Math.max(1, frameCount - 1));
    const [a, b] = motion.poses[kept];
    view.place(0, a);
    view.place(1, b);
    const hit = value !== null && value <= 0;
    view.paint((part) => view.color(part === 0 ? 'bodyA' : hit ? 'overlapping' : 'bodyB'));
  }

  window.playMotion({
    plot: document.querySelector('svg.nf-plot'),
    box: motion.plot,
    frameCount,
    firstFrame: motion.worstFrame ?? 0,
    present,
  });
})();
