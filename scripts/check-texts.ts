/**
 * Keeps the texts of pages in their tables (`texts/`): a component that holds a text itself would show it in one
 * language. Reads the syntax trees of packages that have tables: markup of Lit and of JSX, and the values in it.
 */
import type { CallExpression, Node, SourceFile, TemplateExpression } from 'typescript/unstable/ast';
import { SyntaxKind } from 'typescript/unstable/ast';
import {
  isArrayLiteralExpression,
  isArrowFunction,
  isBinaryExpression,
  isCallExpression,
  isConditionalExpression,
  isElementAccessExpression,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isImportDeclaration,
  isJsxAttribute,
  isJsxElement,
  isJsxExpression,
  isJsxFragment,
  isJsxSelfClosingElement,
  isJsxText,
  isLiteralTypeNode,
  isMethodDeclaration,
  isNewExpression,
  isNoSubstitutionTemplateLiteral,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isStringLiteral,
  isTaggedTemplateExpression,
  isTemplateExpression,
} from 'typescript/unstable/ast/is';
import { isTestFile, readSources, type Sources } from './source-files.ts';
import { lineAt, parseAll } from './syntax.ts';

/** Files whose texts are in tables. */
const COMPONENTS = /^packages\/(embeds|console)\/src\/(?!texts\/)/;

/** Modules of the console that are loaded before the language: they may read a text only when they draw. */
const BEFORE_LANGUAGE = /^packages\/console\/src\/(api|app|lib|ui)\//;

/** Attributes and properties whose values people read on the page or hear from a screen reader. */
const SHOWN =
  /^(alt|title|placeholder|label|summary|text|about|hint|note|confirm|aria-(label|description|roledescription|valuetext|placeholder))$/;

/** Attributes and properties that only programs read. */
const HIDDEN = /^(class(Name)?|style|placement|width|to|path|search|id|key|queryKey)$/;
/** Elements with commands and identifiers. */
const CODE_TAG = /^(code|kbd|pre)$/;

/** Texts that are the same in all languages: pieces of requests and of commands, names, units. */
const NOT_READ =
  /^(Bearer | UTC| ?s| ?B|(Ki|Mi)B|CSV|curl|NotLoaded|( · )?Dialplane|\w+Page|Edge?|Opera|(Headless)?Chrome|Firefox|Version|Safari|Android|Windows|Linux)$/;
/** Texts that begin like a command, a selector or markup are not checked either. */
const BEGINS_AS_CODE =
  /^(npx | ?carriers |curl | *--\w| *-[HXd] | \\\n| *\\$|=\[|<a href|">|<\/a>|\[[\w-]+=|\(prefers-|:scope )/;
const isRead = (text: string) => !NOT_READ.test(text) && !BEGINS_AS_CODE.test(text);

const LETTER = /\p{L}/u;
/** A text for people in code: a capital and small letters, or words with a space. Codes and paths have neither. */
const READS_AS_TEXT = /^\s*\p{Lu}\p{Ll}|\p{L}[\p{P}]?\s+\p{L}/u;
/** A piece of a template reads as text if it has a word next to the space before or after a value. */
const PIECE_READS_AS_TEXT = /^\s*\p{Lu}\p{Ll}|\p{L}\s|\s\p{L}/u;

/** Where an expression stands: in shown text, in other code, or where only programs read it. */
type Place = 'shown' | 'code' | 'hidden';

/** A text outside of the tables, with its line counted from 1. */
export type Literal = { readonly path: string; readonly line: number; readonly text: string };

/** Returns the texts that people would read, and that are not in a table. */
export function findLiterals(sources: Sources): Literal[] {
  const found: Literal[] = [];
  const checked = [...sources].filter(([path]) => COMPONENTS.test(path) && !isTestFile(path));
  parseAll(new Map(checked), (path, file) => {
    const report = (node: Node, text: string) =>
      found.push({ path, line: lineAt(file, node.getStart(file)), text: text.trim() });
    visit(file, 'code', { file, report });
    if (BEFORE_LANGUAGE.test(path)) visitEarly(file, { file, report });
  });
  return found;
}

/** Finds texts that are read when the module is loaded. They would be English in every language. */
function visitEarly(node: Node, reading: Reading): void {
  if (isFunctionLike(node)) return;
  const isText = isPropertyAccessExpression(node) && isIdentifier(node.expression) && node.expression.text === 't';
  if (isText) reading.report(node, node.getText(reading.file));
  node.forEachChild((child) => visitEarly(child, reading));
}

const isFunctionLike = (node: Node) =>
  isArrowFunction(node) || isFunctionDeclaration(node) || isFunctionExpression(node) || isMethodDeclaration(node);

type Reading = { readonly file: SourceFile; readonly report: (node: Node, text: string) => void };

function visit(node: Node, place: Place, reading: Reading): void {
  if (isImportDeclaration(node) || isLiteralTypeNode(node)) return;
  if (isTaggedTemplateExpression(node)) visitMarkup(node.tag.getText(reading.file), node.template, reading);
  else if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) {
    const isText = place === 'shown' ? LETTER.test(node.text) : place === 'code' && READS_AS_TEXT.test(node.text);
    if (isText && isRead(node.text)) reading.report(node, node.text);
  } else if (isTemplateExpression(node)) visitTemplate(node, place, reading);
  else if (isJsxText(node) || isJsxAttribute(node) || isJsxExpression(node)) visitJsx(node, place, reading);
  else for (const [child, childPlace] of partsOf(node, place, reading.file)) visit(child, childPlace, reading);
}

/** Returns the children, each with its place. A literal that is compared, or names a property, is not shown. */
function partsOf(node: Node, place: Place, file: SourceFile): [Node, Place][] {
  const children: Node[] = [];
  node.forEachChild((child) => void children.push(child));
  if (isConditionalExpression(node)) return children.map((child) => [child, child === node.condition ? 'code' : place]);
  if (isParenthesizedExpression(node)) return children.map((child) => [child, place]);
  if (isBinaryExpression(node)) {
    if (COMPARISONS.has(node.operatorToken.kind)) return children.map((child) => [child, literalAs('hidden', child)]);
    return children.map((child) => [child, place]);
  }
  if (isNewExpression(node) && isIdentifier(node.expression) && node.expression.text === 'Error') return [];
  if (isPropertyAssignment(node)) {
    const name = isIdentifier(node.name) ? node.name.text : '';
    return [[node.initializer, SHOWN.test(name) ? 'shown' : HIDDEN.test(name) ? 'hidden' : placeBelow(place)]];
  }
  if (isElementAccessExpression(node)) return children.map((child) => [child, literalAs('hidden', child)]);
  if (isCallExpression(node)) {
    return children.map((child) => [child, isReadKey(node, child) ? 'hidden' : placeBelow(place)]);
  }
  if (isJsxElement(node) && CODE_TAG.test(node.openingElement.tagName.getText(file))) return [];
  return children.map((child) => [child, isJsxElement(node) || isJsxFragment(node) ? 'shown' : placeBelow(place)]);
}

/** The key of a read, as in `useRead(['calls', 'now'], …)`. */
const isReadKey = ({ expression }: CallExpression, child: Node) =>
  isArrayLiteralExpression(child) && isIdentifier(expression) && /^use[A-Z]|Key$/.test(expression.text);

const COMPARISONS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.EqualsEqualsEqualsToken,
  SyntaxKind.ExclamationEqualsEqualsToken,
  SyntaxKind.InKeyword,
]);

/** A call or a function in markup is code again: its arguments need not be shown. */
const placeBelow = (place: Place): Place => (place === 'hidden' ? 'hidden' : 'code');

const literalAs = (place: Place, node: Node): Place => (isStringLiteral(node) ? place : 'code');

function visitTemplate({ head, templateSpans }: TemplateExpression, place: Place, reading: Reading): void {
  for (const piece of [head, ...templateSpans.map(({ literal }) => literal)]) {
    const isText =
      place === 'shown' ? LETTER.test(piece.text) : place === 'code' && PIECE_READS_AS_TEXT.test(piece.text);
    if (isText && isRead(piece.text)) reading.report(piece, piece.text);
  }
  for (const { expression } of templateSpans) visit(expression, place, reading);
}

function visitJsx(node: Node, place: Place, reading: Reading): void {
  if (isJsxText(node)) {
    if (LETTER.test(node.text) && isRead(node.text.trim())) reading.report(node, node.text);
  } else if (isJsxAttribute(node)) {
    const name = node.name.getText(reading.file);
    if (node.initializer === undefined) return;
    const { parent } = node.parent;
    // A command or a reply, shown literally.
    if (isJsxSelfClosingElement(parent) && parent.tagName.getText(reading.file) === 'Code' && name === 'text') return;
    visit(node.initializer, SHOWN.test(name) ? 'shown' : HIDDEN.test(name) ? 'hidden' : 'code', reading);
  } else if (isJsxExpression(node) && node.expression !== undefined) visit(node.expression, place, reading);
}

/** Reads a template of Lit. Style sheets have no texts. */
function visitMarkup(tag: string, template: Node, reading: Reading): void {
  const spans = isTemplateExpression(template) ? template.templateSpans : [];
  const first = isTemplateExpression(template) ? template.head : template;
  const pieces = [first, ...spans.map(({ literal }) => literal)];
  const texts = pieces.map((piece) => ('text' in piece ? String(piece.text) : ''));
  const markup = tag === 'html' || tag === 'svg' ? readMarkup(texts) : undefined;
  for (const { at, text } of markup?.shown ?? []) reading.report(pieces[at] ?? template, text);
  for (const [at, { expression }] of spans.entries()) visit(expression, markup?.places[at] ?? 'code', reading);
}

/** Returns the texts of markup that are shown, each with the piece that it is in, and the places of its values. */
function readMarkup(pieces: readonly string[]): { shown: { at: number; text: string }[]; places: Place[] } {
  const shown: { at: number; text: string }[] = [];
  const places: Place[] = [];
  // A tag may contain values, so it may continue in the next piece.
  let [inTag, name, attribute, quote] = [false, '', '', ''];
  for (const [at, piece] of pieces.entries()) {
    let text = '';
    const isShown = () => (inTag ? SHOWN.test(attribute) : true);
    const flush = () => {
      if (isShown() && LETTER.test(text.replaceAll(/&#?\w+;/g, ''))) shown.push({ at, text });
      text = '';
    };
    for (const char of piece) {
      if (!inTag && char === '<') {
        flush();
        [inTag, name, attribute] = [true, '', ''];
      } else if (!inTag || (quote !== '' && char !== quote)) text += char;
      else if (quote !== '') {
        flush();
        [quote, attribute] = ['', ''];
      } else if (char === '>') [inTag, attribute] = [false, ''];
      else if (char === '=') [attribute, name] = [name, ''];
      else if ((char === '"' || char === "'") && attribute !== '') quote = char;
      else if (/\s/.test(char)) [name, attribute] = ['', ''];
      else name += char;
    }
    flush();
    places.push(isShown() ? 'shown' : 'hidden');
  }
  return { shown, places };
}

function main(): void {
  const found = findLiterals(readSources('.'));
  for (const { path, line, text } of found) console.log(`${path}:${line} a text outside of the tables: "${text}"`);
  process.exitCode = found.length > 0 ? 1 : 0;
}

if (import.meta.main) main();
