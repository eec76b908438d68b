// A report as one self-contained HTML page: figures, pictures, and tables that sort by any column. Follows the light or
// dark setting of the system. A content security policy blocks all loading. Also well-formed XML.
import { escapeMarkup } from './markup.js';

/** A cell: text, or a number with its text; numbers sort by value. `link` is the id of a card. */
export interface ReportCell {
  readonly text: string;
  readonly value?: number | undefined;
  readonly link?: string | undefined;
}

/** A table with headings; the reader can sort its rows. */
export interface ReportTable {
  readonly kind: 'table';
  readonly title: string;
  readonly headings: readonly string[];
  readonly rows: readonly (readonly (ReportCell | string)[])[];
}

/** A picture of the page's width: markup of an `svg` element, inserted unchanged. */
export interface ReportPicture {
  readonly kind: 'picture';
  readonly title: string;
  readonly svg: string;
}

/** One of many small pictures with a title and lines of text. */
export interface ReportCard {
  /** Letters, digits, `-` and `_` only. */
  readonly id: string;
  readonly title: string;
  /** Markup of an `svg` element, inserted unchanged. */
  readonly svg: string;
  readonly lines: readonly (readonly [label: string, value: string])[];
}

/** Small pictures side by side. */
export interface ReportGallery {
  readonly kind: 'gallery';
  readonly title: string;
  readonly cards: readonly ReportCard[];
}

/** Anything else: markup, inserted unchanged. */
export interface ReportMarkup {
  readonly kind: 'markup';
  readonly title: string;
  readonly markup: string;
}

/** The content of a report page. All text is escaped; only `svg` and `markup` are markup. */
export interface HtmlReport {
  readonly title: string;
  /** One sentence below the title. */
  readonly lead: string;
  readonly figures: readonly (readonly [label: string, value: string])[];
  readonly sections: readonly (ReportTable | ReportPicture | ReportGallery | ReportMarkup)[];
  /** Style rules for classes in the pictures, inserted unchanged. */
  readonly style?: string | undefined;
  /** Values for the scripts, each as JSON in an element of this id. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  /** Run at the end of the page, in this order. */
  readonly scripts?: readonly string[] | undefined;
}

/** The page of a report. */
export function writeHtmlReport(report: HtmlReport): string {
  const title = escapeMarkup(report.title);
  const figures = report.figures.map(([label, value]) => `<div>${term(label, value)}</div>`).join('');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"/>
<title>${title}</title>
<style>${STYLE}${report.style ?? ''}</style>
</head>
<body>
<h1>${title}</h1>
<p>${escapeMarkup(report.lead)}</p>
<dl class="figures">${figures}</dl>
${report.sections.map(writeSection).join('\n')}
${Object.entries(report.data ?? {})
  .map(writeData)
  .join('\n')}
${[SORT_SCRIPT, ...(report.scripts ?? [])].map(writeScript).join('\n')}
</body>
</html>
`;
}

/** JSON without the characters that markup gives a meaning. */
function writeData([id, value]: readonly [string, unknown]): string {
  const text = JSON.stringify(value).replace(
    /[<>&\u2028\u2029\ufffe\uffff\ud800-\udfff\u007f]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `<script type="application/json" id="${escapeMarkup(id)}">${text}</script>`;
}

/** XML takes the script as it is; JavaScript takes the marks around it as comments. */
function writeScript(code: string): string {
  return `<script>//<![CDATA[\n${code.replaceAll(']]>', ']]\\u003e')}\n//]]></script>`;
}

function writeSection(section: HtmlReport['sections'][number]): string {
  return `<section>\n<h2>${escapeMarkup(section.title)}</h2>\n${writeContent(section)}\n</section>`;
}

function writeContent(section: HtmlReport['sections'][number]): string {
  switch (section.kind) {
    case 'picture':
      return `<div class="picture">${section.svg}</div>`;
    case 'table':
      return writeTable(section);
    case 'markup':
      return section.markup;
    case 'gallery':
      return `<div class="gallery">\n${section.cards.map(writeCard).join('\n')}\n</div>`;
  }
}

function writeTable({ headings, rows }: ReportTable): string {
  const head = headings
    .map((heading) => `<th scope="col"><button type="button">${escapeMarkup(heading)}</button></th>`)
    .join('');
  const body = rows.map((row) => `<tr>${row.map(writeCell).join('')}</tr>`).join('\n');
  return `<div class="scroll"><table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body}\n</tbody>\n</table></div>`;
}

function writeCell(cell: ReportCell | string): string {
  const { text, value, link } = typeof cell === 'string' ? { text: cell } : cell;
  const escaped = escapeMarkup(text);
  const content = link === undefined ? escaped : `<a href="#${escapeMarkup(link)}">${escaped}</a>`;
  return value === undefined ? `<td>${content}</td>` : `<td class="number" data-value="${value}">${content}</td>`;
}

function writeCard({ id, title, svg, lines }: ReportCard): string {
  const terms = lines.map(([label, value]) => term(label, value)).join('');
  return `<article id="${escapeMarkup(id)}"><h3>${escapeMarkup(title)}</h3>${svg}<dl>${terms}</dl></article>`;
}

function term(label: string, value: string): string {
  return `<dt>${escapeMarkup(label)}</dt><dd>${escapeMarkup(value)}</dd>`;
}

const STYLE = `
:root { color-scheme: light dark; --page: #ffffff; --raised: #f6f8fa; --text: #1a2530; --quiet: #566472; --line: #dde4ea; --accent: #0a6a94; }
@media (prefers-color-scheme: dark) { :root { --page: #12181e; --raised: #1c252d; --text: #e3eaf0; --quiet: #98a7b4; --line: #28333d; --accent: #5cc2ee; } }
body { margin: 2rem auto; max-width: 75rem; padding: 0 1rem; font: 400 14px/1.45 system-ui, sans-serif; background: var(--page); color: var(--text); }
h1 { font-size: 1.6rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2rem 0 0.6rem; }
h3 { font-size: 1rem; margin: 0 0 0.4rem; overflow-wrap: anywhere; }
p { color: var(--quiet); margin: 0.3rem 0 1rem; overflow-wrap: anywhere; }
a { color: var(--accent); }
dl { margin: 0; display: grid; grid-template-columns: max-content 1fr; gap: 0 0.8rem; font-variant-numeric: tabular-nums; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
.figures { display: flex; flex-wrap: wrap; gap: 1rem 2rem; }
.figures dd { font-size: 1.3rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.25rem 0.7rem; border-bottom: 1px solid var(--line); text-align: left; }
td.number { text-align: right; }
th button { all: unset; cursor: pointer; font-weight: 600; }
th button:focus-visible { outline: 2px solid var(--accent); }
th[aria-sort="ascending"] button::after { content: " \\2191"; }
th[aria-sort="descending"] button::after { content: " \\2193"; }
.gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(18rem, 1fr)); gap: 1rem; }
article { background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: 0.8rem; content-visibility: auto; contain-intrinsic-size: auto 28rem; }
article:target { border-color: var(--accent); }
svg { display: block; width: 100%; height: auto; }
@media print { :root { --page: #ffffff; --raised: #ffffff; --text: #000000; --quiet: #444444; --line: #bbbbbb; } body { max-width: none; margin: 0; } article { break-inside: avoid; content-visibility: visible; } }
`;

const SORT_SCRIPT = `
for (const table of document.querySelectorAll('table')) {
  const headings = Array.from(table.querySelectorAll('th'));
  const key = (row, column) => {
    const cell = row.cells[column];
    return 'value' in cell.dataset ? Number(cell.dataset.value) : cell.textContent;
  };
  const compare = (a, b) => typeof a === 'number' ? (typeof b === 'number' ? a - b : -1) : typeof b === 'number' ? 1 : a.localeCompare(b);
  headings.forEach((heading, column) => heading.querySelector('button').addEventListener('click', () => {
    const down = heading.getAttribute('aria-sort') === 'ascending';
    for (const other of headings) other.removeAttribute('aria-sort');
    heading.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    const body = table.tBodies[0];
    const rows = Array.from(body.rows).sort((a, b) => (down ? -1 : 1) * compare(key(a, column), key(b, column)));
    body.append(...rows);
  }));
}
`;
