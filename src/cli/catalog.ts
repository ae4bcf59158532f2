/**
 * The commands of the program by their first word. The module of a group is loaded when the user types one of its
 * commands.
 */
import type { AdapterKind } from '../carriers/adapter.ts';
import { OPERATION_GROUPS } from './api/operations.ts';
import type { Command } from './command.ts';

/**
 * Returns the kinds of carriers that the program knows. Loads every adapter, so only commands that need them call it.
 */
export type ReadKinds = () => Promise<readonly AdapterKind[]>;

/** Commands with the same first word. */
export type CommandGroup = {
  readonly word: string;
  /** The heading of the commands in the program's help. */
  readonly heading: string;
  /** The group's line in the program's help. For a command of one word, it is the command's summary. */
  readonly summary: string;
  /** True if the commands work on the database of a cell with `--cell`. */
  readonly hasCells?: true;
  load(kinds: ReadKinds): Promise<readonly Command[]>;
};

const OPERATING = 'Run a server:';
const BUILDING = 'Build on the API:';

/** The groups of commands that are written by hand, in the order of the program's help. */
export const OWN_GROUPS: readonly CommandGroup[] = [
  {
    word: 'start',
    heading: OPERATING,
    summary: 'Serve, by default in all roles',
    load: async () => [(await import('./install/start.ts')).startCommand],
  },
  {
    word: 'resume',
    heading: OPERATING,
    hasCells: true,
    summary: 'End the pause of "start --paused": work continues, and the API accepts changes again',
    load: async () => [(await import('./install/resume.ts')).resumeCommand],
  },
  {
    word: 'doctor',
    heading: OPERATING,
    summary: 'Check the machine, the configuration, the database and the carriers, with the next step for each problem',
    load: async (kinds) => [(await import('./doctor/doctor.ts')).doctorCommand(await kinds())],
  },
  {
    word: 'migrate',
    heading: OPERATING,
    summary: 'Apply the migrations of this version without starting the server',
    load: async () => [(await import('./install/migrate.ts')).migrateCommand],
  },
  {
    word: 'reencrypt',
    heading: OPERATING,
    hasCells: true,
    summary: 'Encrypt again with the newest DIALPLANE_SECRET, so that the older ones can be dropped',
    load: async () => [(await import('./install/reencrypt.ts')).reencryptCommand],
  },
  {
    word: 'accounts',
    heading: OPERATING,
    hasCells: true,
    summary: 'Create, list, credit, suspend and resume accounts',
    load: async () => (await import('./accounts/accounts.ts')).accountCommands,
  },
  {
    word: 'keys',
    heading: OPERATING,
    hasCells: true,
    summary: 'Create, list, rotate and revoke API keys of any account',
    load: async () => (await import('./accounts/keys.ts')).keyCommands,
  },
  {
    word: 'users',
    heading: OPERATING,
    hasCells: true,
    summary: 'Add, list, change and remove the people of the console',
    load: async () => (await import('./accounts/users.ts')).userCommands,
  },
  {
    word: 'console',
    heading: OPERATING,
    hasCells: true,
    summary: 'Print a link that signs a browser in to the console, once',
    load: async () => [(await import('./accounts/console.ts')).consoleCommand],
  },
  {
    word: 'carriers',
    heading: OPERATING,
    hasCells: true,
    summary: 'Connect carriers for live keys, check them, choose what each is used for',
    load: async (readKinds) => {
      const [{ carrierCommands }, { carrierCheckCommands }, kinds] = await Promise.all([
        import('./carriers/carriers.ts'),
        import('./carriers/carrier-checks.ts'),
        readKinds(),
      ]);
      return [...carrierCommands(kinds), ...carrierCheckCommands(kinds)];
    },
  },
  {
    word: 'numbers',
    heading: OPERATING,
    hasCells: true,
    summary: 'Import numbers that you already have at a carrier',
    load: async (kinds) => [(await import('./carriers/import-numbers.ts')).importCommand(await kinds())],
  },
  {
    word: 'cells',
    heading: OPERATING,
    summary: 'Add, list and check further databases of the installation, and move accounts between them',
    load: async () => (await import('./cells/cells.ts')).cellCommands,
  },
  {
    word: 'listen',
    heading: BUILDING,
    summary: 'Send events to a program on this machine as signed webhooks, and show its answers',
    load: async () => [(await import('./developer/listen.ts')).listenCommand],
  },
  {
    word: 'logs',
    heading: BUILDING,
    summary: 'Show the requests and events of an account, with --follow as they happen',
    load: async () => [(await import('./developer/logs.ts')).logsCommand],
  },
  {
    word: 'trigger',
    heading: BUILDING,
    summary: 'Make an event happen in test mode, such as message.received',
    load: async () => [(await import('./developer/trigger.ts')).triggerCommand],
  },
  {
    word: 'phone',
    heading: BUILDING,
    summary: 'Be a simulated person: text and call the numbers of test mode from the terminal',
    load: async () => [(await import('./developer/phone.ts')).phoneCommand],
  },
  {
    word: 'relay',
    heading: BUILDING,
    summary: 'Try an agent of text: one that repeats what callers say, or your own, on a number of test mode',
    load: async () => [(await import('./developer/relay.ts')).relayCommand],
  },
  {
    word: 'profiles',
    heading: BUILDING,
    summary: 'Keep servers and keys under names, and choose one',
    load: async () => (await import('./developer/profile-commands.ts')).profileCommands,
  },
  {
    word: 'open',
    heading: BUILDING,
    summary: 'Open a page of the server in the browser: its guides, or the reference of the API',
    load: async () => [(await import('./developer/open.ts')).openCommand],
  },
  {
    word: 'find',
    heading: BUILDING,
    summary: 'Find tenants, contacts, numbers and conversations by name, number, reference or id',
    load: async () => [(await import('./developer/find.ts')).findCommand],
  },
  {
    word: 'completion',
    heading: BUILDING,
    summary: 'Print the script that completes commands and options in a shell',
    load: async () => [(await import('./completion/completion-command.ts')).completionCommand],
  },
];

/** The resources of the API. Each group has a command for each operation; contacts have one more command. */
const API_GROUPS: readonly CommandGroup[] = OPERATION_GROUPS.map((group) => ({
  word: group.name,
  heading: 'Resources of the API:',
  summary: group.summary,
  load: async () => [
    ...(await import('./api/commands.ts')).commandsOf(group),
    ...(group.name === 'contacts' ? [(await import('./contacts/import-contacts.ts')).importContactsCommand] : []),
  ],
}));

/** All groups. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [...OWN_GROUPS, ...API_GROUPS];
