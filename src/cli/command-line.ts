/** Builds the parser of command lines from the commands, with the library `commander`. */
import { styleText } from 'node:util';
import { Option, type OutputConfiguration, Command as Parser } from 'commander';
import { PROGRAM, VERSION } from '../lib/program.ts';
import type { CommandGroup } from './catalog.ts';
import { type Arguments, type Command, UsageError } from './command.ts';
import { findSimilar } from './similar.ts';

export type CommandLine = {
  readonly groups: readonly CommandGroup[];
  /** The commands of the typed group. Other groups only need their summary for the help. */
  readonly commands: readonly Command[];
  readonly output: OutputConfiguration;
  run(command: Command, args: Arguments, general: { json: boolean; cell: string | undefined }): Promise<void>;
};

const FOOTER = `
"${PROGRAM} COMMAND --help" shows the options of a command. With --json a command prints one JSON value. DATABASE_URL
names the database to work on; without it the embedded one in DIALPLANE_DATA (by default ./.dialplane) is used, whether
a server is running on it or not.`;

/**
 * Makes the parser. For a valid command line it calls `run`. Otherwise it writes the reason and throws CommanderError.
 * It also throws after it has written a help, with `exitCode` 0.
 */
export function makeParser(line: CommandLine): Parser {
  const program = new Parser(PROGRAM)
    .version(VERSION, '-v, --version', 'Print the version')
    .helpOption('-h, --help', 'Print this help')
    .helpCommand('help [command]', 'Print the help of a command')
    .usage('COMMAND [OPTIONS]')
    .enablePositionalOptions()
    .exitOverride()
    .showSuggestionAfterError(false)
    .showHelpAfterError(`"${PROGRAM} --help" lists the commands.`)
    .addHelpText('after', FOOTER)
    .configureOutput(line.output)
    .configureHelp({
      optionTerm: ({ flags }) => flags.replaceAll(/[<>]/g, ''),
      subcommandTerm: (command) => [command.name(), ...command.registeredArguments.map(shownArgument)].join(' '),
      // The library removes these colours if the output is not a terminal.
      styleTitle: (text) => styleText('bold', text, { validateStream: false }),
      styleCommandText: (text) => styleText('cyan', text, { validateStream: false }),
      styleSubcommandText: (text) => styleText('cyan', text, { validateStream: false }),
      styleOptionText: (text) => styleText('green', text, { validateStream: false }),
    });
  program.configureOutput({ outputError: refuseAs('dialplane', program) });
  for (const group of line.groups) addGroup(program, group, line);
  return program;
}

/** Writes the name of the command, the mistake in the command line, and similar names. */
function refuseAs(name: string, parser: Parser): NonNullable<OutputConfiguration['outputError']> {
  return (text, write) => {
    const mistake = text.replace(/^error: /, '').trimEnd();
    write(`${name}: ${mistake}${suggestionFor(mistake, parser)}\n`);
  };
}

/** Replaces the library's own suggestion, which may be quite different from the typed name ("bogus": "logs"). */
function suggestionFor(mistake: string, parser: Parser): string {
  const [, kind, dashes = '', typed] = /^unknown (command|option) '(--)?([^'=]*)/.exec(mistake) ?? [];
  if (typed === undefined) return '';
  const help = parser.createHelp();
  const known = kind === 'command' ? help.visibleCommands(parser) : help.visibleOptions(parser);
  const similar = findSimilar(
    typed,
    known.map((each) => each.name()),
  );
  return similar.length === 0 ? '' : `. Did you mean ${similar.map((name) => `${dashes}${name}`).join(' or ')}?`;
}

function shownArgument(argument: { name(): string; required: boolean }): string {
  return argument.required ? argument.name() : `[${argument.name()}]`;
}

function addGroup(program: Parser, group: CommandGroup, line: CommandLine): void {
  const { word, heading, summary, hasCells = false } = group;
  const commands = line.commands.filter(({ name }) => name.split(' ')[0] === word);
  const [first] = commands;
  if (first?.name === word) {
    addCommand(program, first, { line, hasCells }).helpGroup(heading);
    return;
  }
  const parser = program
    .command(word)
    .summary(summary)
    .description(`${summary}.`)
    .helpGroup(heading)
    .usage('COMMAND [OPTIONS]')
    .helpCommand(false);
  parser
    .helpOption('-h, --help', 'Print this help')
    .configureOutput({ outputError: refuseAs('dialplane', parser) })
    .showHelpAfterError(`"${PROGRAM} ${word} --help" lists its commands.`);
  for (const command of commands) addCommand(parser, command, { line, hasCells });
}

type Placed = { readonly line: CommandLine; readonly hasCells: boolean };

function addCommand(parent: Parser, command: Command, { line, hasCells }: Placed): Parser {
  const { name, usage, summary, description, examples = [] } = command;
  const parser = parent
    .command(name.split(' ').at(-1) as string)
    .summary(summary)
    .description([`${summary}.`, ...(description === undefined ? [] : [description])].join('\n\n'));
  parser
    .usage(usage)
    .helpOption('-h, --help', 'Print this help')
    .configureOutput({ outputError: refuseAs(name, parser) })
    .showHelpAfterError(`\n${summary}.\n\n  ${`${PROGRAM} ${name} ${usage}`.trimEnd()}`);
  for (const word of positionalsOf(command)) parser.argument(word);
  for (const option of [...optionsOf(command), ...(hasCells ? [CELL, JSON_OUTPUT] : [JSON_OUTPUT])])
    parser.addOption(option);
  if (examples.length > 0)
    parser.addHelpText('after', `\nExamples:\n${examples.map((example) => `  ${example}`).join('\n')}`);
  return parser.action(async () => {
    try {
      const { json, cell } = parser.opts<{ json?: true; cell?: string }>();
      await line.run(command, readArguments(command, parser), { json: json === true, cell });
    } catch (error) {
      if (error instanceof UsageError) parser.error(error.message);
      throw error;
    }
  });
}

const JSON_OUTPUT = new Option('--json', 'Print one JSON value');
const CELL = new Option('--cell <NAME>', 'Work on the database of this cell');

/** Returns the arguments with the names that the usage has for them. An optional argument is in brackets. */
function positionalsOf({ usage, positionals, optionalPositional }: Command): string[] {
  const words = usage.replaceAll(/\[--[^\]]*\]|--\S+ \S+/g, '').match(/[A-Z_]+/g) ?? [];
  const required = Array.from({ length: positionals }, (_, index) => `<${words[index] ?? 'WORD'}>`);
  return optionalPositional ? [...required, `[${words[positionals] ?? 'WORD'}]`] : required;
}

function optionsOf({ usage, options, repeatable = [], flags = [], meanings = {}, values = {} }: Command): Option[] {
  const inUsage = (name: string) => new RegExp(`--${RegExp.escape(name)} ([^\\s\\]]+)`).exec(usage)?.[1];
  const valueName = (name: string) => values[name] ?? inUsage(name) ?? 'VALUE';
  const withValue = (name: string) => new Option(`--${name} <${valueName(name)}>`, meanings[name]);
  // The help lists options in the order of `values`. The others follow by their kind.
  const order = Object.keys(values);
  const rank = (option: Option) => (order.includes(option.name()) ? order.indexOf(option.name()) : order.length);
  const all = [
    ...options.map(withValue),
    ...repeatable.map((name) =>
      withValue(name).argParser((value, before: readonly string[] = []) => [...before, value]),
    ),
    ...flags.map((name) => new Option(`--${name}`, meanings[name])),
  ];
  return all.toSorted((a, b) => rank(a) - rank(b));
}

function readArguments({ options, repeatable = [], flags = [] }: Command, parser: Parser): Arguments {
  const given = new Map(parser.options.map((option) => [option.name(), parser.getOptionValue(option.attributeName())]));
  const pick = (names: readonly string[]) =>
    Object.fromEntries(names.flatMap((name) => (given.get(name) === undefined ? [] : [[name, given.get(name)]])));
  return {
    positionals: parser.args,
    options: pick(options),
    lists: pick(repeatable),
    flags: new Set(flags.filter((name) => given.get(name) === true)),
  };
}
