/** A command for each operation of the API. */
import { PROGRAM } from '../../lib/program.ts';
import type { Arguments, Command } from '../command.ts';
import { ACCESS_MEANINGS, ACCESS_OPTIONS } from '../developer/server-access.ts';
import type { Field, Operation, OperationGroup } from './operations.ts';

/**
 * A list of values that is longer than this is not in the option's usage. The help shows it in the option's meaning.
 */
const VALUES_CHARS_MAX = 40;

type OwnOption = { readonly name: string; readonly value?: string; readonly meaning: string };

const DATA: OwnOption = {
  name: 'data',
  value: 'JSON|@FILE|-',
  meaning: 'The whole body as JSON, from a file or from standard input; fields given as options replace its fields',
};
const KEY: OwnOption = {
  name: 'idempotency-key',
  value: 'TEXT',
  meaning: 'A repeat with this key within 24 hours does nothing and gets the first reply; by default a new key',
};
const FILE: OwnOption = { name: 'file', value: 'FILE', meaning: 'The file that is sent' };
const OUTPUT: OwnOption = { name: 'output', value: 'FILE|-', meaning: 'Where the file goes; - is standard output' };
const YES: OwnOption = { name: 'yes', meaning: 'Do not ask before something of a live key is deleted' };
const ALL: OwnOption = { name: 'all', meaning: 'Print all pages, with as many requests as that takes' };

/** Makes the commands of a resource. */
export function commandsOf({ name: group, operations }: OperationGroup): readonly Command[] {
  return operations.map((operation) => commandOf(group, operation));
}

function commandOf(group: string, operation: Operation): Command {
  const name = `${group} ${operation.name}`;
  const ownNames = ownOptions(operation);
  // If a field has the name of an option for the server, the option means the field: --url of a webhook endpoint.
  const access = ACCESS_OPTIONS.filter((option) => operation.fields.every((field) => field.option !== option));
  const positionals = operation.arguments.map((argument) => argument.toUpperCase());
  const required = operation.fields.filter(({ isRequired }) => isRequired);
  const usage = [...positionals, ...required.map((field) => `--${field.option} ${valueName(field)}`), '[OPTIONS]'];
  const isRepeatable = ({ isList, type }: Field) => isList === true || type === 'pairs';
  const optionsOf = (fields: readonly Field[]) => fields.map(({ option }) => option);
  return {
    name,
    usage: usage.join(' '),
    summary: operation.summary,
    ...(operation.description && { description: operation.description }),
    positionals: positionals.length,
    options: [
      ...optionsOf(operation.fields.filter((field) => !isRepeatable(field))),
      ...ownNames.filter(({ value }) => value !== undefined).map((option) => option.name),
      ...access,
    ],
    repeatable: optionsOf(operation.fields.filter(isRepeatable)),
    flags: ownNames.filter(({ value }) => value === undefined).map((option) => option.name),
    values: Object.fromEntries([
      ...operation.fields.map((field) => [field.option, valueName(field)] as const),
      ...ownNames.map(({ name: option, value = '' }) => [option, value] as const),
      ...access.map((option) => [option, option === 'profile' ? 'NAME' : option.toUpperCase()] as const),
    ]),
    meanings: {
      ...ACCESS_MEANINGS,
      ...Object.fromEntries(ownNames.map(({ name: option, meaning }) => [option, meaning])),
      ...Object.fromEntries(operation.fields.map((field) => [field.option, meaningOf(field)])),
    },
    examples: [exampleOf(name, operation)],
    run: async (args: Arguments, terminal) =>
      (await import('./run-operation.ts')).runOperation(operation, args, terminal),
  };
}

function ownOptions({ method, hasBody, fileTypes, reply }: Operation): OwnOption[] {
  return [
    ...(hasBody ? [DATA] : []),
    ...(fileTypes ? [{ ...FILE, meaning: `${FILE.meaning}: ${fileTypes.join(', ')}` }] : []),
    ...(reply === 'file' ? [OUTPUT] : []),
    ...(reply === 'page' ? [ALL] : []),
    ...(method === 'POST' ? [KEY] : []),
    ...(method === 'DELETE' ? [YES] : []),
  ];
}

function valueName({ type, values = [], path }: Field): string {
  if (type === 'boolean') return 'true|false';
  if (type === 'pairs') return 'NAME=TEXT';
  if (type === 'json') return 'JSON';
  const all = values.join('|');
  if (all !== '' && all.length <= VALUES_CHARS_MAX) return all;
  if (type === 'number') return 'NUMBER';
  return path.at(-1)?.endsWith('_id') ? 'ID' : 'TEXT';
}

function meaningOf(field: Field): string {
  const { meaning = '', values = [], isList, isNullable, type, isRequired } = field;
  const isListed = values.length > 0 && !valueName(field).includes('|');
  const notes = [
    ...(isListed ? [`one of ${values.join(', ')}`] : []),
    ...(isList || type === 'pairs' ? ['can be repeated'] : []),
    ...(isNullable ? ['null for none'] : []),
    ...(isRequired ? ['required'] : []),
  ];
  return [meaning.replace(/\.$/, ''), ...(notes.length > 0 ? [`(${notes.join('; ')})`] : [])].join(' ').trim();
}

function exampleOf(name: string, { example, reply }: Operation): string {
  const more = reply === 'file' ? ['--output', 'audio.wav'] : [];
  return [PROGRAM, name, ...[...example, ...more].map(quoted)].join(' ');
}

/** Returns a word quoted for a shell, if it needs quotes. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
