// Turns the TypeScript examples of the pages into examples that run: the plain JavaScript goes with the block, and each
// top-level expression is reported with its line, since the pages show values as `expression; // value`.
import ts from 'typescript';
import type { MarkdownRenderer } from 'vitepress';

/** Chapters that an example in a page can import; three.js and React need a canvas, and a GPU may be missing. */
const RUNS_IN_PAGE = /^nearfield\/(?!three|react|gpu|cluster)\w+$/;

export function liveExamples(markdown: MarkdownRenderer): void {
  const { rules } = markdown.renderer;
  const plain = rules.fence!;
  rules.fence = (tokens, index, ...rest) => {
    const html = plain(tokens, index, ...rest);
    const { info, content } = tokens[index];
    const code = /^(ts|js)\b/.test(info.trim()) ? runnableCode(content) : null;
    return code === null ? html : `<LiveExample code="${encodeURIComponent(code)}">${html}</LiveExample>`;
  };
}

/**
 * The example as a JavaScript module that calls `show(line, value)`, or null if it cannot run in a page: it imports
 * nothing of nearfield or something else, or it only declares what another program calls.
 */
export function runnableCode(example: string): string | null {
  const source = ts.createSourceFile('example.ts', example, ts.ScriptTarget.ES2022, true);
  const imports = source.statements.filter(ts.isImportDeclaration);
  const names = imports.map(({ moduleSpecifier }) => (moduleSpecifier as ts.StringLiteral).text);
  if (names.length === 0 || !names.every((name) => RUNS_IN_PAGE.test(name))) return null;
  if (source.statements.some((statement) => ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.length)) {
    return null;
  }
  const edits: { at: number; text: string }[] = [];
  for (const statement of source.statements) {
    if (!ts.isExpressionStatement(statement) || isReport(statement.expression)) continue;
    const { expression } = statement;
    const line = source.getLineAndCharacterOfPosition(expression.getStart()).line + 1;
    edits.push({ at: expression.getStart(), text: `show(${line}, (` }, { at: expression.end, text: '))' });
  }
  // Nothing to show: it only declares, or works on what its reader has.
  if ((edits.length === 0 && !/\bconsole\./.test(example)) || /\bimport\.meta\b|\bself\b/.test(example)) return null;
  let code = example;
  for (const { at, text } of edits.reverse()) code = code.slice(0, at) + text + code.slice(at);
  return ts.transpileModule(code, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: false },
  }).outputText;
}

/** Calls of the console report themselves; assignments are not for their value. */
function isReport(expression: ts.Expression): boolean {
  if (ts.isBinaryExpression(expression) && expression.operatorToken.kind === ts.SyntaxKind.EqualsToken) return true;
  return ts.isCallExpression(expression) && expression.expression.getText().startsWith('console.');
}
