import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runHere } from '../../../test/support/cli-process.ts';
import { missing } from '../../../test/support/programs.ts';
import { SCRIPTS, SHELLS, type Shell } from './scripts.ts';

const folder = mkdtempSync(join(tmpdir(), 'completion-'));
const main = fileURLToPath(new URL('../../main.ts', import.meta.url));
const env = {
  HOME: folder,
  XDG_CONFIG_HOME: folder,
  XDG_DATA_HOME: folder,
  TERM: 'dumb',
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
  PATH: [join(folder, 'bin'), process.env['PATH']].join(delimiter),
};
mkdirSync(join(folder, 'bin'));
writeFileSync(join(folder, 'bin', 'dialplane'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
chmodSync(join(folder, 'bin', 'dialplane'), 0o755);
for (const shell of SHELLS) writeFileSync(join(folder, `script.${shell}`), SCRIPTS[shell]);
writeFileSync(join(folder, 'body.json'), '{}');
await runHere(['profiles', 'add', 'staging', '--url', 'https://a.example', '--key', `svc_test_${'a'.repeat(32)}`], env);

/** Returns the words that the program offers after the typed ones. */
async function after(...typed: string[]): Promise<string[]> {
  const { code, out, err } = await runHere(['__complete', ...typed], env);
  assert.deepEqual([code, err], [0, '']);
  return out === ''
    ? []
    : out
        .trim()
        .split('\n')
        .map((line) => line.split('\t')[0] ?? '');
}

test('commands are offered by their words', async () => {
  assert.deepEqual(await after('mess'), ['messages', 'message-templates']);
  assert.deepEqual(await after('messages', 'ge'), ['get', 'get-media']);
  assert.deepEqual(await after('keys', ''), ['create', 'list', 'revoke', 'rotate']);
  assert.deepEqual(await after('help', 'prof'), ['profiles']);
  assert.ok((await after('')).includes('start'));
  assert.deepEqual(await after('nothing', ''), []);
});

test('options are offered once each, those that can be repeated always', async () => {
  assert.deepEqual(await after('messages', 'send', '--t'), ['--to', '--template-id']);
  assert.deepEqual(await after('messages', 'send', '--to', '+1', '--t'), ['--template-id']);
  assert.deepEqual(await after('messages', 'send', '--metadata', 'a=b', '--met'), ['--metadata']);
  assert.deepEqual(await after('tenants', 'update', 'tnt_1', '--quiet-hours.st'), ['--quiet-hours.start']);
});

test('the values of an option are offered where they are known', async () => {
  assert.deepEqual(await after('messages', 'list', '--direction', ''), ['inbound', 'outbound']);
  assert.deepEqual(await after('keys', 'create', '--mode', 'l'), ['live']);
  assert.deepEqual(await after('calls', 'list', '--profile', ''), ['staging']);
  assert.deepEqual(await after('messages', 'send', '--body', ''), []);
  assert.deepEqual(await after('messages', 'send', '--data', ''), []);
});

test('the first argument is offered where it is known', async () => {
  assert.deepEqual(await after('completion', ''), ['bash', 'zsh', 'fish']);
  assert.deepEqual(await after('profiles', 'use', ''), ['staging', 'none']);
  assert.deepEqual(await after('trigger', 'message.rec'), ['message.received']);
  assert.deepEqual(await after('trigger', 'message.received', ''), []);
});

test('a shell without a script is refused', async () => {
  const { code, err } = await runHere(['completion', 'tcsh'], env);
  assert.equal(code, 2);
  assert.match(err, /no script for "tcsh"; give bash, zsh, fish/);
});

/** Makes an interactive zsh print the completions of the typed words, and then END. */
const CAPTURE_ZSH = `
autoload -Uz compinit
compinit -u -D
source ${folder}/script.zsh
bindkey '^I' complete-word
compadd() {
  builtin compadd "$@"
  local code=$?
  if [[ " \${@[1,(i)(-|--)]} " != *' -'[OAD]' '* ]]; then
    local -a matches
    builtin compadd -O matches "$@"
    print -l '' -- $matches
  fi
  return code
}
ended() { print -l '' END; exit }
comppostfuncs=(ended)
PS1=
print -l '' READY
`;
writeFileSync(join(folder, 'capture.zsh'), CAPTURE_ZSH);

/** For each shell, a program that prints the completions of a command line, one a line. */
const PROGRAMS: Readonly<Record<Shell, (words: readonly string[]) => string>> = {
  bash: (words) => `
    source ${folder}/script.bash
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
    _dialplane
    printf '%s\\n' "\${COMPREPLY[@]}"`,
  // zsh completes only in an interactive shell. So this starts one on a pseudo-terminal and types into it.
  zsh: (words) => `
    zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell 'source ${folder}/capture.zsh'
    while zpty -r shell line; do [[ $line == READY* ]] && break; done
    zpty -w -n shell '${words.join(' ')}'$'\\t'
    while zpty -r shell line; do print -r -- $line; [[ $line == END* ]] && break; done`,
  fish: (words) => `source ${folder}/script.fish; complete -C '${words.join(' ')}'`,
};

async function completedBy(shell: Shell, ...words: string[]): Promise<string[]> {
  const flags = shell === 'zsh' ? ['-f'] : [];
  const run = promisify(execFile)(shell, [...flags, '-c', PROGRAMS[shell](words)], {
    env,
    cwd: folder,
    timeout: 60_000,
  });
  run.child.stdin?.end();
  const { stdout } = await run;
  return stdout.split(/\r?\n/).map((line) => line.split('\t')[0]?.trim() ?? '');
}

for (const shell of SHELLS) {
  test(`${shell} completes commands, options and files`, { skip: missing(shell) }, async () => {
    assert.ok((await completedBy(shell, 'dialplane', 'voicem')).includes('voicemails'));
    const methods = await completedBy(shell, 'dialplane', 'voicemails', '');
    assert.deepEqual(
      ['list', 'get', 'get-audio'].filter((word) => !methods.includes(word)),
      [],
    );
    const options = await completedBy(shell, 'dialplane', 'messages', 'send', '--resp');
    assert.ok(options.includes('--respect-quiet-hours'), options.join(' '));
    // If the function offers nothing, Bash completes files itself.
    const files = shell === 'bash' ? [] : await completedBy(shell, 'dialplane', 'numbers', 'import', 'bod');
    assert.ok(shell === 'bash' ? SCRIPTS.bash.includes('complete -o default ') : files.includes('body.json'));
  });
}
