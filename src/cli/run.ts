import { styleText } from 'node:util';
import { CommanderError } from 'commander';
import type { AdapterKind } from '../carriers/adapter.ts';
import { COMMAND_GROUPS, type ReadKinds } from './catalog.ts';
import { CommandError, type Terminal } from './command.ts';
import { makeParser } from './command-line.ts';
import { ASK } from './completion/scripts.ts';

/**
 * Runs one command line.
 * @param words the arguments after the program's name
 * @param program the kinds of carriers that it knows, and where its output goes
 * @returns exit code: 0 done, 1 failed, 2 not a valid command line
 */
export async function runCli(words: readonly string[], program: Program = {}): Promise<number> {
  const { kinds, input, out = toStdout, err = toStderr, confirm = confirmHere } = program;
  // A closed pipe, for example after `head`, needs no more output. The command still finishes.
  for (const stream of [process.stdout, process.stderr]) {
    stream.off('error', ignoreClosedPipe).on('error', ignoreClosedPipe);
  }
  if (words[0] === ASK) {
    const { answer } = await import('./completion/candidates.ts');
    for (const line of await answer(words.slice(1), COMMAND_GROUPS)) out(line);
    return 0;
  }
  const isInteractive = process.stdout.isTTY === true;
  const terminal = { isInteractive, ...(input && { input }), out, err, confirm, style };
  const group = COMMAND_GROUPS.find(({ word }) => word === firstWord(words));
  let exitCode = 0;
  const parser = makeParser({
    groups: COMMAND_GROUPS,
    commands: (await group?.load(kinds === undefined ? readAllKinds : () => Promise.resolve(kinds))) ?? [],
    output: { writeOut: (text) => out(text.trimEnd()), writeErr: (text) => err(text.trimEnd()) },
    run: async (command, args, general) => {
      exitCode = await command.run(args, { ...terminal, ...general });
    },
  });
  try {
    if (words.length === 0) parser.outputHelp();
    else await parser.parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    err(await explain(error));
    return 1;
  }
}

type Program = {
  readonly kinds?: readonly AdapterKind[];
  readonly input?: NodeJS.ReadableStream;
  /** Receives a line of standard output, or of standard error. */
  out?(text: string): void;
  err?(text: string): void;
  confirm?(question: string): Promise<boolean>;
};

/** Returns the word that names the command. It may come after `help`. */
function firstWord(words: readonly string[]): string | undefined {
  const [first, second] = words.filter((word) => !word.startsWith('-'));
  return first === 'help' ? second : first;
}

const readAllKinds: ReadKinds = async () => (await import('../server/parts/adapter-kinds.ts')).ADAPTER_KINDS;

/** Formats only if the terminal shows colours and NO_COLOR is not set. */
const style: Terminal['style'] = (format, text) => styleText(format, text, { stream: process.stdout });

async function confirmHere(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return true;
  const { createInterface } = await import('node:readline/promises');
  const dialog = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await dialog.question(`${question} [y/N] `)).trim());
  } finally {
    dialog.close();
  }
}

function toStdout(text: string): void {
  process.stdout.write(`${text}\n`);
}

function toStderr(text: string): void {
  process.stderr.write(`${text}\n`);
}

function ignoreClosedPipe(error: Error): void {
  if (!('code' in error) || error.code !== 'EPIPE') throw error;
}

/** Returns the message of an error for the user. Throws the error again if it is a fault of the program. */
async function explain(error: unknown): Promise<string> {
  if (error instanceof CommandError) return error.message;
  // These modules are large, so they are loaded here. If a command throws their errors, it has loaded them already.
  const [{ StartError }, { ConfigError }, { ApiError, ERRORS }] = await Promise.all([
    import('../server/lifecycle/start-error.ts'),
    import('../server/settings/config.ts'),
    import('../lib/errors/errors.ts'),
  ]);
  if (error instanceof StartError) return `${error.message}\n${error.nextStep}`;
  if (error instanceof ConfigError) return error.problems.join('\n');
  if (error instanceof ApiError) return `${error.message} ${ERRORS[error.code].remedy}`;
  throw error;
}
