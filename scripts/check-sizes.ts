/**
 * Keeps files, functions and parameter lists small enough to read at once.
 *
 * A function counts its own lines: from its first to its last, less the inner lines of functions that it only declares
 * or hands over as a statement (`function inner() {}`, `const inner = () => {}`, `app.get('/x', async () => {})`,
 * methods of an object). So a Fastify plugin or a factory is judged by what it does itself, and what it holds is judged
 * alone. A callback whose result is used, as in `return withTransaction(pool, async (tx) => {})`, counts in full.
 */
import type { Node, NodeArray, ParameterDeclaration, SourceFile } from 'typescript/unstable/ast';
import { SyntaxKind } from 'typescript/unstable/ast';
import { isIdentifier } from 'typescript/unstable/ast/is';
import { isTestFile, readSources, type Sources } from './source-files.ts';
import { lineAt, parseAll, walk } from './syntax.ts';

const LIMITS = { fileLines: 400, fileLinesWanted: 300, functionLines: 60, parameters: 4 };

/** Files that may be long, each with its reason. An entry that is no longer needed is refused, so the list shrinks. */
const LONG_FILES: Readonly<Record<string, string>> = {};

/** What is too large, as lines ready to print: `failures` break a limit, `warnings` are long but allowed. */
export type SizeReport = { failures: string[]; warnings: string[] };

/** Measures all `sources`; `longFiles` maps the exempt paths to the reason for each. */
export function measureSizes(sources: Sources, longFiles: Readonly<Record<string, string>> = LONG_FILES): SizeReport {
  const report: SizeReport = { failures: [], warnings: [] };
  for (const [path, text] of sources) checkFile(path, lineCount(text), path in longFiles, report);
  for (const path of Object.keys(longFiles)) {
    if (!sources.has(path)) report.failures.push(`${path} is gone: remove it from the list of long files`);
  }
  const judged = new Map([...sources].filter(([path]) => !isTestFile(path)));
  parseAll(judged, (path, file) => {
    walk(file, (node) => {
      if (isFunctionWithBody(node)) report.failures.push(...checkFunction(path, file, node));
    });
  });
  return report;
}

function checkFile(path: string, lines: number, exempt: boolean, report: SizeReport): void {
  const { fileLines, fileLinesWanted } = LIMITS;
  if (exempt) {
    if (lines <= fileLines) report.failures.push(`${path} has ${lines} lines: remove it from the list of long files`);
  } else if (lines > fileLines) {
    report.failures.push(`${path} has ${lines} lines, the limit is ${fileLines}`);
  } else if (lines > fileLinesWanted && !isTestFile(path)) {
    report.warnings.push(`${path} has ${lines} lines, ${fileLinesWanted} is the aim`);
  }
}

function checkFunction(path: string, file: SourceFile, node: FunctionNode): string[] {
  const failures: string[] = [];
  const where = `${path}:${lineAt(file, node.getStart(file))} ${nameOf(node)}`;
  const lines = ownLines(file, node);
  const parameters = node.parameters.filter((parameter) => parameter.name.getText(file) !== 'this').length;
  if (lines > LIMITS.functionLines) failures.push(`${where} has ${lines} lines, the limit is ${LIMITS.functionLines}`);
  if (parameters > LIMITS.parameters) {
    failures.push(`${where} has ${parameters} parameters, the limit is ${LIMITS.parameters}: take one object`);
  }
  return failures;
}

function ownLines(file: SourceFile, outer: Node): number {
  let lines = span(file, outer);
  const visit = (node: Node) => {
    if (isFunctionWithBody(node) && isDeclaredOnly(node)) lines -= Math.max(0, span(file, node) - 1);
    else node.forEachChild(visit);
  };
  outer.forEachChild(visit);
  return lines;
}

const FUNCTIONS = new Set([
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.FunctionExpression,
  SyntaxKind.ArrowFunction,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.Constructor,
  SyntaxKind.GetAccessor,
  SyntaxKind.SetAccessor,
]);

type FunctionNode = Node & { name?: Node; parameters: NodeArray<ParameterDeclaration> };

/** Overload signatures are functions of the grammar without a body; they count as types. */
function isFunctionWithBody(node: Node): node is FunctionNode {
  return FUNCTIONS.has(node.kind) && 'body' in node && node.body !== undefined;
}

const DECLARING = new Set([
  SyntaxKind.VariableDeclaration,
  SyntaxKind.PropertyAssignment,
  SyntaxKind.PropertyDeclaration,
  SyntaxKind.ReturnStatement,
]);

/** Whether a function stands in its surroundings as something declared or handed over, not as a step of them. */
function isDeclaredOnly(node: Node): boolean {
  const isExpression = node.kind === SyntaxKind.ArrowFunction || node.kind === SyntaxKind.FunctionExpression;
  if (!isExpression || DECLARING.has(node.parent.kind)) return true;
  return node.parent.kind === SyntaxKind.CallExpression && node.parent.parent.kind === SyntaxKind.ExpressionStatement;
}

function nameOf(node: FunctionNode): string {
  const { parent } = node;
  const named = node.name ?? ('name' in parent ? (parent.name as Node | undefined) : undefined);
  return named !== undefined && isIdentifier(named) ? named.text : 'a function';
}

function span(file: SourceFile, node: Node): number {
  return lineAt(file, node.getEnd()) - lineAt(file, node.getStart(file)) + 1;
}

function lineCount(text: string): number {
  const lines = text.split('\n').length;
  return text.endsWith('\n') ? lines - 1 : lines;
}

function main(): void {
  const { failures, warnings } = measureSizes(readSources('.'));
  for (const warning of warnings) console.log(`warning: ${warning}`);
  for (const failure of failures) console.log(failure);
  process.exitCode = failures.length > 0 ? 1 : 0;
}

if (import.meta.main) main();
