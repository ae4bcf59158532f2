import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { playParty } from '../../../../test/support/calls.ts';
import { listEvents } from '../../../../test/support/events.ts';
import { read, refusal } from '../../../../test/support/messages.ts';
import { makeLine, useLine } from '../../../../test/support/numbers.ts';
import { talk } from '../../../../test/support/recordings.ts';

const { harness, line } = await useLine({ startWorkers: false });

const transcript = (callId: string) => read(harness, `/calls/${callId}/transcript`);

describe('the transcript of a call', () => {
  test('can be read during the call, and grows in the order of speaking', async () => {
    const { id } = await talk(harness, line, { transcribe: true });
    assert.deepEqual(await transcript(id), { object: 'transcript', call_id: id, text: '', segments: [] });
    await playParty(harness, id, 'speech', { speaker: 'agent', text: 'How can I help?' });
    await harness.advance(2);
    assert.equal((await transcript(id)).text, 'Agent: How can I help?');
    await playParty(harness, id, 'speech', { speaker: 'customer', text: 'I am late.' });
    await harness.advance(2);
    await playParty(harness, id, 'speech', { speaker: 'agent', text: 'No matter.' });
    await harness.advance(2);
    assert.equal((await read(harness, `/calls/${id}`)).status, 'in_progress');
    const { text, segments } = await transcript(id);
    assert.equal(text, 'Agent: How can I help?\nCustomer: I am late.\nAgent: No matter.');
    const moments = segments.map((segment: { occurred_at: string }) => segment.occurred_at);
    assert.deepEqual(moments, moments.toSorted());
    assert.deepEqual(
      segments.map((segment: { speaker: string }) => segment.speaker),
      ['agent', 'customer', 'agent'],
    );
  });

  test('has an event for each of its segments, in the same order', async () => {
    const { id } = await talk(harness, line, { transcribe: true });
    await playParty(harness, id, 'speech', { speaker: 'customer', text: 'One.' });
    await playParty(harness, id, 'speech', { speaker: 'agent', text: 'Two.' });
    await harness.advance(30);
    const told = (await listEvents(harness, id)).filter(({ type }) => type === 'call.transcript');
    const { segments } = await transcript(id);
    assert.deepEqual(
      told.map(({ data }) => data),
      segments.map((segment: object) => ({ object: 'call_transcript_segment', call_id: id, ...segment })),
    );
    assert.equal(segments.length, 2);
  });

  test('has the last words, which the hang-up cuts off, before the summary is made', async () => {
    const { id } = await talk(harness, line, { transcribe: true });
    // The customer starts to speak after six seconds.
    await harness.advance(6.5);
    assert.equal((await harness.call('POST', `/v1/calls/${id}/hangup`)).status, 200);
    await harness.advance(10);
    const types = (await listEvents(harness, id)).map(({ type }) => type);
    assert.deepEqual(types.slice(-3), ['call.completed', 'call.transcript', 'call.summary']);
  });

  test('is empty if none was requested', async () => {
    const { id } = await talk(harness, line);
    await harness.advance(30);
    assert.deepEqual((await transcript(id)).segments, []);
    const types = (await listEvents(harness, id)).map(({ type }) => type);
    assert.ok(!types.includes('call.transcript') && !types.includes('call.summary'));
  });

  test('is not served to other keys', async () => {
    const { id } = await talk(harness, line);
    const path = `/v1/calls/${id}/transcript`;
    const other = await makeLine(harness);
    const key = await harness.tenantKey(other.tenantId);
    assert.equal(refusal(await harness.call('GET', path, { key }))[1], 'tenant_restricted_key');
    assert.equal(refusal(await harness.call('GET', path, { key: harness.account.live_key }))[1], 'call_not_found');
  });
});

describe('the summary', () => {
  test('comes once, after the last words, with the call', async () => {
    const { id } = await talk(harness, line, { transcribe: true });
    await harness.advance(60);
    const events = await listEvents(harness, id);
    const types = events.map(({ type }) => type);
    assert.equal(types.filter((type) => type === 'call.summary').length, 1);
    assert.ok(types.lastIndexOf('call.transcript') < types.indexOf('call.summary'));
    assert.ok(types.indexOf('call.completed') < types.indexOf('call.summary'));
    const call = await read(harness, `/calls/${id}`);
    assert.deepEqual(events.at(-1).data, call);
    assert.match(
      call.summary,
      /^A call of \d+ seconds\. The customer spoke once, first: "Hello, .*The agent spoke once/,
    );
  });

  test('of a call without a spoken word says so', async () => {
    const { id } = await talk(harness, line, { transcribe: true });
    await playParty(harness, id, 'hangup', { party: 'customer' });
    await harness.advance(5);
    assert.equal((await read(harness, `/calls/${id}`)).summary, 'Nobody spoke on this call.');
    const types = (await listEvents(harness, id)).map(({ type }) => type);
    assert.equal(types.filter((type) => type === 'call.summary').length, 1);
  });
});
