// Runs in the page of a sweep: the motion of the pair whose chart was chosen, with a slider along its axis.
(async () => {
  const sweep = JSON.parse(document.getElementById('sweep').textContent);
  const slider = document.getElementById('place');
  const shown = document.getElementById('shown');
  const charts = sweep.runs.map((_, i) => document.getElementById(`pair-${i}`));
  const view = await window.openMotionView(document.getElementById('view'), sweep.scene, 3 * sweep.ball.radius);
  view?.frame(sweep.ball.center, 0.8 * sweep.ball.radius, [0.5, 0.45, 0.8]);
  let run = null;
  let at = 0;

  function show(next) {
    if (run === null) return;
    at = Math.max(0, Math.min(run.places.length - 1, Math.round(next)));
    slider.value = String(at);
    const gap = run.gaps[at];
    const words = gap > 0 ? `gap ${gap.toPrecision(4)}` : 'the parts meet';
    shown.textContent = `${run.names.join(' – ')}, ${run.axis} ${run.places[at].toPrecision(4)}: ${words}`;
    if (view === null) return;
    for (const [body, poses] of run.poses.entries()) view.place(body, poses[Math.min(at, poses.length - 1)]);
    view.paint((part) => {
      if (part !== run.a && part !== run.b) return view.color('clear', 0.35);
      return view.color(gap === 0 ? 'overlapping' : part === run.a ? 'bodyA' : 'bodyB');
    });
    const marked = at === run.worst && run.points[0] !== null;
    view.mark(marked ? { points: run.points, lines: [run.points] } : {});
  }

  function choose(index) {
    run = sweep.runs[index] ?? null;
    for (const [i, chart] of charts.entries()) chart?.classList.toggle('current', i === index);
    if (run === null) return;
    slider.max = String(run.places.length - 1);
    show(run.worst);
  }

  // Five seconds from end to end, and back.
  const stop = window.playFrames({
    show,
    frameAt(seconds) {
      const share = (seconds / 5) % 2;
      return (share > 1 ? 2 - share : share) * (run.places.length - 1);
    },
    secondsTo: () => (run === null ? null : (5 * at) / (run.places.length - 1)),
  });
  for (const [i, chart] of charts.entries()) {
    chart?.addEventListener('click', () => {
      stop();
      choose(i);
    });
  }
  choose(0);
  document.documentElement.dataset.state = 'ready';
})();
