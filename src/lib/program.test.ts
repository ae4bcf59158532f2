import assert from 'node:assert/strict';
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { SyntaxKind } from 'typescript/unstable/ast';
import { isTestFile, readSources, type Sources } from '../../scripts/source-files.ts';
import { lineAt, parseAll, walk } from '../../scripts/syntax.ts';
import { findProgram } from './program.ts';

const LITERALS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateHead,
  SyntaxKind.TemplateMiddle,
  SyntaxKind.TemplateTail,
]);

/** The name of the program, and a command, an option or a value after it. */
const BARE_COMMAND = /(?<![\w./@-])dialplane (?=[\w-]|$)/;

/** Files whose texts no reader types, and the kind of each text. */
const NOT_TYPED: readonly { readonly path: RegExp; readonly because: string }[] = [
  { path: /^src\/lib\/program\.ts$/, because: 'PROGRAM itself' },
  { path: /^src\/cli\/completion\/scripts\.ts$/, because: 'scripts that complete the word dialplane' },
  { path: /^src\/cli\/developer\/relay\/route\.ts$/, because: 'the name of a routing config' },
  { path: /^src\/carriers\/telnyx\/(numbers\/profiles|voice\/application)\.ts$/, because: 'names at the carrier' },
  { path: /^src\/carriers\/sip\/config\/(ini|firewall)\.ts$/, because: 'the first line of files of an engine' },
];

/** Names of connections as PostgreSQL lists them. */
const APPLICATION_NAME = /\bapplication_name: *['`]/;

function bareCommands(sources: Sources): string[] {
  const found: string[] = [];
  parseAll(sources, (path, file) => {
    if (NOT_TYPED.some((each) => each.path.test(path))) return;
    walk(file, (node) => {
      if (!LITERALS.has(node.kind) || !('text' in node) || !BARE_COMMAND.test(String(node.text))) return;
      const line = lineAt(file, node.getStart(file));
      if (APPLICATION_NAME.test(sources.get(path)?.split('\n')[line - 1] ?? '')) return;
      found.push(`${path}:${line} ${node.getText(file)}`);
    });
  });
  return found;
}

test('an operator types "dialplane" where a link of that name leads to this program, and npx elsewhere', async () => {
  const root = await mkdtemp(join(tmpdir(), 'program-'));
  const [linked, other, empty] = [join(root, 'linked'), join(root, 'other'), join(root, 'empty')];
  const entry = join(root, 'package', 'dialplane.mjs');
  for (const folder of [linked, other, empty, dirname(entry)]) await mkdir(folder);
  await writeFile(entry, '');
  await writeFile(join(other, 'dialplane'), 'another program');
  await symlink(entry, join(linked, 'dialplane'));
  assert.equal(findProgram([empty, linked], entry), 'dialplane');
  assert.equal(findProgram([empty, other, join(root, 'missing')], entry), 'npx dialplane');
  assert.equal(findProgram([linked], join(root, 'missing')), 'npx dialplane');
});

test('a command that the program prints begins with PROGRAM, which its reader can type', () => {
  const own = [...readSources('.')].filter(([path]) => path.startsWith('src/') && !isTestFile(path));
  assert.deepEqual(bareCommands(new Map(own)), []);
});

test('a bare command is found in each kind of text, and not after PROGRAM, in a path or in the name of a connection', () => {
  const find = (text: string) => bareCommands(new Map([['src/a.ts', text]])).length;
  for (const text of [
    "'dialplane keys list'",
    `\`See "dialplane keys \${id}"\``,
    `\`\${a} dialplane \${b}\``,
    `\`dialplane \${b}\``,
    '\'"dialplane --help"\'',
  ])
    assert.equal(find(`say(${text});`), 1, text);
  for (const text of [`\`\${PROGRAM} keys\``, "'bin/dialplane start'", "{ application_name: 'dialplane doctor' }"])
    assert.equal(find(`say(${text});`), 0, text);
});
