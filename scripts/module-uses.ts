import type { Node, SourceFile } from 'typescript/unstable/ast';
import { SyntaxKind } from 'typescript/unstable/ast';
import {
  isCallExpression,
  isExportDeclaration,
  isIdentifier,
  isImportDeclaration,
  isImportTypeNode,
  isLiteralTypeNode,
  isNewExpression,
  isNoSubstitutionTemplateLiteral,
  isPropertyAccessExpression,
  isStringLiteral,
  isTemplateExpression,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is';
import type { Sources } from './source-files.ts';
import { lineAt, parseAll, walk } from './syntax.ts';

/** Imports and privileged uses of one file. Plain numbers are lines, counted from 1. */
export type Uses = {
  /** `isType`: the import loads nothing when the program runs. */
  imports: { specifier: string; line: number; isType: boolean }[];
  /** Dynamic imports whose path is not a literal. */
  computedImports: number[];
  starExports: number[];
  fastify: number[];
  /** Imports of TypeBox. */
  typebox: number[];
  /** Imports that load undici or a part of it. */
  undici: number[];
  sql: number[];
  /** SQL texts, parts of statements included, that name a table of the queue. */
  queueTables: number[];
  environment: number[];
  /** Lines that read the machine's clock or set a timer. */
  time: number[];
};

const FASTIFY = /^(fastify|fastify-[\w-]+|@fastify\/.+)$/;
/** TypeBox itself, and the package that exports it again. */
const TYPEBOX = /^(typebox|@sinclair\/typebox)(\/|$)/;
const TYPEBOX_AGAIN = '@fastify/type-provider-typebox';
const UNDICI = /^undici(\/|$)/;

/**
 * The start of an SQL statement, in lower or upper case. Each form requires its second keyword, so that a sentence such
 * as "Update the address" is not taken for SQL.
 */
const SQL = [
  /^\s*(select|SELECT)\s/,
  /^\s*insert\s+into\s/i,
  /^\s*update\s+\S+(\s+(as\s+)?\w+)?\s+set\s/i,
  /^\s*delete\s+from\s/i,
  /^\s*with\s+(recursive\s+)?\w+\s*(\([^)]*\)\s*)?as\s+((not\s+)?materialized\s+)?\(/i,
];

/** The tables `jobs` and `lanes` where a statement, or a part of one, names a table. */
const QUEUE_TABLES = /\b(from|into|update|join|using)\s+(only\s+)?(public\.)?(jobs|lanes)\b/i;

/** Finds imports of every form (static, side-effect, dynamic, re-export, type) and privileged uses. */
export function findUses(sources: Sources): Map<string, Uses> {
  const found = new Map<string, Uses>();
  parseAll(sources, (path, file) => {
    const uses: Uses = {
      imports: [],
      computedImports: [],
      starExports: [],
      fastify: [],
      typebox: [],
      undici: [],
      sql: [],
      queueTables: [],
      environment: [],
      time: [],
    };
    walk(file, (node) => {
      collectImport(node, file, uses);
      const line = () => lineAt(file, node.getStart(file));
      if (readsEnvironment(node)) uses.environment.push(line());
      if (usesTime(node)) uses.time.push(line());
      const text = sqlText(node);
      if (text !== undefined && SQL.some((pattern) => pattern.test(text))) uses.sql.push(line());
      if (text !== undefined && QUEUE_TABLES.test(text)) uses.queueTables.push(line());
    });
    collectPackages(uses);
    found.set(path, uses);
  });
  return found;
}

function collectPackages(uses: Uses): void {
  for (const { specifier, line, isType } of uses.imports) {
    if (FASTIFY.test(specifier)) uses.fastify.push(line);
    if (TYPEBOX.test(specifier) || (specifier === TYPEBOX_AGAIN && !isType)) uses.typebox.push(line);
    if (UNDICI.test(specifier) && !isType) uses.undici.push(line);
  }
}

function collectImport(node: Node, file: SourceFile, uses: Uses): void {
  const line = () => lineAt(file, node.getStart(file));
  const add = (specifier: Node | undefined, isType: boolean) => {
    const text = specifier && literalText(specifier);
    if (text !== undefined) uses.imports.push({ specifier: text, line: line(), isType });
    else uses.computedImports.push(line());
  };
  if (isImportDeclaration(node)) add(node.moduleSpecifier, node.importClause?.phaseModifier === SyntaxKind.TypeKeyword);
  if (isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
    add(node.moduleSpecifier, node.isTypeOnly);
    if (node.exportClause === undefined) uses.starExports.push(line());
  }
  if (isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword) add(node.arguments[0], false);
  if (isImportTypeNode(node) && isLiteralTypeNode(node.argument)) add(node.argument.literal, true);
}

function literalText(node: Node): string | undefined {
  return isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node) ? node.text : undefined;
}

/** The text of a literal or template, with a word in place of each expression. */
function sqlText(node: Node): string | undefined {
  return isTemplateExpression(node)
    ? node.head.text + node.templateSpans.map((span) => `placeholder${span.literal.text}`).join('')
    : literalText(node);
}

/** `process.env`, `const { env } = process` or `import { env } from 'node:process'`. */
function readsEnvironment(node: Node): boolean {
  const isProcess = (part: Node | undefined) => part !== undefined && isIdentifier(part) && part.text === 'process';
  if (isPropertyAccessExpression(node)) return isProcess(node.expression) && node.name.text === 'env';
  if (isVariableDeclaration(node)) return isProcess(node.initializer) && /\benv\b/.test(node.name.getText());
  if (!isImportDeclaration(node) || !/^(node:)?process$/.test(literalText(node.moduleSpecifier) ?? '')) return false;
  return /\benv\b/.test(node.importClause?.getText() ?? '');
}

/** Properties that read a clock or set a timer, by their objects. */
const TIME_PROPERTIES: Readonly<Record<string, readonly string[]>> = {
  Date: ['now'],
  performance: ['now'],
  process: ['hrtime', 'uptime'],
  AbortSignal: ['timeout'],
  Temporal: ['Now'],
};
const TIMERS = new Set(['setTimeout', 'setInterval']);

/** Imports of setImmediate alone. It lets other events run first and measures no time. */
const NEXT_TURN = /^\{ setImmediate( as \w+)? \}$/;

function usesTime(node: Node): boolean {
  if (isImportDeclaration(node)) {
    const isOfTimers = /^(node:)?timers(\/promises)?$/.test(literalText(node.moduleSpecifier) ?? '');
    return isOfTimers && !NEXT_TURN.test(node.importClause?.getText() ?? '');
  }
  if (isNewExpression(node)) return node.expression.getText() === 'Date' && (node.arguments?.length ?? 0) === 0;
  if (isCallExpression(node)) return isIdentifier(node.expression) && TIMERS.has(node.expression.text);
  if (!isPropertyAccessExpression(node) || !isIdentifier(node.expression)) return false;
  const names = TIME_PROPERTIES[node.expression.text];
  return names?.includes(node.name.text) === true;
}
