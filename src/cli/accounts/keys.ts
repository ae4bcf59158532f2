import type { Database, Tx } from '../../db/database.ts';
import {
  type ApiKeyRow,
  findAccount,
  type IssuedKey,
  issueKey,
  listKeysOfAccount,
  OVERLAP_S,
  OVERLAP_S_MAX,
  revokeKeyById,
  rotateKey,
} from '../../domain/accounts/index.ts';
import { type AuditAction, recordBy } from '../../domain/audit/index.ts';
import { getTenant } from '../../domain/tenants/index.ts';
import { KEY_RATE_MAX } from '../../http/limits/rate-limit.ts';
import { PROGRAM } from '../../lib/program.ts';
import { KEY_PERMISSIONS, type KeyPermissions, MODES, type Mode } from '../../lib/scope.ts';
import { now } from '../../lib/time/time.ts';
import {
  type Arguments,
  type Command,
  CommandError,
  noAccount,
  required,
  show,
  type Terminal,
  tell,
  UsageError,
} from '../command.ts';
import { ledgerOf, withDatabase } from '../install/install-database.ts';

const create: Command = {
  name: 'keys create',
  usage:
    '--account ACCOUNT_ID --mode test|live [--tenant TENANT_ID] [--permissions write|read] [--rate NUMBER] [--name NAME]',
  summary: 'Make a key for an account or for one tenant; it is shown only now',
  positionals: 0,
  options: ['account', 'mode', 'tenant', 'permissions', 'rate', 'name'],
  meanings: {
    account: 'The account that the key belongs to',
    mode: 'test sends nothing; live reaches carriers and costs money',
    tenant: 'The only tenant that the key reaches; all by default',
    permissions: 'What the key may do: write (everything) by default, or read alone',
    rate: "Requests a second, in bursts of three times as many; by default the account's rate",
    name: 'A name to tell the key from others',
  },
  run: async (args, terminal) => {
    const mode = readMode(required(args, 'mode'));
    const accountId = required(args, 'account');
    const { name = 'Made by the operator', tenant: tenantId = null } = args.options;
    const wanted = {
      accountId,
      mode,
      name,
      tenantId,
      permissions: readPermissions(args.options['permissions']),
      rateLimit: readRate(args.options['rate']),
    };
    const issued = await withDatabase(terminal, (db) => issue(db, wanted));
    showSecret(terminal, issued);
    return 0;
  },
};

type Wanted = {
  accountId: string;
  mode: Mode;
  name: string;
  tenantId: string | null;
  permissions: KeyPermissions;
  rateLimit: number | null;
};

async function issue(db: Database, { accountId, mode, ...wanted }: Wanted): Promise<IssuedKey> {
  const ledger = await ledgerOf(db, accountId, mode);
  const scope = { ...ledger, tenantId: null, keyId: 'operator' };
  // A tenant exists in one mode only, so this fails for a tenant of the other mode.
  if (wanted.tenantId !== null) await getTenant(db, scope, wanted.tenantId);
  return db.transaction(async (tx) => {
    const issued = await issueKey(tx, ledger, wanted);
    await record(tx, create, issued, { action: 'api_key.created', resourceId: issued.id });
    return issued;
  });
}

/** Records a change of a key by a command. The details are those of `key`. For a rotation that is the new key. */
function record(
  tx: Tx,
  { name: command }: Command,
  { ledger_id, tenant_id, permissions, last4 }: ApiKeyRow,
  { action, resourceId, more }: { action: AuditAction; resourceId: string; more?: object },
): Promise<void> {
  const details = { tenant_id, permissions, last4, ...more };
  return recordBy(tx, { command }, [ledger_id], { action, resourceId, tenantId: tenant_id, details });
}

const list: Command = {
  name: 'keys list',
  usage: '--account ACCOUNT_ID',
  summary: 'List the keys of an account, also revoked ones',
  positionals: 0,
  options: ['account'],
  meanings: { account: 'The account whose keys are listed' },
  run: async (args, terminal) => {
    const accountId = required(args, 'account');
    const rows = await withDatabase(terminal, async (db) => {
      if ((await findAccount(db, accountId)) === undefined) throw noAccount(accountId);
      return listKeysOfAccount(db, accountId);
    });
    const shown = rows.map(terminal.json ? published : withState);
    show(terminal, shown, [
      'id',
      'mode',
      'tenant_id',
      'permissions',
      'rate_limit',
      'last4',
      'state',
      'last_used_at',
      'name',
    ]);
    return 0;
  },
};

const revoke: Command = {
  name: 'keys revoke',
  usage: 'KEY_ID',
  summary: 'Revoke a key immediately',
  positionals: 1,
  options: [],
  run: async ({ positionals: [id = ''] }, terminal) => {
    const row = await withDatabase(terminal, (db) =>
      db.transaction(async (tx) => {
        const revoked = await revokeKeyById(tx, id);
        if (revoked === undefined) throw new CommandError(`There is no key ${id}; "${PROGRAM} keys list" lists them.`);
        await record(tx, revoke, revoked, { action: 'api_key.revoked', resourceId: id });
        return revoked;
      }),
    );
    tell(terminal, published(row), [
      `Key ${row.id} (…${row.last4}) is revoked; every node refuses it within 5 seconds.`,
    ]);
    return 0;
  },
};

const rotate: Command = {
  name: 'keys rotate',
  usage: 'KEY_ID [--expires-in SECONDS]',
  summary: 'Replace a key; the old one stays valid for a day, or for the seconds given',
  positionals: 1,
  options: ['expires-in'],
  meanings: { 'expires-in': 'How long the old key stays valid; a day by default, 0 ends it now' },
  run: async (args, terminal) => {
    const [id = ''] = args.positionals;
    const overlapS = readSeconds(args);
    const issued = await withDatabase(terminal, (db) =>
      db.transaction(async (tx) => {
        const made = await rotateKey(tx, id, overlapS);
        if (made === undefined)
          throw new CommandError(`There is no key ${id} in force; "${PROGRAM} keys list" lists them.`);
        const more = { new_key_id: made.id, expires_in_seconds: overlapS };
        await record(tx, rotate, made, { action: 'api_key.rotated', resourceId: id, more });
        return made;
      }),
    );
    showSecret(terminal, issued);
    if (!terminal.json) terminal.out(`The old key ${id} ends in ${overlapS} seconds.`);
    return 0;
  },
};

export const keyCommands: readonly Command[] = [create, list, revoke, rotate];

/** Reads a number of requests a second; null if the option is absent. */
export function readRate(text: string | undefined): number | null {
  if (text === undefined) return null;
  const rate = Number(text);
  if (/^\d{1,4}$/.test(text) && rate >= 1 && rate <= KEY_RATE_MAX) return rate;
  throw new UsageError(`--rate is "${text}"; give requests a second from 1 to ${KEY_RATE_MAX}`);
}

function readPermissions(text: string | undefined): KeyPermissions {
  const permissions = KEY_PERMISSIONS.find((permission) => permission === (text ?? 'write'));
  if (permissions === undefined)
    throw new UsageError(`--permissions is "${text}"; give ${KEY_PERMISSIONS.join(' or ')}`);
  return permissions;
}

function readMode(text: string): Mode {
  const mode = MODES.find((candidate) => candidate === text);
  if (mode === undefined) throw new UsageError(`--mode is "${text}"; give ${MODES.join(' or ')}`);
  return mode;
}

function readSeconds(args: Arguments): number {
  const text = args.options['expires-in'] ?? String(OVERLAP_S);
  const seconds = Number(text);
  if (/^\d+$/.test(text) && seconds <= OVERLAP_S_MAX) return seconds;
  throw new UsageError(`--expires-in is "${text}"; give whole seconds, at most ${OVERLAP_S_MAX} (30 days)`);
}

/** Leaves out the ledger's number, which is internal. */
function published<Row extends ApiKeyRow>({ ledger_id: _, ...row }: Row): Omit<Row, 'ledger_id'> {
  return row;
}

function withState(row: ApiKeyRow) {
  const expired = row.expires_at !== null && row.expires_at.getTime() <= now();
  const ending = row.expires_at === null ? 'active' : `until ${row.expires_at.toISOString()}`;
  return { ...row, state: row.revoked_at !== null ? 'revoked' : expired ? 'expired' : ending };
}

function showSecret(terminal: Terminal, issued: IssuedKey): void {
  const reach = issued.tenant_id === null ? 'the whole account' : `the tenant ${issued.tenant_id}`;
  tell(terminal, published(issued), [
    `Key     ${issued.id} (${issued.mode}, ${reach})`,
    `Secret  ${issued.key}`,
    'Keep it now: it is stored as a digest and cannot be shown again.',
  ]);
}
