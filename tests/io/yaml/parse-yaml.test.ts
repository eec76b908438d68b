// What people write in files of robots against the values that YAML 1.2 gives them, random values written in both styles, and
// what is refused with its line.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NearfieldError } from '../../../src/core/errors.js';
import { parseYaml, type YamlValue } from '../../../src/io/yaml/parse-yaml.js';

test('lists and maps by indentation and in brackets, scalars, comments', () => {
  const text = `%YAML 1.2
---
# A scene.
name: "a \\"scene\\"\\u00e9"   # its name
world:
  collision_objects:
  - id: 'it''s # one'
    dimensions: [1, -2.5e-3,
      .5, 0x10]    # over two lines
    header: {frame_id: world, stamp: {secs: 0, nsecs: ~}}
  -
    id: two: parts
    operation: 0
  - - nested
    - [ ]
  other:
    - yes
    - true
    - .inf
url: http://host:80/a#b
empty:
last: {}
...
ignored: {
`;
  expect(parseYaml(text)).toEqual({
    name: 'a "scene"é',
    world: {
      collision_objects: [
        {
          id: "it's # one",
          dimensions: [1, -2.5e-3, 0.5, 16],
          header: { frame_id: 'world', stamp: { secs: 0, nsecs: null } },
        },
        { id: 'two: parts', operation: 0 },
        ['nested', []],
      ],
      other: ['yes', true, Number.POSITIVE_INFINITY],
    },
    url: 'http://host:80/a#b',
    empty: null,
    last: {},
  });
  expect(parseYaml('')).toBeNull();
  expect(parseYaml('- 1\r\n- 2\r\n')).toEqual([1, 2]);
  expect(parseYaml('__proto__: 1')).toEqual(Object.defineProperty({}, '__proto__', { value: 1, enumerable: true }));
});

/** A value in block style. */
function write(value: YamlValue, indent: string): string {
  if (value === null || typeof value !== 'object') return ` ${JSON.stringify(value)}\n`;
  const entries = Object.entries(value);
  if (entries.length === 0) return Array.isArray(value) ? ' []\n' : ' {}\n';
  const lines = entries.map(([key, own]) => {
    return `${indent}${Array.isArray(value) ? '-' : `${JSON.stringify(key)}:`}${write(own, `${indent}  `)}`;
  });
  return `\n${lines.join('')}`;
}

test('any JSON is read, as it stands and in block style', () => {
  const value = fc.jsonValue({ maxDepth: 4 }).filter((json) => !JSON.stringify(json).includes('\\u'));
  fc.assert(
    fc.property(value, (json) => {
      expect(parseYaml(JSON.stringify(json))).toEqual(json);
      expect(parseYaml(JSON.stringify(json, null, 2))).toEqual(json);
      expect(parseYaml(write(json as YamlValue, ''))).toEqual(json);
    }),
    { numRuns: 300 },
  );
});

test('what is not read is refused with its line, and any text ends', () => {
  const refused: readonly (readonly [string, number, string])[] = [
    ['a: 1\na: 2', 2, 'stands twice'],
    ['a:\n\t- 1', 2, 'tab'],
    ['a: 1\nb', 2, 'has no value'],
    ['a: |\n  text', 1, 'several lines'],
    ['a: &x 1', 1, 'anchors'],
    ['a: [1, 2', 1, 'not closed'],
    ['a: [1] 2', 1, 'follows a closed bracket'],
    ['a: "x', 1, 'no quoted text'],
    ['a: 1\n    b: 2', 2, 'not indented'],
    [`${'['.repeat(100)}`, 1, 'deeper'],
    [`${Array.from({ length: 100 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')}`, 66, 'deeper'],
  ];
  for (const [text, line, words] of refused) {
    try {
      parseYaml(text);
      expect.unreachable(text);
    } catch (error) {
      expect(error).toBeInstanceOf(NearfieldError);
      expect((error as NearfieldError).message).toContain(words);
      expect((error as NearfieldError).location?.line, text.slice(0, 40)).toBe(line);
    }
  }
  const pieces = fc.constantFrom(
    'a',
    ':',
    ' ',
    '\n',
    '- ',
    '[',
    ']',
    '{',
    '}',
    ',',
    '"',
    "'",
    '#',
    '1',
    '&',
    '|',
    '\t',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (words) => {
      try {
        parseYaml(words.join(''));
      } catch (error) {
        expect(error).toBeInstanceOf(NearfieldError);
      }
    }),
    { numRuns: 3000 },
  );
});
