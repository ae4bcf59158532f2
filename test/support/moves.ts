/** Moves of an account between the cells of an installation, and the account's rows in the databases. */
import assert from 'node:assert/strict';
import { forgetAllKeys } from '../../src/domain/accounts/index.ts';
import { type MoveStep, MoveStoppedError, moveAccount } from '../../src/server/cells/move/move-account.ts';
import { type CellInstallation, COMMAND_WITHIN_MS, makeLine, type Place } from './cell-installation.ts';
import { sql } from './jobs.ts';
import { skipWhile } from './stepping-time.ts';

/** The tables that these tests fill. */
const TABLES = ['tenants', 'contacts', 'phone_numbers', 'events', 'scheduled_messages', 'jobs', 'simulated_numbers'];

/** Prepares the account of a database for moves: with a tenant and a number. */
export async function prepareMoves({ accounts, call, productOf }: CellInstallation, home: Place = 'first') {
  const { test_key: key, id: accountId } = accounts[home];
  const { number, tenantId } = await makeLine(call, key);
  const dbOf = (place: Place) => productOf(place).context.db;
  const placeOf = (place: Place) => ({
    name: place === 'first' ? '' : place,
    db: dbOf(place),
    announce: () => forgetAllKeys(productOf(place).context.bus),
  });
  return {
    ...{ key, accountId, number, tenantId, dbOf, placeOf },
    /** Returns the ledgers of the account in a database. */
    ledgersOf: (place: Place) =>
      sql<{ id: number; state: string }>(
        dbOf(place),
        'select id, state from ledgers where account_id = $1 order by id',
        [accountId],
      ),
    /** Counts the account's rows in a database. */
    countRows: async (place: Place): Promise<Record<string, number>> => {
      const counts: Record<string, number> = {};
      for (const table of TABLES) {
        const [row] = await sql<{ count: number }>(
          dbOf(place),
          `select count(*)::int as count from ${table}
           where ledger_id = any(array(select id from ledgers where account_id = $1))`,
          [accountId],
        );
        counts[table] = row?.count ?? 0;
      }
      return counts;
    },
    /** Moves until a step has ended, and stops there as if the process died. */
    moveUntil: async (step: MoveStep, [from, to]: readonly [Place, Place]): Promise<void> => {
      const moving = moveAccount({
        ...{ accountId, source: placeOf(from), target: placeOf(to), waitMs: 0, onProgress: () => undefined },
        onStep: (done) => {
          if (done === step) throw new MoveStoppedError(step);
        },
      });
      await skipWhile(assert.rejects(moving, MoveStoppedError), COMMAND_WITHIN_MS);
    },
    /** Makes a text that waits for three days. */
    scheduleText: async (index: number): Promise<string> => {
      const clock = await call('POST', '/v1/test/clock', { key, body: { advance_seconds: 1 } });
      const sendAt = new Date(Date.parse(clock.body.now) + 3 * 86_400_000).toISOString();
      const body = { from: number.id, to: `+1602555${3000 + index}`, body: 'Later', send_at: sendAt };
      const reply = await call('POST', '/v1/messages', { key, body });
      assert.equal(reply.status, 201, JSON.stringify(reply.body));
      return reply.body.id;
    },
    addContact: async (phone: string): Promise<string> => {
      const body = { tenant_id: tenantId, name: 'Ann', phone_numbers: [phone] };
      const reply = await call('POST', '/v1/contacts', { key, body });
      assert.equal(reply.status, 201, JSON.stringify(reply.body));
      return reply.body.id;
    },
  };
}
