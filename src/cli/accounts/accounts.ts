import { createAccount, listAccounts, setAccountRate, setAccountStatus } from '../../domain/accounts/index.ts';
import { KEY_RATE, KEY_RATE_MAX } from '../../http/limits/rate-limit.ts';
import { formatUsd, parseUsd } from '../../lib/money.ts';
import { PROGRAM } from '../../lib/program.ts';
import { creditBalance } from '../../server/account-standings/credit-balance.ts';
import { REFERENCE_CHARS_MAX } from '../../server/account-standings/schema.ts';
import { type Command, noAccount, required, tell, UsageError } from '../command.ts';
import { withDatabase } from '../install/install-database.ts';
import { listRows, OVER_CELLS } from '../install/list-rows.ts';
import { readRate } from './keys.ts';

const COLUMNS = ['id', 'status', 'created_at', 'name'];
const NAME_CHARS_MAX = 200;

const create: Command = {
  name: 'accounts create',
  usage: 'NAME',
  summary: 'Make an account with a test key and a live key; both are shown only now',
  positionals: 1,
  options: [],
  run: async ({ positionals }, terminal) => {
    const name = positionals[0]?.trim() ?? '';
    if (name === '' || name.length > NAME_CHARS_MAX) throw new UsageError('NAME has 1 to 200 characters');
    const account = await withDatabase(terminal, (db) => db.transaction((tx) => createAccount(tx, name)));
    tell(terminal, account, [
      `Account   ${account.id}  ${account.name}`,
      `Test key  ${account.test_key}`,
      `Live key  ${account.live_key}`,
      'Keep the keys now: they are stored as digests and cannot be shown again.',
    ]);
    return 0;
  },
};

const list: Command = {
  name: 'accounts list',
  usage: '[--all-cells]',
  summary: 'List all accounts',
  positionals: 0,
  options: [],
  ...OVER_CELLS,
  run: (args, terminal) => listRows(args, terminal, { columns: COLUMNS, read: listAccounts }),
};

function move(verb: 'suspend' | 'resume', summary: string): Command {
  const command = `accounts ${verb}`;
  const status = verb === 'suspend' ? 'suspended' : 'active';
  return {
    name: command,
    usage: 'ACCOUNT_ID',
    summary,
    positionals: 1,
    options: [],
    run: async ({ positionals: [id = ''] }, terminal) => {
      const account = await withDatabase(terminal, (db) =>
        db.transaction((tx) => setAccountStatus(tx, { command }, { id, status })),
      );
      if (account === undefined) throw noAccount(id);
      tell(terminal, account, [
        `Account ${account.id} (${account.name}) is ${account.status}; nodes notice within 5 seconds.`,
      ]);
      return 0;
    },
  };
}

const credit: Command = {
  name: 'accounts credit',
  usage: 'ACCOUNT_ID AMOUNT_USD [--reference REFERENCE]',
  summary: 'Add money to the balance of an account; the same REFERENCE is credited once',
  positionals: 2,
  options: ['reference'],
  meanings: { reference: 'What the money is for, such as the number of a transfer' },
  examples: [`${PROGRAM} accounts credit acct_01m7ymjag4e008dtbschwftz34 250 --reference "wire 7"`],
  run: async ({ positionals: [id = '', amount = ''], options: { reference } }, terminal) => {
    const amountMicros = parseUsd(amount);
    if (amountMicros === undefined || amountMicros <= 0n) {
      throw new UsageError('AMOUNT_USD is more than 0, in decimal, such as 250 or 19.99, with six places at most');
    }
    if (reference !== undefined && (reference.trim() === '' || reference.length > REFERENCE_CHARS_MAX)) {
      throw new UsageError(`REFERENCE has 1 to ${REFERENCE_CHARS_MAX} characters`);
    }
    const made = await withDatabase(terminal, (db) =>
      db.transaction((tx) => creditBalance(tx, { command: credit.name }, { id, amountMicros, reference })),
    );
    if (made === undefined) throw noAccount(id);
    const { credited, balanceMicros } = made;
    const balance = formatUsd(balanceMicros);
    tell(terminal, { account_id: id, credited, balance_usd: balance }, [
      credited
        ? `Credited ${formatUsd(amountMicros)} USD; the balance of ${id} is ${balance} USD.`
        : `"${reference}" was credited before, nothing is added; the balance of ${id} is ${balance} USD.`,
    ]);
    return 0;
  },
};

const limit: Command = {
  name: 'accounts limit',
  usage: 'ACCOUNT_ID --rate NUMBER',
  summary: 'Set how many requests a second each key of an account has',
  description:
    'Bursts are three times as many. A key that was made with its own rate keeps that. Without this command it is ' +
    `${KEY_RATE} requests a second.`,
  positionals: 1,
  options: ['rate'],
  meanings: { rate: `Requests a second of each key, 1 to ${KEY_RATE_MAX}` },
  run: async (args, terminal) => {
    const [id = ''] = args.positionals;
    const rate = readRate(required(args, 'rate')) as number;
    const by = { command: limit.name };
    const account = await withDatabase(terminal, (db) => db.transaction((tx) => setAccountRate(tx, by, { id, rate })));
    if (account === undefined) throw noAccount(id);
    tell(terminal, { ...account, rate_limit: rate }, [
      `Each key of ${account.name} has ${rate} requests a second; nodes notice within 5 seconds.`,
    ]);
    return 0;
  },
};

export const accountCommands: readonly Command[] = [
  create,
  list,
  credit,
  limit,
  move('suspend', "Refuse the account's API requests; inbound texts and running calls continue"),
  move('resume', 'Lift a suspension'),
];
