// The style of the parts of report pages that have a view: the view itself, cards with pictures, filters.
import { REPORT_COLORS } from '../../io/report/report-colors.js';

/** As custom properties, which the pages' scripts read too. */
function colorsOf(theme: 'light' | 'dark'): string {
  return Object.entries(REPORT_COLORS)
    .map(([name, color]) => `--${name}: ${color[theme]};`)
    .join(' ');
}

export const VIEW_STYLE = `
:root { ${colorsOf('light')} }
@media (prefers-color-scheme: dark) { :root { ${colorsOf('dark')} } }
.view { position: relative; aspect-ratio: 11 / 7; max-height: 72vh; width: 100%; background: #f4f6f8; border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
.view.live { background: var(--raised); --page: var(--raised); }
.view img { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain; }
.view canvas { position: absolute; inset: 0; width: 100%; height: 100%; touch-action: none; }
.view canvas:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
.view.live img { visibility: hidden; }
button, select, input { font: inherit; color: inherit; }
.bar { display: flex; gap: 0.8rem; align-items: center; color: var(--text); margin: 0.6rem 0 0; min-height: 2.2rem; }
.bar button, .filters select, .filters input[type="search"] { background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: 0.35rem 0.8rem; }
@media print { .view.live canvas { display: none; } .view.live img { visibility: visible; } .view { max-height: none; background: none; } .bar, #view-help { display: none; } }
`;

export const CLASH_STYLE = `${VIEW_STYLE}
@media screen { .scroll { max-height: 44vh; overflow: auto; } .scroll th { position: sticky; top: 0; z-index: 1; background: var(--page); } }
tbody tr { cursor: pointer; }
tbody tr.current td { background: color-mix(in srgb, var(--accent) 16%, transparent); }
.bar { flex-wrap: wrap; }
.bar label { display: inline-flex; gap: 0.35rem; align-items: center; }
.bar select { background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: 0.35rem; }
.grade { display: inline-flex; gap: 0.35rem; align-items: center; font-weight: 600; }
.grade::before { content: ""; width: 0.75rem; height: 0.75rem; border-radius: 3px; background: var(--clear); print-color-adjust: exact; }
.grade.interference::before { background: var(--overlapping); }
.grade.touch::before { background: var(--touching); }
.grade.clearance::before { background: var(--near); }
.legend { display: flex; gap: 1.2rem; margin: 0; }
.filters { display: flex; flex-wrap: wrap; gap: 0.7rem 1.2rem; align-items: center; margin: 0 0 1rem; }
.filters label { min-height: 2rem; display: inline-flex; align-items: center; gap: 0.35rem; }
#count { color: var(--quiet); }
article { scroll-margin-top: 1rem; }
article p.grade { margin: 0 0 0.2rem; color: var(--text); }
article.current { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
article[hidden] { display: none; }
.times { color: var(--quiet); font-weight: 400; }
button.picture { all: unset; display: block; position: relative; cursor: pointer; margin: 0 0 0.5rem; }
button.picture .missing { margin: 0; color: var(--accent); }
button.picture:focus-visible { outline: 2px solid var(--accent); }
button.picture img { display: block; width: 100%; height: auto; border-radius: 4px; print-color-adjust: exact; }
@media (prefers-color-scheme: dark) { button.picture img, .view:not(.live) img { filter: brightness(0.86); } }
.scale { position: absolute; left: 2.5%; bottom: 0.5rem; border: solid #1a2530; border-width: 0 1.5px 1.5px; color: #1a2530; font-size: 12px; line-height: 1.35; padding-left: 0.25rem; box-sizing: border-box; white-space: nowrap; }
details { margin-top: 0.4rem; }
summary { cursor: pointer; }
details ul { margin: 0.3rem 0 0; padding: 0; list-style: none; max-height: 14rem; overflow: auto; }
details button { all: unset; cursor: pointer; color: var(--accent); padding: 0.15rem 0; overflow-wrap: anywhere; }
details button[aria-pressed="true"] { font-weight: 600; }
@media print { .filters { display: none; } .gallery { grid-template-columns: 1fr 1fr; } article { contain-intrinsic-size: none; } }
`;
