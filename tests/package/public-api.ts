// The public face of the package as text: every name that a chapter exports, with its declaration, in the order of the
// alphabet. Made from the declarations that TypeScript emits, without comments.
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The text of the report for these chapters, folders of src with an index.ts. */
export function describePublicApi(chapters: readonly string[]): string {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const entries = chapters.map((chapter) => join(root, 'src', chapter, 'index.ts'));
  const program = ts.createProgram(entries, {
    ...options,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    stripInternal: true,
    // npm test checks the types before the tests.
    noCheck: true,
  });
  const declarations = emitDeclarations(program);
  const checker = program.getTypeChecker();
  const sections = entries.map((entry, at) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(entry)!)!;
    const names = checker.getExportsOfModule(module).sort((a, b) => (a.name < b.name ? -1 : 1));
    const lines = names.map((symbol) => describe(symbol, checker, declarations));
    return `# nearfield/${chapters[at]}: ${names.length} names\n\n${lines.join('\n')}\n`;
  });
  return sections.join('\n');
}

/** The statements of every emitted declaration file, by the source it was made from. */
function emitDeclarations(program: ts.Program): Map<string, ts.SourceFile> {
  const files = new Map<string, ts.SourceFile>();
  program.emit(
    undefined,
    (name, text, _mark, _error, sources) => {
      const source = sources?.[0];
      if (source) files.set(source.fileName, ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true));
    },
    undefined,
    true,
  );
  return files;
}

function describe(exported: ts.Symbol, checker: ts.TypeChecker, files: ReadonlyMap<string, ts.SourceFile>): string {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const origin = symbol.declarations?.[0];
  if (origin === undefined) throw new Error(`${exported.name} has no declaration`);
  if (ts.isSourceFile(origin)) {
    const members = checker.getExportsOfModule(symbol).sort((a, b) => (a.name < b.name ? -1 : 1));
    const lines = members.map((member) => `  ${describe(member, checker, files).replaceAll('\n', '\n  ')}`);
    return `namespace ${exported.name} {\n${lines.join('\n')}\n}`;
  }
  const file = files.get(origin.getSourceFile().fileName);
  if (file === undefined) throw new Error(`${relative(root, origin.getSourceFile().fileName)} was not emitted`);
  const printer = ts.createPrinter({ removeComments: true });
  const statements = file.statements.filter((statement) => declares(statement, symbol.name));
  if (statements.length === 0) throw new Error(`No declaration of ${symbol.name} was emitted`);
  return statements
    .map((statement) => printer.printNode(ts.EmitHint.Unspecified, statement, file).replace(/^export (declare )?/, ''))
    .join('\n');
}

function declares(statement: ts.Statement, name: string): boolean {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.some((declaration) => declaration.name.getText() === name);
  }
  const named = statement as ts.Statement & { readonly name?: ts.Identifier };
  return named.name?.text === name;
}
