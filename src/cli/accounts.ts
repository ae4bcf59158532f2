import { createAccount, listAccounts, moveAccount } from '../domain/accounts/index.ts';
import { type Command, CommandError, show, UsageError } from './command.ts';
import { withDatabase } from './install-database.ts';

const COLUMNS = ['id', 'status', 'created_at', 'name'];
const NAME_CHARS_MAX = 200;

const create: Command = {
  name: 'accounts create',
  usage: 'NAME',
  summary: 'Make an account with a test key and a live key; both are shown this once',
  positionals: 1,
  options: [],
  run: async ({ positionals }, terminal) => {
    const name = positionals[0]?.trim() ?? '';
    if (name === '' || name.length > NAME_CHARS_MAX) throw new UsageError('NAME has 1 to 200 characters');
    const account = await withDatabase(terminal, (db) => db.transaction((tx) => createAccount(tx, name)));
    if (terminal.json) terminal.out(JSON.stringify(account));
    else {
      terminal.out(`Account   ${account.id}  ${account.name}`);
      terminal.out(`Test key  ${account.test_key}`);
      terminal.out(`Live key  ${account.live_key}`);
      terminal.out('Keep the keys now: they are stored as digests and cannot be shown again.');
    }
    return 0;
  },
};

const list: Command = {
  name: 'accounts list',
  usage: '',
  summary: 'List all accounts',
  positionals: 0,
  options: [],
  run: async (_args, terminal) => {
    const accounts = await withDatabase(terminal, listAccounts);
    if (terminal.json) terminal.out(JSON.stringify(accounts));
    else show(terminal, accounts, COLUMNS);
    return 0;
  },
};

function move(verb: 'suspend' | 'resume', summary: string): Command {
  const status = verb === 'suspend' ? 'suspended' : 'active';
  return {
    name: `accounts ${verb}`,
    usage: 'ACCOUNT_ID',
    summary,
    positionals: 1,
    options: [],
    run: async ({ positionals: [id = ''] }, terminal) => {
      const account = await withDatabase(terminal, (db) => moveAccount(db, id, status));
      if (account === undefined)
        throw new CommandError(`There is no account ${id}; "dialplane accounts list" has all.`);
      if (terminal.json) terminal.out(JSON.stringify(account));
      else terminal.out(`Account ${account.id} (${account.name}) is ${account.status}; nodes notice within 5 seconds.`);
      return 0;
    },
  };
}

export const accountCommands: readonly Command[] = [
  create,
  list,
  move('suspend', "Refuse the account's API requests; inbound texts and running calls go on"),
  move('resume', 'Lift a suspension'),
];
