/** The settings and credentials of a connection, in the form that commands take. */
import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import type { AdapterKind, Connection, ConnectionField } from '../../carriers/adapter.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { CommandError, UsageError } from '../command.ts';

type Given = Pick<Connection, 'settings' | 'credentials'>;

const SET = '--set KEY=VALUE';
const SECRETS = 'a line KEY=VALUE of --secrets-from';

type Options = { readonly set: readonly string[] | undefined; readonly secretsFrom: string | undefined };

/** Reads the values of the options. Throws CommandError or UsageError. */
export async function readGiven({ set, secretsFrom }: Options): Promise<Given> {
  const settings = readFields(set ?? [], '--set');
  const lines = secretsFrom === undefined ? [] : (await readSecrets(secretsFrom)).split('\n');
  return { settings, credentials: readFields(lines, SECRETS) };
}

/**
 * Checks the values and returns them. Throws CommandError, which names a value that this kind of carrier does not take.
 */
export function checkGiven(description: AdapterKind['description'], { settings, credentials }: Given): Given {
  const given = {
    settings: checkFields(description.settings, settings, SET),
    credentials: checkFields(description.credentials, credentials, SECRETS),
  };
  validate(description, given);
  return given;
}

/**
 * Checks the fields and returns them. Throws CommandError, which names an unknown field or a required field that is
 * missing.
 */
function checkFields(
  known: readonly ConnectionField[],
  given: Readonly<Record<string, string>>,
  where: string,
): Readonly<Record<string, string>> {
  const stray = Object.keys(given).find((name) => !known.some((field) => field.name === name));
  if (stray !== undefined) {
    const names = known.map(({ name }) => name).join(', ') || 'none';
    throw new CommandError(`${where}: there is no "${stray}". Known: ${names}.`);
  }
  const missing = known.find(({ name, isRequired }) => isRequired && given[name] === undefined);
  if (missing === undefined) return given;
  throw new CommandError(`${where}: "${missing.name}" is missing: ${missing.description}`);
}

/** Throws CommandError if the adapter does not take the values. */
function validate(description: AdapterKind['description'], given: Given): void {
  try {
    description.validate?.(given);
  } catch (error) {
    throw new CommandError(reasonOf(error));
  }
}

/** Reads a file, or standard input for `-`. Throws CommandError. */
export async function readSecrets(source: string): Promise<string> {
  if (source === '-') return await readAll(process.stdin);
  try {
    return await readFile(source, 'utf8');
  } catch (error) {
    throw new CommandError(`${source} cannot be read: ${reasonOf(error)}`);
  }
}

/**
 * Reads lines KEY=VALUE as fields. Skips empty lines and lines that begin with #. A UsageError does not quote the line,
 * because it may contain a secret.
 */
function readFields(lines: readonly string[], where: string): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  for (const [index, line] of lines.entries()) {
    const text = line.trim();
    if (text === '' || text.startsWith('#')) continue;
    const [, name, value] = /^([a-z][a-z0-9_]*)\s*=\s*(.*)$/.exec(text) ?? [];
    if (name === undefined || value === undefined) {
      throw new UsageError(`${where}: the ${index + 1}. is not KEY=VALUE, with a KEY of lower-case letters`);
    }
    fields[name] = value;
  }
  return fields;
}
