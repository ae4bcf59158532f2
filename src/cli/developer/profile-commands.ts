/** The commands that give names to servers and keys. */
import { text } from 'node:stream/consumers';
import { PROGRAM } from '../../lib/program.ts';
import { readClientEnvironment } from '../../server/settings/client-environment.ts';
import { type Command, required, show, tell, UsageError } from '../command.ts';
import { maskKey, NO_PROFILE, profileNames, readProfiles, requireProfile, writeProfiles } from './profiles.ts';

const NAME_SHAPE = /^[a-z0-9][a-z0-9-]{0,62}$/;
const KEY_SHAPE = /^svc_(test|live)_\w{32}$/;

const add: Command = {
  name: 'profiles add',
  usage: 'NAME --url URL --key KEY|-',
  summary: 'Keep a server and a key under a name; a profile of that name is replaced',
  positionals: 1,
  options: ['url', 'key'],
  meanings: {
    url: 'The address of the server, such as https://phone.example',
    key: 'An API key of the server; - reads it from standard input',
  },
  examples: [
    `${PROGRAM} profiles add staging --url https://phone.staging.example --key - < key.txt`,
    `${PROGRAM} messages list --profile staging`,
  ],
  run: async (args, terminal) => {
    const [name = ''] = args.positionals;
    if (!NAME_SHAPE.test(name) || name === NO_PROFILE) {
      throw new UsageError(
        `NAME has 1 to 63 lower-case letters, digits and dashes, does not begin with a dash, and is not ${NO_PROFILE}`,
      );
    }
    const url = readUrl(required(args, 'url'));
    const given = required(args, 'key');
    const key = given === '-' ? (await text(process.stdin)).trim() : given;
    if (!KEY_SHAPE.test(key)) throw new UsageError('--key takes an API key, svc_test_… or svc_live_…, or -');
    const { userFolder } = readClientEnvironment();
    const { current, profiles } = readProfiles(userFolder);
    // The first profile becomes the current one.
    const chosen = Object.keys(profiles).length === 0 ? name : current;
    writeProfiles(userFolder, { current: chosen, profiles: { ...profiles, [name]: { url, key } } });
    const isCurrent = chosen === name;
    tell(terminal, { name, url, key: maskKey(key), current: isCurrent }, [
      `Kept the profile ${name}: ${url} with the key ${maskKey(key)}.`,
      isCurrent
        ? 'Commands use it by default.'
        : `Use it with "--profile ${name}", or by default with "${PROGRAM} profiles use ${name}".`,
    ]);
    return 0;
  },
};

/** Returns an address without a trailing slash. Throws UsageError if the text is not an address. */
function readUrl(given: string): string {
  const url = URL.parse(given);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '') {
    throw new UsageError('--url takes the address of a server, such as https://phone.example');
  }
  return url.href.replace(/(\/v1)?\/*$/, '');
}

const list: Command = {
  name: 'profiles list',
  usage: '',
  summary: 'List the profiles; keys are never shown whole',
  positionals: 0,
  options: [],
  run: (_args, terminal) => {
    const { current, profiles } = readProfiles(readClientEnvironment().userFolder);
    const rows = Object.entries(profiles).map(([name, { url, key }]) => {
      return { name, url, key: maskKey(key), current: name === current };
    });
    if (rows.length === 0 && !terminal.json) terminal.out(`There is no profile; "${PROGRAM} profiles add" makes one.`);
    else show(terminal, rows, ['name', 'url', 'key', 'current']);
    return Promise.resolve(0);
  },
};

const use: Command = {
  name: 'profiles use',
  usage: `NAME|${NO_PROFILE}`,
  summary: `Use a profile by default; ${NO_PROFILE} chooses the installation of the folder again`,
  positionals: 1,
  options: [],
  suggest: () => [...profileNames(readClientEnvironment().userFolder), { word: NO_PROFILE }],
  examples: [`${PROGRAM} profiles use staging`],
  run: ({ positionals: [name = ''] }, terminal) => {
    const { userFolder } = readClientEnvironment();
    const stored = readProfiles(userFolder);
    const current = name === NO_PROFILE ? null : name;
    if (current !== null) requireProfile(stored, current);
    writeProfiles(userFolder, { ...stored, current });
    tell(terminal, { current }, [
      current === null ? 'Commands use no profile by default.' : `Commands use the profile ${current} by default.`,
    ]);
    return Promise.resolve(0);
  },
};

const remove: Command = {
  name: 'profiles remove',
  usage: 'NAME',
  summary: 'Remove a profile; its key stays valid',
  positionals: 1,
  options: [],
  suggest: () => profileNames(readClientEnvironment().userFolder),
  run: ({ positionals: [name = ''] }, terminal) => {
    const { userFolder } = readClientEnvironment();
    const stored = readProfiles(userFolder);
    requireProfile(stored, name);
    const { [name]: _, ...profiles } = stored.profiles;
    const current = stored.current === name ? null : stored.current;
    writeProfiles(userFolder, { current, profiles });
    tell(terminal, { removed: name }, [`Removed the profile ${name}. "${PROGRAM} api-keys revoke" ends a key.`]);
    return Promise.resolve(0);
  },
};

export const profileCommands: readonly Command[] = [add, list, use, remove];
