import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../../test/support/jobs.ts';
import type { Carrier } from '../../carriers/ports/carrier.ts';
import type { MessagingPort } from '../../carriers/ports/messaging.ts';
import { createMetrics } from '../../lib/metrics.ts';
import { createCarrierGuards } from './guard-carriers.ts';

const ledger = { ledgerId: 1, accountId: 'acct_1', mode: 'live' } as const;
const MESSAGE = { ref: 'msg_1', from: '+16025550100', to: '+16025550101', body: 'Hi', mediaUrls: [] };

test('connections have guards of their own, whose state is in the metrics', async () => {
  const metrics = createMetrics();
  const guard = createCarrierGuards({ alarms: { raise: () => undefined }, log: silentLog, metrics });
  const carrierOf = (send: MessagingPort['send']): Carrier => ({
    name: 'telnyx',
    messaging: { send, findSend: async () => ({ found: 'undecided' }) },
  });
  const settings = { requestMsMax: 10, failuresMax: 2 };
  const hung = guard(
    carrierOf(() => new Promise(() => undefined)),
    'ccn_hung',
    settings,
  );
  const other = guard(
    carrierOf(async () => ({ outcome: 'accepted' })),
    'ccn_other',
    settings,
  );
  await Promise.all([hung.messaging?.send(ledger, MESSAGE), hung.messaging?.send(ledger, MESSAGE)]);
  assert.equal((await hung.messaging?.send(ledger, MESSAGE))?.outcome, 'unavailable');
  assert.deepEqual(await other.messaging?.send(ledger, MESSAGE), { outcome: 'accepted' });
  assert.equal(hung.voice, undefined);
  const text = await metrics.scrape();
  for (const line of [
    'dialplane_carrier_circuit{connection="ccn_hung",capability="messaging"} 2',
    'dialplane_carrier_circuit{connection="ccn_other",capability="messaging"} 0',
    'dialplane_carrier_requests_in_flight{connection="ccn_hung",capability="messaging"} 0',
    'dialplane_carrier_requests_cut_total{connection="ccn_hung",capability="messaging",reason="timed_out"} 2',
    'dialplane_carrier_requests_cut_total{connection="ccn_hung",capability="messaging",reason="circuit_open"} 1',
  ]) {
    assert.ok(text.includes(line), `${line}\n${text}`);
  }
});
