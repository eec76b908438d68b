// Every command of path data by coordinates worked out by hand.
import { describe, expect, test } from 'vitest';
import type { SvgCurve, SvgSubpath } from '../../../src/io/drawing/svg-drawing.js';
import { readSvg } from '../../../src/io/index.js';

async function subpathsOf(d: string): Promise<readonly SvgSubpath[]> {
  const drawing = await readSvg(`<svg viewBox="0 0 100 100"><path d="${d}"/></svg>`);
  return drawing.shapes[0].subpaths;
}

/** Control points of all curves; arcs of circles as center, radius, from and to in degrees. */
async function curvesOf(d: string): Promise<(number[][] | number[])[]> {
  return (await subpathsOf(d)).flatMap(({ curves }) => curves.map(numbersOf));
}

function numbersOf(curve: SvgCurve): number[][] | number[] {
  if (curve.type === 'bezier') return curve.points.map((point) => [...point]);
  const degrees = (angle: number): number => Math.round((angle * 180e6) / Math.PI) / 1e6 + 0;
  return [...curve.center, curve.radius, degrees(curve.from), degrees(curve.to)].map((x) => Math.round(x * 1e9) / 1e9);
}

describe('lines', () => {
  const square = [
    [
      [1, 2],
      [4, 2],
    ],
    [
      [4, 2],
      [4, 6],
    ],
    [
      [4, 6],
      [1, 6],
    ],
    [
      [1, 6],
      [1, 2],
    ],
  ];

  test.each([
    'M1 2 L4 2 L4 6 L1 6 Z',
    'm1 2 l3 0 l0 4 l-3 0 z',
    'M1 2 H4 V6 H1 Z',
    'M1,2h3v4h-3z',
    'M 1 2 4 2 4 6 1 6 z',
    'm1 2 3 0 0 4-3 0z',
    'M1 2L4 2 4 6 1 6 1 2',
    '\t M1,2\nL4,2,4,6,1,6\r\nZ ',
    'M+1 2.e0 L.4e1 2 4 60e-1 1 6Z',
  ])('%s', async (d) => {
    expect(await curvesOf(d)).toEqual(square);
  });

  test('numbers end where no longer one can be read', async () => {
    expect(await curvesOf('M1.5.5-3e-2.25L-.5-.5')).toEqual([
      [
        [1.5, 0.5],
        [-0.03, 0.25],
      ],
      [
        [-0.03, 0.25],
        [-0.5, -0.5],
      ],
    ]);
  });

  test('Z goes back to where the subpath began, and what follows begins there', async () => {
    const subpaths = await subpathsOf('M1 1h2v2z l5 5 m1 1 l1 0 z M9 9 h1');
    expect(subpaths.map(({ closed }) => closed)).toEqual([true, false, true, false]);
    expect(subpaths.map(({ curves }) => curves.map(numbersOf))).toEqual([
      [
        [
          [1, 1],
          [3, 1],
        ],
        [
          [3, 1],
          [3, 3],
        ],
        [
          [3, 3],
          [1, 1],
        ],
      ],
      [
        [
          [1, 1],
          [6, 6],
        ],
      ],
      [
        [
          [7, 7],
          [8, 7],
        ],
        [
          [8, 7],
          [7, 7],
        ],
      ],
      [
        [
          [9, 9],
          [10, 9],
        ],
      ],
    ]);
  });

  test('a move alone draws nothing; a move that is closed is a dot', async () => {
    expect(await subpathsOf('M1 1 M2 2 M3 3z')).toEqual([
      {
        closed: true,
        curves: [
          {
            type: 'bezier',
            points: [
              [3, 3],
              [3, 3],
            ],
          },
        ],
      },
    ]);
  });

  test('closing twice is closing once', async () => {
    expect(await subpathsOf('M1 1h2v2zz')).toEqual(await subpathsOf('M1 1h2v2z'));
  });
});

describe('Bézier curves', () => {
  test('cubic, absolute, relative and repeated', async () => {
    const twice = [
      [
        [1, 1],
        [2, 3],
        [4, 5],
        [6, 1],
      ],
      [
        [6, 1],
        [7, 3],
        [9, 5],
        [11, 1],
      ],
    ];
    expect(await curvesOf('M1 1 C2 3 4 5 6 1 7 3 9 5 11 1')).toEqual(twice);
    expect(await curvesOf('M1 1 c1 2 3 4 5 0 1 2 3 4 5 0')).toEqual(twice);
  });

  test('a smooth cubic mirrors the last handle of a cubic, and only of a cubic', async () => {
    const smooth = [
      [
        [0, 0],
        [1, 2],
        [3, 4],
        [5, 6],
      ],
      [
        [5, 6],
        [7, 8],
        [8, 9],
        [9, 9],
      ],
      [
        [9, 9],
        [10, 9],
        [11, 8],
        [12, 7],
      ],
    ];
    expect(await curvesOf('M0 0C1 2 3 4 5 6S8 9 9 9 11 8 12 7')).toEqual(smooth);
    expect(await curvesOf('M0 0c1 2 3 4 5 6s3 3 4 3 2-1 3-2')).toEqual(smooth);
    expect((await curvesOf('M0 0Q1 2 5 6S8 9 9 9'))[1]).toEqual([
      [5, 6],
      [5, 6],
      [8, 9],
      [9, 9],
    ]);
    expect((await curvesOf('M0 0L5 6S8 9 9 9'))[1]).toEqual([
      [5, 6],
      [5, 6],
      [8, 9],
      [9, 9],
    ]);
  });

  test('quadratic and smooth quadratic', async () => {
    const waves = [
      [
        [0, 0],
        [1, 2],
        [2, 0],
      ],
      [
        [2, 0],
        [3, -2],
        [4, 0],
      ],
      [
        [4, 0],
        [5, 2],
        [6, 0],
      ],
    ];
    expect(await curvesOf('M0 0Q1 2 2 0T4 0 6 0')).toEqual(waves);
    expect(await curvesOf('M0 0q1 2 2 0t2 0 2 0')).toEqual(waves);
    expect((await curvesOf('M0 0C1 2 1 2 2 0T4 0'))[1]).toEqual([
      [2, 0],
      [2, 0],
      [4, 0],
    ]);
  });
});

describe('arcs', () => {
  test.each([
    // The four arcs of radius 5 between (3, 4) and (-3, 4): the flags choose.
    ['M3 4A5 5 0 0 1-3 4', [0, 0, 5, 53.130102, 126.869898]],
    ['M3 4A5 5 0 1 0-3 4', [0, 0, 5, 53.130102, -233.130102]],
    ['M3 4A5 5 0 0 0-3 4', [0, 8, 5, -53.130102, -126.869898]],
    ['M3 4A5 5 0 1 1-3 4', [0, 8, 5, -53.130102, 233.130102]],
    // Flags without separators, a relative end, a negative radius, a tilt that does not matter for a circle.
    ['M3 4a5 5 0 01-6 0', [0, 0, 5, 53.130102, 126.869898]],
    ['M3 4a5-5 33 0,1-6,0', [0, 0, 5, 53.130102, 126.869898]],
    // Radii too small grow to half of the chord.
    ['M-2 0A1 1 0 0 1 2 0', [0, 0, 2, 180, 360]],
  ])('%s', async (d, arc) => {
    expect(await curvesOf(d)).toEqual([arc]);
  });

  test('repeats with flags run together', async () => {
    expect(await curvesOf('M0 0a1 1 0 012 0 1 1 0 112 0')).toEqual([
      [1, 0, 1, 180, 360],
      [3, 0, 1, 180, 360],
    ]);
  });

  test('an arc to where it starts is nothing, one without a radius a line', async () => {
    expect(await curvesOf('M1 1A5 5 0 0 1 1 1L2 2')).toEqual([
      [
        [1, 1],
        [2, 2],
      ],
    ]);
    expect(await curvesOf('M1 1A0 5 0 0 1 2 2')).toEqual([
      [
        [1, 1],
        [2, 2],
      ],
    ]);
  });

  test.each([
    // The radii as they are used: those of the third are too small and grow.
    ['M50 20A30 10 0 0 1 50 40A30 10 0 0 1 50 20', 50, 30, 30, 10, 0],
    ['M2 1A2 1 0 1 0 4 2', 2, 2, 2, 1, 0],
    ['M-4-4A4 3 30 1 0 4 4', 0, 0, 5.802347750658472, 4.351760812993854, 30],
  ])('%s is off its ellipse by less than 7e-8 of the larger radius', async (d, cx, cy, rx, ry, degrees) => {
    const [cosine, sine] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    let worst = 0;
    for (const curve of await curvesOf(d)) {
      const points = curve as number[][];
      for (let i = 0; i <= 20; i++) {
        const t = i / 20;
        const weights = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3];
        const x = weights.reduce((sum, weight, k) => sum + weight * points[k][0], -cx);
        const y = weights.reduce((sum, weight, k) => sum + weight * points[k][1], -cy);
        worst = Math.max(worst, Math.abs(Math.hypot((cosine * x + sine * y) / rx, (cosine * y - sine * x) / ry) - 1));
      }
    }
    expect(worst).toBeGreaterThan(1e-9);
    expect(worst).toBeLessThan(7e-8);
  });

  test('a nearly straight arc is its chord, without rounding', async () => {
    expect(await curvesOf('M0 0A1e12 1e12 0 0 1 1 0')).toEqual([
      [
        [0, 0],
        [1, 0],
      ],
    ]);
  });
});

describe('refused', () => {
  test.each([
    ['L1 1', 'begins with M'],
    ['M1', 'number'],
    ['M1 1 L', 'ends at character 7'],
    ['M1 1 L2', 'number'],
    ['M1 1 X2 2', 'no command'],
    ['M1 1,,2 2', 'number'],
    ['M1 1,L2 2', 'after a comma'],
    ['M1 1 A1 1 0 2 0 3 3', 'flag'],
    ['M1 1 A1 1 0 0 0 3', 'number'],
    ['M1 1 L1e999 0', 'beyond all numbers'],
    ['M1 1 LNaN 0', 'number'],
    ['M1 1 Z 5 5', 'command'],
    ['M1 1 L1 1e60', 'coordinates go up to'],
    ['M#', 'number'],
  ])('%s', async (d, message) => {
    await expect(readSvg(`<svg>\n<path id="p" d="${d}"/></svg>`)).rejects.toThrow(
      expect.objectContaining({
        name: 'NearfieldError',
        message: expect.stringContaining(message),
        location: { line: 2 },
      }),
    );
  });
});
