// A number with a name says what it is: each numeric constant of a module has a comment of its own, whose first word is the
// role of the number, and its largest and least ones begin with MAX_ and MIN_.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * Proven: no other value would be right, and the reason is given. Rounding: a bound of rounding errors. Measured: on what.
 * Chosen: another value would do. Published: by whom. Definition: true by definition. Format: the rule of a file or of a
 * platform. Layout: where numbers stand in arrays of ours. Label: any other value would do that differs from its neighbors.
 */
const ROLE = /^(Proven|Rounding|Measured|Chosen|Published|Definition|Format|Layout|Label)\b/;

/** Numbers, operators, members of Math and Number, and other constants. */
const NUMERIC =
  /^(?:[-+*/%()<>|&~,\s]|\b(?:Math|Number)\.\w+|\b0x[\da-fA-F_]+|\b[\d_]+(?:\.[\d_]+)?(?:e[-+]?\d+)?|\b[A-Z][A-Z\d_]*\b)+$/;

interface Constant {
  readonly name: string;
  readonly comment: string;
}

/** The numeric constants at the top of a module, each with the comment right above it. */
function constantsIn(text: string): Constant[] {
  const found: Constant[] = [];
  const lines = text.split('\n');
  for (const [i, line] of lines.entries()) {
    const match = /^(?:export )?const (\w+)(?:: number)? = (.+);(?: *\/\/.*)?$/.exec(line);
    if (match === null || !/\d|Math|Number/.test(match[2]) || !NUMERIC.test(match[2])) continue;
    let first = i;
    if (lines[i - 1]?.endsWith('*/')) {
      first--;
      while (!lines[first].startsWith('/*')) first--;
    } else while (lines[first - 1]?.startsWith('//')) first--;
    const comment = lines.slice(first, i).join(' ');
    found.push({ name: match[1], comment: comment.replace(/^(?:\/\*\*|\/\/)\s*(?:\*\s*)?/, '') });
  }
  return found;
}

function sourcesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|wgsl|mjs)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('node_modules') && !path.includes('.peers'));
}

test('numeric constants of src say their role first', () => {
  const faults: string[] = [];
  let count = 0;
  for (const file of sourcesBelow('src').filter((path) => path.endsWith('.ts')))
    for (const { name, comment } of constantsIn(readFileSync(file, 'utf8'))) {
      count++;
      if (!ROLE.test(comment)) faults.push(`${file.slice(root.length + 1)}: ${name}: ${comment.slice(0, 60)}`);
    }
  expect(count).toBeGreaterThan(1800);
  expect(faults).toEqual([]);
});

test('limits are named MAX_ and MIN_', () => {
  const faults = ['src', 'lab', 'bench', 'tests', 'scripts', 'assembly', 'examples'].flatMap((folder) =>
    sourcesBelow(folder).flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\b(?:const|let) ((?:[A-Z\d]+_)*(?:MOST|LEAST)(?:_[A-Z\d]+)*)\b/g)].map(
        (match) => `${file.slice(root.length + 1)}: ${match[1]}`,
      ),
    ),
  );
  expect(faults).toEqual([]);
});

test('constants are found with their comments', () => {
  const text = [
    '// A header.',
    'import x from "x";',
    '',
    '/** Chosen: a. */',
    'const A = 1e-3;',
    'const B = 2 * A;',
    '/**',
    ' * Rounding: of two',
    ' * lines.',
    ' */',
    'export const C: number = Math.sqrt(3) / 2 ** -4;',
    '// Label: one.',
    'const D = 0xff_ff; // behind',
    'const NOT = [1, 2];',
    'const NOR = pose(1);',
    "const NEITHER = 'a1';",
    'const F = A === 1;',
    '  const INNER = 3;',
  ].join('\n');
  expect(constantsIn(text)).toEqual([
    { name: 'A', comment: 'Chosen: a. */' },
    { name: 'B', comment: '' },
    { name: 'C', comment: 'Rounding: of two  * lines.  */' },
    { name: 'D', comment: 'Label: one.' },
  ]);
});
