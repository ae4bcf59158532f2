/** A world to make requests in: a key, a tenant with a number, and the other resources that routes need. */
import assert from 'node:assert/strict';
import { listLedgers } from '../../src/domain/accounts/index.ts';
import { createCallLanes } from '../../src/domain/voice/index.ts';
import { createWebClientExchange } from '../../src/domain/voice/web-clients/exchange.ts';
import { createWorkers } from '../../src/queue/worker/workers.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import type { Json } from '../support/events.ts';
import { type Harness, useHarness } from '../support/harness.ts';
import { silentLog } from '../support/jobs.ts';
import { findOnSale } from '../support/numbers.ts';
import { type Receiver, useReceiver } from '../support/receiver.ts';
import { scriptVoice } from '../support/voice.ts';

export type World = {
  readonly harness: Harness;
  readonly receiver: Receiver;
  readonly ledgerId: number;
  /** An account-wide key of the test mode. */
  readonly key: string;
  readonly tenantId: string;
  readonly numberId: string;
  readonly e164: string;
  /** Sends a request with the world's key, which must succeed. */
  must(method: string, path: string, body?: unknown): Promise<Json>;
};

export type Worlds = {
  readonly harness: Harness;
  readonly receiver: Receiver;
  /** First tenant of the first account, its second tenant, and a tenant of another account. */
  readonly home: World;
  readonly neighbour: World;
  readonly stranger: World;
  /** A key of the home tenant only. */
  readonly homeTenantKey: string;
  readonly liveKey: string;
};

/**
 * Makes worlds for the tests of the file. Requests reach the product without a connection, unless `overSockets` is
 * true. No workers run except the dispatchers of calls' commands, so rows change by requests only.
 */
export async function useWorlds({
  overSockets = false,
  ...options
}: {
  overSockets?: boolean;
  databaseUrl?: string;
} = {}): Promise<Worlds> {
  const receiver = await useReceiver();
  const harness = await useHarness({ startWorkers: false, injects: !overSockets, ...options });
  // The fixture of a call reports what happens in it.
  const voice = await scriptVoice(harness);
  voice.reportsAnswers = false;
  dispatchCommands(harness);
  const { account } = harness;
  const other = await harness.secondAccount();
  const home = await createWorld(harness, receiver, account);
  const neighbour = await createWorld(harness, receiver, account);
  const stranger = await createWorld(harness, receiver, other);
  return {
    harness,
    receiver,
    home,
    neighbour,
    stranger,
    homeTenantKey: await harness.tenantKey(home.tenantId),
    liveKey: account.live_key,
  };
}

/** Dispatches the commands of calls. The controls of simulated calls wait for that. */
function dispatchCommands({ context }: Harness): void {
  const copiesOf = () => undefined;
  const webClients = { exchange: createWebClientExchange(context, copiesOf), copiesOf };
  const lanes = createCallLanes({ ...context, log: silentLog }, { voice: () => undefined }, webClients);
  const { db } = context;
  const workers = createWorkers({ db, log: silentLog, handlers: [], laneHandlers: [lanes], queues: {} });
  workers.start();
  closeAfterTests(() => workers.stop());
}

/** A new tenant with a number, in the test ledger of an account. */
export async function createWorld(
  harness: Harness,
  receiver: Receiver,
  { id, test_key: key }: { id: string; test_key: string },
): Promise<World> {
  const ledgers = await listLedgers(harness.context.db, id);
  const must = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const reply = await harness.call(method, path, { key, ...(body !== undefined && { body }) });
    assert.ok(reply.status < 300, `${method} ${path}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const tenant = await must('POST', '/v1/tenants', { name: 'Contract' });
  const body = { tenant_id: tenant.id, phone_number: await findOnSale(harness, key) };
  const number = await must('POST', '/v1/phone_numbers', body);
  return {
    harness,
    receiver,
    ledgerId: ledgers.find((ledger) => ledger.mode === 'test')?.id as number,
    key,
    tenantId: tenant.id,
    numberId: number.id,
    e164: number.phone_number,
    must,
  };
}

let people = 0;

/** An external number that no other test of this process uses. */
export function externalNumber(): string {
  return `+1480555${String(1000 + people++)}`;
}

export { findOnSale };
