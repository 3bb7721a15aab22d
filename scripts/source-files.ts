/** Source files as the measurements see them: lines, functions, branches, exports and imports, from the syntax tree. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

interface Import {
  readonly to: string;
  readonly names: readonly string[];
  /** Erased when the file is compiled. */
  readonly typesOnly: boolean;
}

export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  /** Lines of each function, methods and arrow functions included. */
  readonly functions: readonly number[];
  readonly branches: number;
  /** `await` expressions and `for await` statements. */
  readonly awaits: number;
  readonly exports: readonly string[];
  readonly imports: readonly Import[];
}

const BRANCHES = new Set([
  ts.SyntaxKind.IfStatement,
  ts.SyntaxKind.ConditionalExpression,
  ts.SyntaxKind.CaseClause,
  ts.SyntaxKind.ForStatement,
  ts.SyntaxKind.ForOfStatement,
  ts.SyntaxKind.ForInStatement,
  ts.SyntaxKind.WhileStatement,
  ts.SyntaxKind.DoStatement,
  ts.SyntaxKind.CatchClause,
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);

export const linesOf = (text: string): number => text.split('\n').length - 1;

export function readSource(path: string): SourceFile {
  const text = readFileSync(path, 'utf8');
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const functions: number[] = [];
  let branches = 0;
  let awaits = 0;
  const visit = (node: ts.Node): void => {
    if (BRANCHES.has(node.kind)) branches += 1;
    if (ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier)) awaits += 1;
    if (ts.isFunctionLike(node) && 'body' in node && node.body) functions.push(linesOf(`${node.getText()}\n`));
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return {
    path,
    text,
    lines: linesOf(text),
    functions,
    branches,
    awaits,
    exports: tree.statements.flatMap(exportedNames),
    imports: tree.statements.flatMap((statement) => importsOf(path, statement)),
  };
}

function exportedNames(statement: ts.Statement): readonly string[] {
  const isExported = ts.canHaveModifiers(statement)
    ? ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    : false;
  if (!isExported) return [];
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
  }
  const { name } = statement as ts.DeclarationStatement;
  return name !== undefined && ts.isIdentifier(name) ? [name.text] : [];
}

function importsOf(from: string, statement: ts.Statement): readonly Import[] {
  if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
  const { moduleSpecifier } = statement;
  if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return [];
  if (!moduleSpecifier.text.startsWith('.')) return [];
  const to = join(dirname(from), moduleSpecifier.text);
  if (ts.isExportDeclaration(statement)) return [{ to, names: ['*'], typesOnly: statement.isTypeOnly }];
  const { importClause } = statement;
  const bindings = importClause?.namedBindings;
  const elements = bindings !== undefined && ts.isNamedImports(bindings) ? [...bindings.elements] : undefined;
  const isPhaseType = importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
  const areTypes = elements !== undefined && elements.length > 0 && elements.every(({ isTypeOnly }) => isTypeOnly);
  return [
    {
      to,
      names: elements?.map(({ propertyName, name }) => (propertyName ?? name).text) ?? ['*'],
      typesOnly: isPhaseType || areTypes,
    },
  ];
}

/** Own modules that loading `entry` loads, itself included. */
export function modulesLoadedBy(entry: string): ReadonlySet<string> {
  const loaded = new Set<string>();
  const open = [entry];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (loaded.has(path)) continue;
    loaded.add(path);
    open.push(
      ...readSource(path)
        .imports.filter(({ typesOnly }) => !typesOnly)
        .map(({ to }) => to),
    );
  }
  return loaded;
}

/** The names of types that several of the files declare, with those files: one type name has one meaning in the product. */
export function repeatedTypeNames(
  files: readonly Pick<SourceFile, 'path' | 'text'>[],
): ReadonlyMap<string, readonly string[]> {
  const declared = new Map<string, Set<string>>();
  for (const { path, text } of files)
    for (const [, name = ''] of text.matchAll(/^(?:export )?(?:interface|type|class|enum) (\w+)/gm))
      declared.set(name, (declared.get(name) ?? new Set()).add(path));
  return new Map([...declared].filter(([, paths]) => paths.size > 1).map(([name, paths]) => [name, [...paths].sort()]));
}
