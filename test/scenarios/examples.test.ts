/** The programs of examples/: each runs by the command of its README, and the API shows what it did. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertEndedWell, readAs, runExample } from '../support/examples.ts';
import { useHarness } from '../support/harness.ts';
import { freePort } from '../support/ports.ts';

const port = await freePort();
const base = `127.0.0.1:${port}`;
const harness = await useHarness({ port, settings: { publicUrl: `http://${base}`, mediaUrl: `ws://${base}` } });

describe('the examples', { concurrency: 2 }, () => {
  it('text back a caller once, and not after STOP', async () => {
    const ran = await runExample(harness, 'missed-call-text-back');
    await assertEndedWell(ran);
    const { data: calls } = await readAs(ran, '/calls');
    assert.deepEqual(
      calls.map(({ status }: { status: string }) => status),
      ['missed', 'missed', 'missed'],
    );
    const caller = calls[0].from;
    const { data: sent } = await readAs(ran, `/messages?direction=outbound&to=${encodeURIComponent(caller)}`);
    const texts = sent.filter(({ metadata }: { metadata: object }) => 'missed_call' in metadata);
    assert.deepEqual(
      texts.map(({ status, metadata }: { status: string; metadata: object }) => [status, metadata]),
      [['delivered', { missed_call: calls[2].id }]],
    );
    assert.match(ran.output, /no text, recipient_opted_out/);
  });
});
