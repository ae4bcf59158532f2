import { parseArgs } from 'node:util';
import packageFile from '../../package.json' with { type: 'json' };
import type { AdapterKind } from '../carriers/adapter.ts';
import { ApiError, ERRORS } from '../lib/errors.ts';
import { ADAPTER_KINDS } from '../server/adapter-kinds.ts';
import { ConfigError } from '../server/config.ts';
import { StartError } from '../server/start-error.ts';
import { accountCommands } from './accounts.ts';
import { carrierCheckCommands } from './carrier-checks.ts';
import { carrierCommands } from './carriers.ts';
import { type Arguments, type Command, CommandError, type Terminal, UsageError } from './command.ts';
import { listenCommand } from './developer/listen.ts';
import { triggerCommand } from './developer/trigger.ts';
import { doctorCommand } from './doctor.ts';
import { importCommand } from './import-numbers.ts';
import { keyCommands } from './keys.ts';
import { nearest } from './nearest.ts';
import { resumeCommand } from './resume.ts';
import { startCommand } from './start.ts';

/** Returns all commands. Those about carriers depend on the kinds of carriers that the program knows. */
export function commandsFor(kinds: readonly AdapterKind[]): readonly Command[] {
  return [
    startCommand,
    resumeCommand,
    ...accountCommands,
    ...keyCommands,
    ...carrierCommands(kinds),
    ...carrierCheckCommands(kinds),
    importCommand(kinds),
    doctorCommand(kinds),
    listenCommand,
    triggerCommand,
  ];
}

/**
 * Runs one command line.
 * @param words the arguments after the program's name
 * @param program the kinds of carriers that it knows, and where its output goes
 * @returns exit code: 0 done, 1 failed, 2 not a valid command line
 */
export async function runCli(words: readonly string[], program: Program = {}): Promise<number> {
  const { kinds = ADAPTER_KINDS, out = toStdout, err = toStderr } = program;
  const commands = commandsFor(kinds);
  const [first, second] = words;
  // A reader that has gone, such as \`head\`, wants no more output; the command finishes all the same.
  for (const stream of [process.stdout, process.stderr]) {
    stream.off('error', ignoreClosedPipe).on('error', ignoreClosedPipe);
  }
  const terminal: Terminal = {
    json: words.includes('--json'),
    isInteractive: process.stdout.isTTY === true,
    out,
    err,
  };
  if (first === '--version' || first === '-v') return say(terminal, packageFile.version);
  if (first === undefined || ['help', '--help', '-h'].includes(first)) return say(terminal, help(commands));
  const command = commands.find(({ name }) => name === first || name === `${first} ${second}`);
  if (command === undefined) return (wantsHelp(words) ? explainGroup : unknown)(terminal, commands, words);
  const rest = words.slice(command.name.split(' ').length);
  if (wantsHelp(rest)) return say(terminal, usage(command));
  try {
    return await command.run(readArguments(command, rest), terminal);
  } catch (error) {
    return explain(terminal, command, error);
  }
}

type Program = {
  readonly kinds?: readonly AdapterKind[];
  /** Takes a line of standard output, or of standard error. */
  out?(text: string): void;
  err?(text: string): void;
};

function toStdout(text: string): void {
  process.stdout.write(`${text}\n`);
}

function toStderr(text: string): void {
  process.stderr.write(`${text}\n`);
}

function ignoreClosedPipe(error: Error): void {
  if (!('code' in error) || error.code !== 'EPIPE') throw error;
}

function readArguments(command: Command, words: readonly string[]): Arguments {
  const named = command.options.map((name) => [name, { type: 'string' }] as const);
  const listNames = command.repeatable ?? [];
  const lists = listNames.map((name) => [name, { type: 'string', multiple: true }] as const);
  const flagNames = command.flags ?? [];
  const bare = flagNames.map((name) => [name, { type: 'boolean' }] as const);
  const options = {
    ...Object.fromEntries(named),
    ...Object.fromEntries(lists),
    ...Object.fromEntries(bare),
    json: { type: 'boolean' },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: joinNumbers(command, words), options, allowPositionals: true });
    const surplus = positionals.length - command.positionals;
    if (surplus !== 0 && !(surplus === 1 && command.optionalPositional)) {
      throw new UsageError(`takes ${command.positionals} words, but ${positionals.length} were given`);
    }
    const given = new Map(Object.entries(values));
    const pick = (names: readonly string[]) =>
      Object.fromEntries(names.flatMap((name) => (given.has(name) ? [[name, given.get(name)]] : [])));
    return {
      positionals,
      options: pick(command.options) as Arguments['options'],
      lists: pick(listNames) as Arguments['lists'],
      flags: new Set(flagNames.filter((name) => given.get(name) === true)),
    };
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

/** Rewrites `--option -1` as `--option=-1`: the parser reads a value that begins with a dash as an option. */
function joinNumbers(command: Command, words: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of words) {
    const last = joined.at(-1) ?? '';
    if (/^-\d/.test(word) && command.options.some((name) => last === `--${name}`))
      joined.push(`${joined.pop()}=${word}`);
    else joined.push(word);
  }
  return joined;
}

function explain(terminal: Terminal, command: Command, error: unknown): number {
  if (error instanceof UsageError) {
    terminal.err(`${command.name}: ${error.message}\n\n${usage(command)}`);
    return 2;
  }
  if (error instanceof CommandError) terminal.err(error.message);
  else if (error instanceof StartError) terminal.err(`${error.message}\n${error.nextStep}`);
  else if (error instanceof ConfigError) terminal.err(error.problems.join('\n'));
  else if (error instanceof ApiError) terminal.err(`${error.message} ${ERRORS[error.code].remedy}`);
  else throw error;
  return 1;
}

function unknown(terminal: Terminal, commands: readonly Command[], words: readonly string[]): number {
  const typed = words.filter((word) => !word.startsWith('-')).slice(0, 2);
  const meant = nearest(
    typed.join(' '),
    commands.map(({ name }) => name),
  );
  const hint = meant === undefined ? '' : ` Did you mean "dialplane ${meant}"?`;
  terminal.err(`There is no command "${typed.join(' ') || words[0]}".${hint}\n\n${help(commands)}`);
  return 2;
}

function wantsHelp(words: readonly string[]): boolean {
  return words.includes('--help') || words.includes('-h');
}

/** Shows the commands that share a first word, such as `keys`. */
function explainGroup(terminal: Terminal, commands: readonly Command[], words: readonly string[]): number {
  const group = commands.filter(({ name }) => name.startsWith(`${words[0]} `));
  return group.length === 0 ? unknown(terminal, commands, words) : say(terminal, listCommands(group));
}

function say(terminal: Terminal, text: string): number {
  terminal.out(text);
  return 0;
}

function usage(command: Command): string {
  return `${command.summary}.\n\n  dialplane ${command.name} ${command.usage}`.trimEnd();
}

function listCommands(commands: readonly Command[]): string {
  const show = ({ name, usage, summary }: Command) => `  ${`${name} ${usage}`.trim()}\n      ${summary}`;
  return commands.map(show).join('\n');
}

function help(commands: readonly Command[]): string {
  return `dialplane ${packageFile.version}

${listCommands(commands)}
  help, --version

With --json a command prints one JSON value. DATABASE_URL names the database to work on; without it the embedded one in
DIALPLANE_DATA (by default ./.dialplane) is used, whether a server is running on it or not.`;
}
