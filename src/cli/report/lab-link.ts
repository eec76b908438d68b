// Links from a clash report to the lab. A page from a file cannot start a server, so the page says what to run first; the port
// is named there, so that the command fails where another program has it, instead of the links.

import type { GradedClash } from '../../clash/graded-clash.js';
import { escapeMarkup } from '../../io/report/markup.js';
import { LAB_FORMATS, labAddress } from '../lab-address.js';
import { DEFAULT_PORT } from '../lab-server.js';
import { extensionOf } from '../load-model.js';
import type { ReportedClashes } from './clash-report.js';

type Source = Pick<ReportedClashes, 'files' | 'clearance' | 'unit'>;

/** The lab's scene opens one file; a report of several has no links. */
function linkedFile({ files }: Source): string | null {
  return files.length === 1 && LAB_FORMATS.includes(extensionOf(files[0])) ? files[0] : null;
}

export function writeLabNote(source: Source): string {
  const file = linkedFile(source);
  if (file === null) return '';
  const word = /^[\w./-]+$/.test(file) ? file : `"${file}"`;
  const command = `npx nearfield lab ${word} --port ${DEFAULT_PORT}`;
  return (
    `<p id="lab-note">The links to the lab work while <code>${escapeMarkup(command)}</code> runs on this computer, ` +
    'in the folder where the report was made.</p>'
  );
}

export function writeLabLink(source: Source, { a, b }: GradedClash): string {
  const file = linkedFile(source);
  if (file === null) return '';
  const { clearance, unit } = source;
  const address = labAddress(file, { a: a + 1, b: b + 1, ...(clearance > 0 && { clearance }), unit });
  const href = `http://127.0.0.1:${DEFAULT_PORT}/${address}`;
  return `<p class="lab"><a href="${escapeMarkup(href)}" target="_blank" rel="noopener">Open in the lab</a></p>`;
}
