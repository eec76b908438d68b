// Runs in the page of a certificate: the robots beside the plot. The slider, the plot and the view show the same frame.
(async () => {
  const motion = JSON.parse(document.getElementById('motion').textContent);
  const shown = document.getElementById('shown');
  const view = await window.openMotionView(document.getElementById('view'), motion.scene, 2 * motion.ball.radius);
  view?.frame(motion.ball.center, 0.62 * motion.ball.radius, [0.55, 0.45, 0.75]);

  function present(frame) {
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

  window.playMotion({
    plot: document.querySelector('svg.nf-band-plot'),
    box: motion.plot,
    frameCount: motion.poses.length,
    firstFrame: motion.worstFrame ?? 0,
    present,
  });
})();
