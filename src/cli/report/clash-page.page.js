// Runs in the page of a clash report: the view of the assembly, the filters and the order of the cards.
(async () => {
  const scene = JSON.parse(document.getElementById('scene').textContent);
  const clashes = JSON.parse(document.getElementById('clashes').textContent);
  const root = document.getElementById('view');
  const caption = document.getElementById('shown');
  const cards = Array.from(document.querySelectorAll('article[data-grade]'));
  const gallery = cards.length > 0 ? cards[0].parentElement : null;

  const [seeA, seeB, others] = ['see-a', 'see-b', 'others'].map((id) => document.getElementById(id));
  /** The clash in the view; null for the whole assembly. */
  let shown = null;

  const colors = { interference: 'overlapping', touch: 'touching', clearance: 'near' };
  const order = Object.keys(colors);
  const worst = new Map();
  for (const { a, b, grade } of clashes.list) {
    for (const part of [a, b]) {
      if (!worst.has(part) || order.indexOf(grade) < order.indexOf(worst.get(part))) worst.set(part, grade);
    }
  }

  let view = null;
  try {
    view = await window.openModelView(root, scene);
    root.classList.add('live');
    view.setReach(2 * clashes.ball.radius);
    showAll();
  } catch {
    // The picture stays.
    document.getElementById('view-help').textContent = 'This browser shows no 3D view, so this is a picture.';
  }

  function showAll() {
    caption.textContent = clashes.overview;
    shown = null;
    markCurrent(null);
    if (view === null) return;
    view.mark({});
    const large = new Set(clashes.large);
    view.paint((part) => {
      const color = colors[worst.get(part)];
      return view.color(color ?? 'clear', large.has(part) ? 0.2 : color === undefined ? 0.22 : 1);
    });
    view.frame(clashes.ball.center, 0.72 * clashes.ball.radius, [0.55, 0.45, 0.75]);
  }

  function show(index) {
    const clash = clashes.list[index];
    const { a, b, pointA, pointB, center, radius, towardEye, label, like, turn } = clash;
    const segments = like === undefined ? clash.segments : clashes.list[like].segments;
    caption.textContent = `${index + 1}. ${clashes.names[a]} – ${clashes.names[b]}: ${label}`;
    markCurrent(index);
    shown = index;
    if (view === null) return;
    paintPair(a, b);
    const lines = [];
    for (let o = 0; o < segments.length; o += 6) {
      const end = (k) => {
        const from = segments.slice(o + k, o + k + 3);
        const along = (row) => turn[3 * row] * from[0] + turn[3 * row + 1] * from[1] + turn[3 * row + 2] * from[2];
        return [0, 1, 2].map((axis) => center[axis] + radius * (like === undefined ? from[axis] : along(axis)));
      };
      lines.push([end(0), end(3)]);
    }
    const apart = pointA.some((value, k) => value !== pointB[k]);
    view.mark({
      points: apart ? [pointA, pointB] : lines.length === 0 ? [pointA] : [],
      lines: apart ? [[pointA, pointB]] : lines,
      label: { at: pointB, text: label },
    });
    view.frame(center, radius, towardEye, 2.5 * radius);
  }

  /** The two parts in their colors; the others as the page's controls say. */
  function paintPair(a, b) {
    const rest = { faint: 0.07, hidden: 0, shown: 1 }[others.value];
    view.paint((part) => {
      if (part === a) return view.color('bodyA', seeA.checked ? 1 : 0);
      if (part === b) return view.color('bodyB', seeB.checked ? 1 : 0);
      return view.color('clear', rest);
    });
  }

  function markCurrent(index) {
    for (const button of document.querySelectorAll('button[data-show]')) {
      button.setAttribute('aria-pressed', String(index !== null && Number(button.dataset.show) === index));
    }
    for (const card of cards)
      card.classList.toggle('current', index !== null && card.dataset.members.split(' ').includes(String(index)));
  }

  document.addEventListener('click', (event) => {
    const button = event.target.closest('[data-show]');
    if (button === null) return;
    show(Number(button.dataset.show));
    if (root.getBoundingClientRect().bottom < 80) root.scrollIntoView({ block: 'start' });
  });
  document.getElementById('show-all').addEventListener('click', showAll);
  for (const control of [seeA, seeB, others]) {
    control.addEventListener('input', () => {
      if (view !== null && shown !== null) paintPair(clashes.list[shown].a, clashes.list[shown].b);
    });
  }
  document.getElementById('copy').addEventListener('click', async () => {
    const rows = shown === null ? Array.from(clashes.list.keys()) : [shown];
    const lines = rows.map((index) => {
      const { a, b, label } = clashes.list[index];
      return [index + 1, clashes.names[a], clashes.names[b], label].join('\t');
    });
    await navigator.clipboard.writeText(`${lines.join('\n')}\n`);
    caption.textContent = `${lines.length} ${lines.length === 1 ? 'line' : 'lines'} copied`;
  });

  const search = document.getElementById('search');
  const sort = document.getElementById('sort');
  const boxes = Array.from(document.querySelectorAll('input[name="grade"]'));
  const keys = {
    worst: (card) => Number(card.dataset.rank),
    depth: (card) => -Number(card.dataset.depth),
    distance: (card) => Number(card.dataset.distance),
    times: (card) => -card.dataset.members.split(' ').length,
    a: (card) => card.dataset.a,
    b: (card) => card.dataset.b,
  };
  function arrange() {
    const words = search.value.trim().toLowerCase().split(/\s+/);
    const grades = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    let shown = 0;
    let pairs = 0;
    for (const card of cards) {
      const names = card.dataset.names.toLowerCase();
      const fits = grades.has(card.dataset.grade) && words.every((word) => names.includes(word));
      card.hidden = !fits;
      if (fits) {
        shown++;
        pairs += card.dataset.members.split(' ').length;
      }
    }
    const key = keys[sort.value];
    const compare = (p, q) => (typeof p === 'string' ? p.localeCompare(q, undefined, { numeric: true }) : p - q);
    cards.sort((p, q) => compare(key(p), key(q)) || keys.worst(p) - keys.worst(q));
    gallery?.append(...cards);
    document.getElementById('count').textContent =
      cards.length === 0 ? '' : `${shown} of ${cards.length} shown, ${pairs} ${pairs === 1 ? 'pair' : 'pairs'}`;
  }
  for (const control of [search, sort, ...boxes]) control.addEventListener('input', arrange);
  arrange();

  const linked = /^#clash-(\d+)$/.exec(location.hash);
  if (linked !== null && clashes.list[linked[1] - 1] !== undefined) show(linked[1] - 1);
  document.documentElement.dataset.state = 'ready';
})();
