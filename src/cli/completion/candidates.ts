/** The candidates for the last word of an unfinished command line. */
import { readClientEnvironment } from '../../server/settings/client-environment.ts';
import type { CommandGroup } from '../catalog.ts';
import type { Command } from '../command.ts';
import { profileNames } from '../developer/profiles.ts';

/** A word and, if it is known, the word's meaning. */
type Candidate = { readonly word: string; readonly meaning?: string | undefined };

/** Returns the profiles of the user: the values of `--profile`. */
type ReadProfileNames = () => readonly Candidate[];

const IN_CELL: Candidate = { word: '--cell', meaning: 'Work on the database of this cell' };

const EVERYWHERE: readonly Candidate[] = [
  { word: '--json', meaning: 'Print one JSON value' },
  { word: '--help', meaning: 'Print this help' },
];

/**
 * Returns the words that can replace the last one. Each begins with the typed part of the last word, which may be
 * empty. Returns none for an argument that takes any text or a file.
 */
async function candidatesFor(
  typed: readonly string[],
  groups: readonly CommandGroup[],
  profileNames: ReadProfileNames,
): Promise<Candidate[]> {
  const before = typed.slice(0, -1);
  const start = typed.at(-1) ?? '';
  const all = await candidatesAfter(before[0] === 'help' ? before.slice(1) : before, start, groups, profileNames);
  return all.filter(({ word }) => word.startsWith(start));
}

async function candidatesAfter(
  before: readonly string[],
  start: string,
  groups: readonly CommandGroup[],
  profileNames: ReadProfileNames,
): Promise<readonly Candidate[]> {
  const [first, second] = before;
  if (first === undefined) {
    return [
      ...groups.map(({ word, summary }) => ({ word, meaning: summary })),
      { word: 'help' },
      { word: '--version' },
    ];
  }
  const group = groups.find(({ word }) => word === first);
  // Completion needs no adapters; only running a command does.
  const commands = (await group?.load(() => Promise.resolve([]))) ?? [];
  const command = commands.find(({ name }) => name === first || name === `${first} ${second}`);
  if (command !== undefined) {
    const everywhere = group?.hasCells === true ? [IN_CELL, ...EVERYWHERE] : EVERYWHERE;
    return candidatesOf(command, before, start, { profileNames, everywhere });
  }
  if (second !== undefined) return [];
  return commands.map(({ name, summary }) => ({ word: name.split(' ')[1] ?? '', meaning: summary }));
}

function candidatesOf(
  command: Command,
  before: readonly string[],
  start: string,
  { profileNames, everywhere }: { profileNames: ReadProfileNames; everywhere: readonly Candidate[] },
): readonly Candidate[] {
  const { name, options, repeatable = [], flags = [], meanings = {} } = command;
  const given = before.slice(name.split(' ').length);
  const last = given.at(-1) ?? '';
  const withValue = [...options, ...repeatable];
  const waiting = withValue.find((option) => last === `--${option}`);
  if (waiting !== undefined) return valuesOf(command, waiting, profileNames);
  const isFree = (option: string) => repeatable.includes(option) || !given.includes(`--${option}`);
  const named = [...withValue, ...flags].filter(isFree);
  if (start.startsWith('-'))
    return [...named.map((option) => ({ word: `--${option}`, meaning: meanings[option] })), ...everywhere];
  const words = given.filter((word, index) => {
    const isValue = withValue.some((option) => given[index - 1] === `--${option}`);
    return !word.startsWith('-') && !isValue;
  });
  return words.length === 0 ? (command.suggest?.() ?? alternatives(command.usage.split(' ')[0])) : [];
}

function valuesOf({ usage, values = {} }: Command, option: string, profileNames: ReadProfileNames) {
  if (option === 'profile') return profileNames();
  return alternatives(values[option] ?? new RegExp(`--${RegExp.escape(option)} ([^\\s\\]]+)`).exec(usage)?.[1]);
}

/** Returns the words of a usage such as `test|live`. Words in capitals are placeholders. */
function alternatives(text = ''): readonly Candidate[] {
  if (!text.includes('|')) return [];
  return text.split('|').flatMap((word) => (/^[a-z]/.test(word) ? [{ word }] : []));
}

/** Returns a line for each candidate: the word, and its meaning after a tab. */
export async function answer(typed: readonly string[], groups: readonly CommandGroup[]): Promise<string[]> {
  const found = await candidatesFor(typed, groups, () => profileNames(readClientEnvironment().userFolder));
  return found.map(({ word, meaning = '' }) => (meaning === '' ? word : `${word}\t${meaning}`));
}
