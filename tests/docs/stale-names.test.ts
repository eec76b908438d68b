// Names in comments and on pages exist: what stands in backquotes or {@link} and looks like a name of code is one that some
// code has, and a file that is named is there. A name that was changed must change in words too.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const COMMENT = /\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm;

/** Names of the platform and of other packages that words mention and our code does not use. */
const FOREIGN = new Set([
  ...['batchId', 'worldToLocal', 'NODE_EXTRA_CA_CERTS'],
  // Messages of ROS, and a function of OMPL.
  ...['MultiDOFJointTrajectory', 'FollowJointTrajectory', 'printAsMatrix'],
]);

function filesBelow(folder: string, ending: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('node_modules') && !path.includes('/docs/api/') && !path.includes('/.vitepress/'));
}

const CODE = ['src', 'lab', 'bench', 'tests', 'scripts', 'examples', 'assembly'];
const codeFiles = CODE.flatMap((folder) => filesBelow(folder, /\.(ts|tsx|mjs|mts|wgsl|js|vue)$/));
const identifiers = new Set(
  codeFiles.flatMap(
    (file) =>
      readFileSync(file, 'utf8')
        .replace(COMMENT, '')
        .match(/[A-Za-z_$][\w$]*/g) ?? [],
  ),
);
const fileNames = new Set([
  ...[...CODE, 'docs', '.ci'].flatMap((folder) => filesBelow(folder, /./)).map((file) => basename(file)),
  ...readdirSync(root),
]);

/** Names of code: two words in one, as in `findContacts`, `MeshQuery` or `MAX_CELLS`, with members behind dots. */
function namesIn(text: string): string[] {
  const quoted = [...text.matchAll(/`([^`\n]+)`|\{@link ([^}\n]+)\}/g)].map((match) => match[1] ?? match[2]);
  return quoted
    .filter((word) => /^[A-Za-z_$][\w$]*(\.#?[A-Za-z_$][\w$]*)*(\(\))?$/.test(word))
    .flatMap((word) => word.replace('()', '').split('.'))
    .map((name) => name.replace('#', ''))
    .filter((name) => /[a-z][A-Z]|[A-Z]_[A-Z]|[A-Z][a-z]+[A-Z]/.test(name));
}

/** Files that words name, as in `field-error.ts`; x stands for any name. */
function filesIn(text: string): string[] {
  const found = text.matchAll(/(?<![\w.*{}<>$-])(?:[\w.-]+\/)*([\w-]+\.(?:ts|tsx|wgsl|mjs))(?![\w.])/g);
  return [...found].map((match) => match[1]).filter((name) => !/^x[.-]/.test(name));
}

function staleIn(path: string, text: string): string[] {
  const names = namesIn(text).filter((name) => !identifiers.has(name) && !FOREIGN.has(name));
  const files = filesIn(text).filter((name) => !fileNames.has(name));
  return [...new Set([...names, ...files])].map((name) => `${path.slice(root.length + 1)}: ${name}`);
}

test('names in the comments of src, lab and bench exist', () => {
  const stale = codeFiles
    .filter((file) => /\/(src|lab|bench)\//.test(file.slice(root.length)))
    .flatMap((file) => staleIn(file, (readFileSync(file, 'utf8').match(COMMENT) ?? []).join('\n')));
  expect(stale).toEqual([]);
});

test('names on the pages exist', () => {
  const pages = filesBelow('docs', /\.md$/).filter((file) => !/benchmarks\.md$|changelog\.md$/.test(file));
  const all = [...pages, join(root, 'README.md'), join(root, 'CONTRIBUTING.md')];
  expect(all.length).toBeGreaterThan(25);
  // Programs have tests of their own.
  const stale = all.flatMap((file) => staleIn(file, readFileSync(file, 'utf8').replace(/```[\s\S]*?```/g, '')));
  expect(stale).toEqual([]);
});

test('a name that no code has is found', () => {
  // Put together, so that this test is no code that has them.
  const [name, member, file] = [['measure', 'Twice'].join(''), ['no', 'Member'].join(''), ['no-such', 'ts'].join('.')];
  const text = `Calls \`${name}\` and {@link MeshQuery.${member}}; see \`${file}\` and \`vec3.ts\`.`;
  expect(staleIn(join(root, 'a.ts'), text)).toEqual([`a.ts: ${name}`, `a.ts: ${member}`, `a.ts: ${file}`]);
});
