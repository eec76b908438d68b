// Shapes, transforms, viewports, `use` and styles, by coordinates worked out by hand; files that must be refused.
import { describe, expect, test } from 'vitest';
import type { SvgCurve, SvgDrawing } from '../../../src/io/drawing/svg-drawing.js';
import { readSvg } from '../../../src/io/index.js';
import { laterCodeOf } from '../../error-code.js';

function inSvg(content: string, attributes = 'viewBox="0 0 100 50"'): Promise<SvgDrawing> {
  return readSvg(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`);
}

/** The first points of all curves, rounded. */
function startsOf({ shapes }: SvgDrawing): number[][] {
  return shapes.flatMap(({ subpaths }) => subpaths.flatMap(({ curves }) => curves.map(startOf)));
}

function startOf(curve: SvgCurve): number[] {
  const [x, y] =
    curve.type === 'bezier'
      ? curve.points[0]
      : [curve.center[0] + curve.radius * Math.cos(curve.from), curve.center[1] + curve.radius * Math.sin(curve.from)];
  return [x, y].map((value) => Math.round(value * 1e9) / 1e9 + 0);
}

async function messageOf(text: string): Promise<string> {
  return readSvg(text).then(
    () => 'read',
    (error: Error) => error.message,
  );
}

describe('shapes', () => {
  test('lines, polylines and polygons', async () => {
    const drawing = await inSvg(
      '<line x1="1" y1="2" x2="3" y2="4"/><polyline points="0,0 1,0 1,1"/><polygon points="0 0 2 0,2 2"/>',
    );
    expect(drawing.shapes.map(({ element, filled, subpaths }) => [element, filled, subpaths[0].closed])).toEqual([
      ['line', false, false],
      ['polyline', true, false],
      ['polygon', true, true],
    ]);
    expect(drawing.shapes.map(({ subpaths }) => subpaths[0].curves.length)).toEqual([1, 2, 3]);
  });

  test('rectangles, also with round corners', async () => {
    expect(startsOf(await inSvg('<rect x="1" y="2" width="10" height="4"/>'))).toEqual([
      [1, 2],
      [11, 2],
      [11, 6],
      [1, 6],
    ]);
    const round = await inSvg('<rect x="1" y="2" width="10" height="6" rx="2"/>');
    expect(round.shapes[0].subpaths[0].curves.map(({ type }) => type)).toEqual([
      'bezier',
      'arc',
      'bezier',
      'arc',
      'bezier',
      'arc',
      'bezier',
      'arc',
    ]);
    expect(startsOf(round)).toEqual([
      [3, 2],
      [9, 2],
      [11, 4],
      [11, 6],
      [9, 8],
      [3, 8],
      [1, 6],
      [1, 4],
    ]);
    // Radii are cut to half of the sides: a stadium has no straight left and right.
    const stadium = await inSvg('<rect width="10" height="4" ry="2" rx="2"/>');
    expect(stadium.shapes[0].subpaths[0].curves).toHaveLength(6);
    const ellipse = await inSvg('<rect width="10" height="4" rx="9" ry="9"/>');
    expect(ellipse.shapes[0].subpaths[0].curves.every(({ type }) => type === 'bezier')).toBe(true);
  });

  test('circles and ellipses', async () => {
    const { shapes } = await inSvg(
      '<circle cx="3" cy="4" r="2"/><ellipse cx="3" cy="4" rx="2"/><ellipse rx="2" ry="1"/>',
    );
    const whole = { type: 'arc', center: [3, 4], radius: 2, from: 0, to: 2 * Math.PI };
    expect(shapes[0].subpaths).toEqual([{ closed: true, curves: [whole] }]);
    expect(shapes[1].subpaths).toEqual(shapes[0].subpaths);
    expect(shapes[2].subpaths[0].curves).toHaveLength(16);
  });

  test('ids, fill, rule and lines of the file are kept', async () => {
    const drawing = await readSvg(
      '<svg viewBox="0 0 9 9">\n<g fill="none">\n<path id="a" d="M0 0h1"/>\n<path fill="red" fill-rule="evenodd" d="M0 0h1v1z"/></g></svg>',
    );
    expect(drawing.shapes.map(({ id, filled, fillRule, line }) => [id, filled, fillRule, line])).toEqual([
      ['a', false, 'nonzero', 3],
      [null, true, 'evenodd', 4],
    ]);
  });

  test('shapes without size draw nothing', async () => {
    const { shapes, warnings } = await inSvg(
      '<circle r="0"/><rect width="3"/><ellipse/><polygon points=""/><path/><path d="M1 1"/><line x2="1"/>',
    );
    expect(shapes).toHaveLength(1);
    expect(warnings).toContain('<path> without size is left out (2 times).');
  });
});

describe('transforms', () => {
  test.each([
    ['translate(5)', [6, 2]],
    ['translate(5,-1)', [6, 1]],
    ['scale(2)', [2, 4]],
    ['scale(2 3)', [2, 6]],
    ['rotate(90)', [-2, 1]],
    ['rotate(90 1 1)', [0, 1]],
    ['rotate(-450, 1, 1)', [2, 1]],
    ['skewX(45)', [3, 2]],
    ['skewY(45)', [1, 3]],
    ['matrix(1 2 3 4 5 6)', [1 + 6 + 5, 2 + 8 + 6]],
    ['translate(1) scale(2),rotate(90)\n', [-3, 2]],
    [' ', [1, 2]],
    ['none', [1, 2]],
  ])('%s', async (transform, place) => {
    const drawing = await inSvg(`<path transform="${transform}" d="M1 2h1"/>`);
    expect(startsOf(drawing)[0]).toEqual(place);
  });

  test('nested groups apply the inner first', async () => {
    const drawing = await inSvg('<g transform="translate(10 0)"><g transform="scale(2)"><line x1="1" x2="2"/></g></g>');
    expect(startsOf(drawing)).toEqual([[12, 0]]);
  });

  test('a circle stays one when turned, mirrored and scaled evenly, with its direction', async () => {
    const { shapes } = await inSvg('<circle r="1" transform="translate(3 3) rotate(90) scale(-2 2)"/>');
    expect(shapes[0].subpaths[0].curves).toEqual([
      { type: 'arc', center: [3, 3], radius: 2, from: -Math.PI / 2, to: (-5 * Math.PI) / 2 },
    ]);
    const uneven = await inSvg('<circle r="1" transform="scale(1 2)"/>');
    expect(uneven.shapes[0].subpaths[0].curves.every(({ type }) => type === 'bezier')).toBe(true);
  });

  test.each(['turn(3)', 'scale(1', 'rotate(1 2)', 'matrix(1 2 3)', 'scale()', 'translate(1px)', 'scale 2'])(
    'refuses %s',
    async (transform) => {
      expect(await laterCodeOf(() => inSvg(`<path transform="${transform}" d="M1 2h1"/>`))).toBe('file-format');
    },
  );

  test('what is scaled to nothing is left out with a warning', async () => {
    const { shapes, warnings } = await inSvg('<g transform="scale(0)"><line x2="1"/></g><line x2="1"/>');
    expect(shapes).toHaveLength(1);
    expect(warnings).toEqual(['<g> is scaled to nothing and left out.']);
  });
});

describe('viewports', () => {
  const line = '<line x1="1" y1="1" x2="2"/>';

  test('coordinates stay those of the view box, which is the box', async () => {
    const drawing = await inSvg(line, 'viewBox="-5 -6 20 10" width="40mm" height="20mm"');
    expect(drawing.box).toEqual([-5, -6, 15, 4]);
    expect(startsOf(drawing)).toEqual([[1, 1]]);
    expect(drawing.millimetersPerUnit).toBeCloseTo(2, 12);
  });

  test.each([
    ['viewBox="0 0 10 10" width="1in"', [0, 0, 10, 10], 2.54],
    ['viewBox="0 0 10 10" width="1in" height="2in"', [0, 0, 10, 10], 2.54],
    ['viewBox="0 0 10 10" width="1in" height="2in" preserveAspectRatio="xMinYMax slice"', [0, 0, 10, 10], 5.08],
    ['viewBox="0 0 10 10" width="1in" height="2in" preserveAspectRatio="none"', [0, 0, 10, 10], null],
    ['viewBox="0 0 10 10" width="100%" height="1em"', [0, 0, 10, 10], null],
    ['viewBox="0 0 10 10"', [0, 0, 10, 10], null],
    ['width="96" height="2.54cm"', [0, 0, 96, 96], 25.4 / 96],
    ['', [0.95, -0.05, 2.05, 1.05], null],
  ])('%s', async (attributes, box, unit) => {
    const drawing = await inSvg(line, attributes);
    for (let i = 0; i < 4; i++) expect(drawing.box[i]).toBeCloseTo(box[i], 12);
    if (unit === null) expect(drawing.millimetersPerUnit).toBeNull();
    else expect(drawing.millimetersPerUnit).toBeCloseTo(unit, 12);
  });

  test.each([
    ['', [60, 20]],
    ['preserveAspectRatio="xMinYMin"', [50, 20]],
    ['preserveAspectRatio="xMaxYMid meet"', [70, 20]],
    ['preserveAspectRatio="none"', [50, 20]],
    ['preserveAspectRatio="xMidYMin slice"', [50, 20]],
    ['preserveAspectRatio="xMidYMax slice"', [50, 0]],
  ])('a nested drawing of 40 by 20 with a square view box, %s', async (ratio, corner) => {
    const nested = `<svg x="50" y="20" width="40" height="20" viewBox="0 0 10 10" ${ratio}><line x2="1"/></svg>`;
    expect(startsOf(await inSvg(nested))).toEqual([corner]);
  });

  test('percentages and units', async () => {
    const drawing = await inSvg('<circle cx="50%" cy="50%" r="10%"/><line x1="1in" x2="2"/>');
    expect(drawing.shapes[0].subpaths[0].curves[0]).toMatchObject({
      center: [50, 25],
      radius: Math.sqrt((100 ** 2 + 50 ** 2) / 2) / 10,
    });
    expect(startsOf(drawing)[1]).toEqual([96, 0]);
    expect(await messageOf('<svg><line x1="5%"/></svg>')).toContain('percentage');
  });
});

describe('use', () => {
  test('places what it refers to, and gives it its id', async () => {
    const drawing = await inSvg(
      '<defs><path id="p" d="M1 1h1"/></defs><use href="#p" x="10" y="5"/>' +
        '<use id="second" xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="#p" transform="scale(2)" x="1"/>',
    );
    expect(startsOf(drawing)).toEqual([
      [11, 6],
      [4, 2],
    ]);
    expect(drawing.shapes.map(({ id }) => id)).toEqual(['p', 'second']);
  });

  test('symbols fit their view box into the size of the use', async () => {
    const drawing = await inSvg(
      '<symbol id="s" viewBox="0 0 10 10"><line x1="5" y1="5" x2="6"/></symbol><use href="#s" x="20" width="20" height="40"/>',
    );
    expect(startsOf(drawing)).toEqual([[30, 20]]);
  });

  test('a use that contains itself is refused', async () => {
    const loop = '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>';
    expect(await messageOf(`<svg>${loop}</svg>`)).toMatch(/line 1: <use> of "#[ab]" contains itself/);
  });

  test('uses that multiply are refused, not drawn', async () => {
    const levels = Array.from(
      { length: 20 },
      (_, i) => `<g id="g${i + 1}">${`<use href="#g${i}"/>`.repeat(10)}</g>`,
    ).join('');
    const text = `<svg viewBox="0 0 1 1"><defs><path id="g0" d="M0 0h1"/>${levels}</defs><use href="#g20"/></svg>`;
    expect(await laterCodeOf(() => readSvg(text))).toBe('too-large');
  });

  test('a reference to nothing is a warning', async () => {
    const { warnings } = await inSvg('<use href="#none"/><use href="other.svg#p"/><line x2="1"/>');
    expect(warnings).toHaveLength(2);
  });
});

describe('styles', () => {
  test('what is hidden is left out', async () => {
    const drawing = await inSvg(
      '<g display="none"><line id="no" x2="1"/></g><line id="no" style="display : none" x2="1"/>' +
        '<g visibility="hidden"><line id="no" x2="1"/><line id="yes" visibility="visible" x2="1"/></g>' +
        '<path id="no" style="fill:none;stroke:none" d="M0 0h1"/><clipPath><line id="no" x2="1"/></clipPath>',
    );
    expect(drawing.shapes.map(({ id }) => id)).toEqual(['yes']);
  });

  test('style before style sheets before attributes', async () => {
    const { shapes, warnings } = await inSvg(
      '<style><![CDATA[ /* x */ .a, path { fill: none } #c { fill: blue !important } path.b{fill:red} g > path{fill:none} @media print { .a{} } ]]></style>' +
        '<path fill="red" d="M0 0h1"/><path class="b x" d="M0 0h1"/><path id="c" d="M0 0h1"/>' +
        '<path class="b" style="fill:none" d="M0 0h1"/><circle class="a" r="1"/><circle r="1"/>',
    );
    expect(shapes.map(({ filled }) => filled)).toEqual([false, true, true, false, false, true]);
    expect(warnings).toEqual(['The style rule for "g > path" is not applied.']);
  });

  test('elements of other namespaces, text and scripts are not read', async () => {
    const { shapes, warnings } = await inSvg(
      '<x:line xmlns:x="urn:x" x2="1"/><metadata><line x2="1"/></metadata><script>while(1){}</script>' +
        '<text>a</text><g xmlns="urn:y"><line x2="1"/></g><line id="only" x2="1" onclick="alert(1)"/>',
    );
    expect(shapes.map(({ id }) => id)).toEqual(['only']);
    expect(warnings).toEqual(['<script> is not read.', '<text> is not read.']);
    const prefixed = await readSvg('<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:line x2="1"/></s:svg>');
    expect(prefixed.shapes).toHaveLength(1);
  });

  test('switch takes the first child whose conditions hold', async () => {
    const { shapes } = await inSvg(
      '<switch><g requiredExtensions="http://ns.adobe.com"><line x2="1"/></g><g systemLanguage="de"><line x2="1"/></g>' +
        '<g><line id="a" x2="1"/></g><g><line id="b" x2="1"/></g></switch>',
    );
    expect(shapes.map(({ id }) => id)).toEqual(['a']);
  });
});

describe('files', () => {
  test('bytes, a byte order mark, a document type with the entities of a drawing program', async () => {
    const text = `\uFEFF<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd" [
      <!ENTITY ns_svg "http://www.w3.org/2000/svg"> ]><svg xmlns="&ns_svg;"><line x2="1"/></svg>`;
    expect((await readSvg(text)).shapes).toHaveLength(1);
    expect((await readSvg(new TextEncoder().encode(text))).shapes).toHaveLength(1);
  });

  const laughs = `<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><svg>&b;</svg>`;
  const long = `<!DOCTYPE svg [<!ENTITY a "${'x'.repeat(1000)}">]><svg>&a;</svg>`;
  test.each([
    ['', 'file-truncated', 1],
    ['   ', 'file-truncated', 1],
    ['hello', 'file-format', 1],
    ['<svg>\n<g>', 'file-truncated', 2],
    ['<svg>\n<path d="M0 0h1"', 'file-truncated', 2],
    ['<svg></svg>', 'file-format', 1],
    ['<svg><g/>\n<text>a</text></svg>', 'file-format', 1],
    ['<html/>', 'file-format', 1],
    ['<svg viewBox="0 0 0 5"><line x2="1"/></svg>', 'file-format', 1],
    ['<svg viewBox="0 0 5"><line x2="1"/></svg>', 'file-format', 1],
    ['<svg width="-3"><line x2="1"/></svg>', 'file-format', 1],
    ['<svg>\n\n<circle r="-1"/></svg>', 'file-format', 3],
    ['<svg>\n<circle r="NaN"/></svg>', 'file-format', 2],
    ['<svg>\n<circle r="1e400"/></svg>', 'non-finite', 2],
    ['<svg>\n<circle r="1e300"/></svg>', 'non-finite', 2],
    ['<svg>\n<circle r="3em"/></svg>', 'unsupported', 2],
    ['<svg>\n<polygon points="1 2 3"/></svg>', 'file-format', 2],
    ['<svg>\n<line x2="1" transform="scale(1e200) scale(1e200)"/></svg>', 'non-finite', 2],
    [laughs, 'unsupported', 1],
    [long, 'too-large', 1],
    [`<svg>${'<g>'.repeat(300)}${'</g>'.repeat(300)}</svg>`, 'too-large', 1],
  ])('refuses %s', async (text, code, line) => {
    await expect(readSvg(text, { fileName: 'a.svg' })).rejects.toThrow(
      expect.objectContaining({ name: 'NearfieldError', code, location: { line, file: 'a.svg' } }),
    );
  });

  test('refuses wrong arguments', async () => {
    expect(await laterCodeOf(() => readSvg(3 as never))).toBe('bad-argument');
    expect(await laterCodeOf(() => readSvg('<svg/>', { filename: 'a' } as never))).toBe('bad-argument');
    expect(await laterCodeOf(() => readSvg('<svg/>', { signal: { aborted: true } }))).toBe('aborted');
  });
});
