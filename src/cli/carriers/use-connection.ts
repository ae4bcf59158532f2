/** The command that chooses the connection for what is new, in every database that has the connection. */
import type { AdapterKind } from '../../carriers/adapter.ts';
import { type ConnectionRow, setDefault } from '../../carriers/connections/queries.ts';
import { CARRIER_CAPABILITIES, type CarrierCapability } from '../../carriers/ports/carrier.ts';
import type { Tx } from '../../db/database.ts';
import { isAccountHere } from '../../domain/accounts/index.ts';
import { adoptNumbers } from '../../domain/numbers/index.ts';
import { PROGRAM } from '../../lib/program.ts';
import { type Command, CommandError, noAccount, UsageError } from '../command.ts';
import { kindOf, requireConnection, usableOf } from './find-connection.ts';
import { IN_EACH_DATABASE, inEachDatabase, reportWorked } from './in-each-database.ts';
import { recordConnection } from './record-connection.ts';

export function useCommand(kinds: readonly AdapterKind[]): Command {
  return {
    name: 'carriers use',
    usage: 'CAPABILITY NAME [--account ACCOUNT_ID]',
    summary: 'Use a connection for new resources, of all accounts or of one; existing resources keep theirs',
    positionals: 2,
    options: ['account'],
    meanings: { account: 'The account that uses it; by default all accounts that have not chosen another' },
    description: `${IN_EACH_DATABASE} With --account it works in the database of the account.`,
    run: async ({ positionals: [wanted = '', name = ''], options: { account: accountId = null } }, terminal) => {
      const capability = CARRIER_CAPABILITIES.find((known) => known === wanted);
      if (capability === undefined) throw new UsageError(`CAPABILITY is one of ${CARRIER_CAPABILITIES.join(', ')}`);
      const worked = await inEachDatabase(terminal, name, (db) =>
        db.transaction((tx) => choose(tx, { kinds, name, capability, accountId })),
      );
      const adopted = worked.done.reduce((sum, { result }) => sum + (result ?? 0), 0);
      if (worked.failed.length === 0 && worked.done.every(({ result }) => result === null)) {
        throw noAccount(accountId ?? '');
      }
      const whose = accountId === null ? 'all accounts without a connection of their own' : accountId;
      return reportWorked(terminal, worked, {
        value: { capability, name, account_id: accountId, numbers_adopted: adopted },
        sentences: [
          `${name} is used for new ${capability} of ${whose}; nodes notice within 5 seconds.`,
          ...(adopted > 0 ? [`${adopted} numbers that had no connection for it use it too.`] : []),
        ],
        describe: (result) =>
          result === null
            ? { value: { outcome: 'no_account' }, words: 'does not have the account' }
            : { value: { outcome: 'chosen' }, words: 'chosen' },
      });
    },
  };
}

type Choice = {
  readonly kinds: readonly AdapterKind[];
  readonly name: string;
  readonly capability: CarrierCapability;
  readonly accountId: string | null;
};

/**
 * Chooses the connection in one database.
 * @returns the count of numbers that had no connection for it and now use this one; null if the database does not have
 * the account
 */
async function choose(tx: Tx, { kinds, name, capability, accountId }: Choice): Promise<number | null> {
  const connection = await requireConnection(tx, name);
  if (accountId !== null && !(await isAccountHere(tx, accountId))) return null;
  requireUsable(kinds, connection, { capability, accountId });
  await setDefault(tx, { capability, account_id: accountId, connection_id: connection.id });
  const details = { capability };
  const change = { command: 'carriers use', action: 'carrier_connection.chosen', accountId, details } as const;
  await recordConnection(tx, connection, change);
  return await adoptNumbers(tx, { capability, accountId, connectionId: connection.id });
}

function requireUsable(
  kinds: readonly AdapterKind[],
  { kind, name, status, account_id: owner }: ConnectionRow,
  { capability, accountId }: { capability: CarrierCapability; accountId: string | null },
): void {
  const { description } = kindOf(kinds, kind);
  if (!description.capabilities.includes(capability)) {
    throw new CommandError(
      `Carriers of the kind ${kind} have no ${capability}: ${usableOf(description.capabilities)}.`,
    );
  }
  if (owner !== null && owner !== accountId) {
    throw new CommandError(`${name} belongs to ${owner}: add "--account ${owner}".`);
  }
  if (status !== 'active') throw new CommandError(`${name} is ${status}; "${PROGRAM} carriers enable ${name}" first.`);
}
