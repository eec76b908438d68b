// The documentation is true: every TypeScript snippet type-checks, every relative link leads somewhere, and TypeDoc
// finds a comment on every public name.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application } from 'typedoc';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { withFigures } from '../../scripts/readme-figures.mjs';
import { codeBlocks } from './code-blocks.js';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...['docs', 'docs/guides'].flatMap((folder) =>
    readdirSync(join(root, folder))
      // The site's build copies the changelog there.
      .filter((name) => name.endsWith('.md') && !(folder === 'docs' && name === 'changelog.md'))
      .map((name) => join(folder, name)),
  ),
];

/** The anchor of a heading, as VitePress and the hosts of repositories make it. */
function anchorOf(heading: string): string {
  const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

function anchorsOf(path: string): string[] {
  return [...readFileSync(path, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading));
}

/** The errors TypeScript finds in snippets, each a module of its own in the repository's root folder. */
function typeErrors(snippets: ReadonlyMap<string, string>): string[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const host = ts.createCompilerHost({ ...options, noUnusedLocals: false });
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (name, version) => {
    const code = snippets.get(name);
    return code === undefined ? getSourceFile(name, version) : ts.createSourceFile(name, code, version);
  };
  host.fileExists = (name) => snippets.has(name) || fileExists(name);
  host.readFile = (name) => snippets.get(name) ?? readFile(name);
  const program = ts.createProgram([...snippets.keys()], { ...options, noUnusedLocals: false }, host);
  return [...snippets.keys()].flatMap((name) => {
    const source = program.getSourceFile(name);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      (diagnostic) => `${relative(root, name)}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ')}`,
    );
  });
}

describe('documentation', () => {
  test('snippets type-check, and the check finds a wrong one', () => {
    const snippets = new Map<string, string>();
    for (const page of pages) {
      for (const { code, line } of codeBlocks(readFileSync(join(root, page), 'utf8'), ['ts', 'js'])) {
        snippets.set(join(root, `${page.replaceAll('/', '-')}-line-${line}.ts`), `${code}\nexport {};\n`);
      }
    }
    expect(snippets.size).toBeGreaterThan(5);
    snippets.set(join(root, 'wrong.ts'), "import { inspectMesh } from 'nearfield/mesh'; inspectMesh(7);");
    expect(typeErrors(snippets)).toEqual([expect.stringMatching(/^wrong\.ts: .*number/)]);
  });

  test('relative links lead to a file, and to a heading of it', () => {
    const broken = pages.flatMap((page) => {
      const text = readFileSync(join(root, page), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
      return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target]) => {
        const [file, anchor] = target.split('#');
        // The home page links to what the site's build adds.
        if (/^([a-z]+:|\/)/.test(target)) return [];
        const path = file === '' ? join(root, page) : join(root, dirname(page), file);
        const leads = existsSync(path) && (anchor === undefined || anchorsOf(path).includes(anchor));
        return leads ? [] : [`${page} links to ${target}`];
      });
    });
    expect(broken).toEqual([]);
  });

  test('the site lists every page', () => {
    const config = readFileSync(join(root, 'docs/.vitepress/config.ts'), 'utf8');
    const listed = [...config.matchAll(/'\/([\w/-]+)'\]/g)].map(([, path]) => `docs/${path}.md`);
    const wanted = pages.filter((page) => page.startsWith('docs/') && page !== 'docs/index.md');
    expect(listed.toSorted()).toEqual(wanted.toSorted());
  });

  test('the scenes beside the pages are in the lab, with a picture', () => {
    const theme = readFileSync(join(root, 'docs/.vitepress/theme/lab-scenes.ts'), 'utf8');
    const scenes = [...theme.matchAll(/\['([a-z]+\/[\w-]+)', '/g)].map(([, scene]) => scene);
    expect(scenes.length).toBeGreaterThan(15);
    for (const scene of scenes) {
      for (const end of ['ts', 'webp']) expect(existsSync(join(root, `lab/scenes/${scene}.${end}`)), scene).toBe(true);
    }
  });

  test('the figures of the README are those of the benchmarks', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    expect(readme).toBe(withFigures(readme));
  });

  test('every public name is documented', async () => {
    // npm test checks the types before the tests, which takes as long again.
    const options = { options: join(root, 'typedoc.json'), skipErrorChecking: true };
    const app = await Application.bootstrapWithPlugins(options);
    const project = await app.convert();
    expect(project).toBeDefined();
    const undocumented: string[] = [];
    const warn = app.logger.warn.bind(app.logger);
    app.logger.warn = ((message: string, ...rest: never[]) => {
      undocumented.push(message);
      (warn as (message: string, ...rest: never[]) => void)(message, ...rest);
    }) as typeof app.logger.warn;
    app.validate(project!);
    expect(undocumented).toEqual([]);
    expect(app.logger.hasErrors()).toBe(false);
  });
});
