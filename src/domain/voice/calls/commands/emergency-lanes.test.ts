/** Emergency calls that begin behind many ordinary ones are dialled before them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPort } from '../../../../../test/support/carrier-ports.ts';
import { testLedger } from '../../../../../test/support/events.ts';
import { useHarness } from '../../../../../test/support/harness.ts';
import { makeLine } from '../../../../../test/support/numbers.ts';
import { makeWebClient } from '../../../../../test/support/web-clients.ts';
import { findLedger } from '../../../../db/ledgers.ts';
import type { Ledger } from '../../../../lib/scope.ts';
import { placeWebClientCall } from '../place/place-own-call.ts';

const ORDINARY = 100;
/** Lanes that one process drains concurrently. */
const FIRST = 48;

const harness = await useHarness({ startWorkers: false });

test('a call to 911 is dialled at once, while 100 ordinary calls of its ledger wait', async () => {
  const { db } = harness.context;
  const { tenantId, number } = await makeLine(harness);
  const { id: webClientId } = await makeWebClient(harness, tenantId);
  const ledger = (await findLedger(db, await testLedger(harness))) as Ledger;
  const place = (to: string) => {
    const wanted = { webClient: { id: webClientId, tenantId }, to, from: number.id };
    return db.transaction((tx) => placeWebClientCall(harness.context, tx, ledger, wanted));
  };
  for (let n = 0; n < ORDINARY; n++) await place('+16025550120');
  const emergency = await place('911');
  const dialled: string[] = [];
  await withPort(
    harness,
    'voice',
    (real) => ({
      ...real,
      dispatch: (of, command) => {
        if (command.instruction.do === 'dial') dialled.push(command.callRef);
        return real.dispatch(of, command);
      },
    }),
    () => harness.advance(0),
  );
  assert.equal(dialled.length, ORDINARY + 1);
  const position = dialled.indexOf(emergency.callId);
  assert.ok(position >= 0 && position < FIRST, `dialled as number ${position + 1}`);
});
