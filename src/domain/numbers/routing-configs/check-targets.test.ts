import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testLedger } from '../../../../test/support/events.ts';
import { refusal } from '../../../../test/support/messages.ts';
import { makeTenant, useTenant } from '../../../../test/support/numbers.ts';
import { findLedger } from '../../../db/ledgers.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { createRoutingConfig } from './create-routing-config.ts';

const { harness, tenantId } = await useTenant({ startWorkers: false });

const PERSON = '+16025550143';
const body = (change: object = {}) => ({
  tenant_id: tenantId,
  name: 'Office',
  open_behavior: { type: 'ring', targets: [PERSON] },
  ...change,
});

test('a web client can be a target only within its own tenant', async () => {
  const ledger = (await findLedger(harness.context.db, await testLedger(harness))) as Ledger;
  const scope = { ...ledger, tenantId: null, keyId: 'key_x' };
  const elsewhere = await makeTenant(harness);
  const clients: Readonly<Record<string, string>> = { wcl_mine: tenantId, wcl_other: elsewhere };
  const findWebClients = async (_db: unknown, asked: Ledger, ids: readonly string[]) => {
    assert.equal(asked.ledgerId, ledger.ledgerId);
    return new Map(ids.flatMap((id) => (clients[id] === undefined ? [] : [[id, { tenant_id: clients[id] }]])));
  };
  const create = (target: string) =>
    harness.context.db.transaction((tx) => {
      const open_behavior = { type: 'ring' as const, targets: [PERSON, target] };
      return createRoutingConfig(
        tx,
        scope,
        { tenant_id: tenantId, name: 'Web clients', open_behavior },
        {
          findWebClients,
          findQueues: async () => new Map(),
          hasTelephone: (_ledger, telephone) => telephone.address === 'sip_phone:front',
        },
      );
    });
  assert.partialDeepStrictEqual((await create('wcl_mine')).open_behavior, { targets: [PERSON, 'wcl_mine'] });
  assert.partialDeepStrictEqual((await create('sip_phone:front')).open_behavior, {
    targets: [PERSON, 'sip_phone:front'],
  });
  await assert.rejects(create('sip_phone:none'), { code: 'invalid_body', param: 'open_behavior.targets[1]' });
  for (const target of ['wcl_other', 'wcl_none']) {
    await assert.rejects(create(target), { code: 'web_client_not_found', param: 'open_behavior.targets[1]' });
  }
  const saved = (await harness.call('POST', '/v1/routing_configs', { body: body() })).body;
  const closed_behavior = { type: 'ring', targets: ['wcl_none'] };
  const expected = [404, 'web_client_not_found', 'closed_behavior.targets[0]'];
  assert.deepEqual(
    refusal(await harness.call('POST', '/v1/routing_configs', { body: body({ closed_behavior }) })),
    expected,
  );
  assert.deepEqual(
    refusal(await harness.call('PUT', `/v1/routing_configs/${saved.id}`, { body: body({ closed_behavior }) })),
    expected,
  );
});
