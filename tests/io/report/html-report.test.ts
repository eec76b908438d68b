import { describe, expect, test } from 'vitest';
import { type HtmlReport, writeHtmlReport } from '../../../src/io/report/html-report.js';
import { escapeMarkup, formatCoordinate } from '../../../src/io/report/markup.js';
import { findMarkupFault } from '../../cli/well-formed.js';

describe('markup', () => {
  test('text cannot break out of it', () => {
    expect(escapeMarkup(`<b a="1" c='2'>&amp;`)).toBe('&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;');
    expect(escapeMarkup('a\u0000b\u001b\tc\n\ud800d\uffff')).toBe('a\ufffdb\ufffd\tc\n\ufffdd\ufffd');
    expect(escapeMarkup('é 漢 😀')).toBe('é 漢 😀');
  });

  test('coordinates are short', () => {
    expect([0, -0.01, 10, 100, 1.25, -3.04, 12345.678].map((value) => formatCoordinate(value))).toEqual([
      '0',
      '0',
      '10',
      '100',
      '1.3',
      '-3',
      '12345.7',
    ]);
  });
});

describe('report pages', () => {
  const evil = '</title><script>x</script>"\'&';
  const report: HtmlReport = {
    title: evil,
    lead: evil,
    figures: [[evil, evil]],
    sections: [
      { kind: 'picture', title: evil, svg: '<svg viewBox="0 0 1 1"></svg>' },
      {
        kind: 'table',
        title: evil,
        headings: [evil, 'n'],
        rows: [
          [evil, { text: evil, value: 3, link: 'card-1' }],
          [{ text: 'plain' }, { text: '1e-9', value: 1e-9 }],
        ],
      },
      {
        kind: 'gallery',
        title: evil,
        cards: [{ id: 'card-1', title: evil, svg: '<svg></svg>', lines: [[evil, evil]] }],
      },
    ],
    style: '.x { fill: red; }',
  };

  test('escape everything but pictures and are well-formed', () => {
    const page = writeHtmlReport(report);
    expect(findMarkupFault(page)).toBeNull();
    expect(page.match(/<script>/g)).toHaveLength(1);
    expect(page).toContain('<svg viewBox="0 0 1 1"></svg>');
    expect(page).toContain('data-value="3"><a href="#card-1">');
    expect(page).toContain('data-value="1e-9"');
    expect(page).toContain('prefers-color-scheme: dark');
    expect(page).toContain("default-src 'none'");
  });

  test('the check of well-formedness finds faults', () => {
    for (const wrong of ['<a><b></a></b>', '<a', '<a x=1></a>', '<a>&</a>', '<a></a><b></b>', '', '<a x="1" x="2"/>']) {
      expect(findMarkupFault(wrong), wrong).not.toBeNull();
    }
    expect(findMarkupFault('<a x="&amp;">1 &lt; 2<b/></a>')).toBeNull();
  });
});
