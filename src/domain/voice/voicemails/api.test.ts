import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { callIn, logOf, readCall, ringing, route, typesOf } from '../../../../test/support/calls.ts';
import { type Json, listEvents } from '../../../../test/support/events.ts';
import { newPerson, read, refusal, sendText } from '../../../../test/support/messages.ts';
import { makeLine, useLine } from '../../../../test/support/numbers.ts';
import { leaveMessage, listen } from '../../../../test/support/recordings.ts';
import { powerOf } from '../../../../test/support/tone-power.ts';

const { harness, line } = await useLine({ startWorkers: false });

describe('a voicemail', () => {
  test('has one event, when its audio can be fetched, with its transcript', async () => {
    const call = await leaveMessage(harness, line, { message: { transcript: 'Please call me about Monday.' } });
    const { voicemail_id: id } = call;
    const [created, ...more] = await listEvents(harness, id);
    assert.deepEqual(more, []);
    assert.equal(created.type, 'voicemail.created');
    const { audio_url, ...voicemail } = await read(harness, `/voicemails/${id}`);
    const { recording_id, ...rest } = created.data;
    assert.deepEqual(rest, { ...voicemail, audio_url: `/v1/voicemails/${id}/audio` });
    assert.deepEqual(
      { ...voicemail, created_at: undefined },
      {
        id,
        object: 'voicemail',
        tenant_id: line.tenantId,
        call_id: call.id,
        conversation_id: call.conversation_id,
        from: call.from,
        duration_seconds: 3,
        transcript: 'Please call me about Monday.',
        created_at: undefined,
      },
    );
    assert.match(audio_url, new RegExp(`/v1/voicemails/${id}/audio\\?expires=`));
    assert.ok((await listen(harness, rest.audio_url)).length > 0);
    assert.equal((await read(harness, `/recordings/${recording_id}`)).call_id, call.id);
    assert.deepEqual(await listEvents(harness, recording_id), []);
  });

  test('is three seconds long, with speech in it', async () => {
    const { voicemail_id } = await leaveMessage(harness, line);
    const pcm = await listen(harness, `/v1/voicemails/${voicemail_id}/audio`);
    assert.ok(Math.abs(pcm.length - 24_000) <= 160, `${pcm.length} samples`);
    assert.ok(powerOf(pcm, { length: 12_000 }) > 10_000, `power ${powerOf(pcm)}`);
  });

  test('is logged on its call when it starts and when it is saved', async () => {
    const call = await leaveMessage(harness, line);
    assert.deepEqual(
      logOf(call).filter((type) => type.startsWith('voicemail')),
      ['voicemail_started', 'voicemail_saved'],
    );
    assert.equal(call.recording_id, null);
  });

  test('has no transcript if none is requested', async () => {
    const { voicemail_id } = await leaveMessage(harness, line, { config: { transcribe: false } });
    assert.equal((await read(harness, `/voicemails/${voicemail_id}`)).transcript, null);
  });

  test('is in the conversation with its caller, between the texts', async () => {
    const own = await makeLine(harness);
    const call = await leaveMessage(harness, own);
    await sendText(harness, own.number.id, call.from);
    const { data } = await read(harness, `/conversations/${call.conversation_id}/timeline`);
    assert.deepEqual(
      data.map((item: { object: string }) => item.object),
      ['message', 'voicemail', 'call'],
    );
    assert.equal(data[1].id, call.voicemail_id);
    assert.match(data[1].audio_url, /signature=/);
    assert.equal(data[1].conversation_id, call.conversation_id);
  });

  test('is named in its conversation with its length, until a text follows', async () => {
    const own = await makeLine(harness);
    const call = await leaving(own, { seconds: 75.4 });
    await harness.advance(120);
    const preview = async () => {
      const { last_activity_kind, last_message_preview } = await read(
        harness,
        `/conversations/${call['conversation_id']}`,
      );
      return [last_activity_kind, last_message_preview];
    };
    assert.deepEqual(await preview(), ['voicemail', 'Voicemail, 1:15']);
    await sendText(harness, own.number.id, call['from'], 'We call you back.');
    assert.deepEqual(await preview(), ['message', 'We call you back.']);
  });

  test('of a caller who hides the number has no conversation', async () => {
    const own = await makeLine(harness);
    const { id } = await callIn(harness, own, { from: 'anonymous' });
    await harness.advance(60);
    const { voicemail_id } = await readCall(harness, id);
    const { conversation_id, from } = await read(harness, `/voicemails/${voicemail_id}`);
    assert.deepEqual([conversation_id, from], [null, 'anonymous']);
  });
});

/** Starts a message, which ends when the clock is advanced. */
async function leaving(own: typeof line, message: object): Promise<Json> {
  await route(harness, own, { open_behavior: ringing([newPerson()]) });
  const { id } = await callIn(harness, own);
  const played = await harness.call('POST', `/v1/test/calls/${id}/voicemail`, { body: message });
  assert.equal(played.status, 200, JSON.stringify(played.body));
  return played.body;
}

describe('voicemails', () => {
  test('are listed by the time they were left, not by the start of their calls', async () => {
    const own = await makeLine(harness);
    const [long, short] = [await leaving(own, { seconds: 60 }), await leaving(own, { seconds: 1 })];
    await harness.advance(120);
    const { data } = await read(harness, `/voicemails?tenant_id=${own.tenantId}`);
    assert.deepEqual(
      data.map((row: Json) => row.call_id),
      [long.id, short.id],
    );
    assert.ok(data[0].created_at > data[1].created_at);
    const first = await read(harness, `/voicemails?tenant_id=${own.tenantId}&limit=1`);
    const rest = await read(harness, `/voicemails?tenant_id=${own.tenantId}&limit=1&after=${first.next_cursor}`);
    assert.deepEqual([first.data[0].id, rest.data[0].id, rest.has_more], [data[0].id, data[1].id, false]);
  });

  test('come after the texts that were sent while they were left', async () => {
    const own = await makeLine(harness);
    const call = await leaving(own, {});
    await sendText(harness, own.number.id, call['from'], 'We are with somebody else.');
    await harness.advance(30);
    const { data } = await read(harness, `/conversations/${call['conversation_id']}/timeline`);
    assert.deepEqual(
      data.map((item: Json) => item.object),
      ['voicemail', 'message', 'call'],
    );
  });

  test('may be of any length up to two minutes, fractions of a second too', async () => {
    const own = await makeLine(harness);
    const [whole, half] = [await leaving(own, { seconds: 0.9 }), await leaving(own, { seconds: 0.5 })];
    await harness.advance(30);
    for (const { id } of [whole, half]) assert.equal((await read(harness, `/calls/${id}`)).outcome, 'voicemail');
    for (const seconds of [0, -1, 120.5, '1']) {
      const path = `/v1/test/calls/${half.id}/voicemail`;
      const reply = await harness.call('POST', path, { body: { seconds } });
      assert.deepEqual(refusal(reply), [400, 'invalid_body', 'seconds'], String(seconds));
    }
  });

  test('cannot be left where no voicemail follows: the call rings on', async () => {
    const own = await makeLine(harness);
    await route(harness, own, { open_behavior: ringing([newPerson()], { no_answer: null }) });
    const { id } = await callIn(harness, own);
    const reply = await harness.call('POST', `/v1/test/calls/${id}/voicemail`, { body: {} });
    assert.deepEqual(refusal(reply), [409, 'call_not_active', undefined]);
    assert.match(reply.body.error.message, /^No voicemail follows/);
    assert.equal((await read(harness, `/calls/${id}`)).status, 'ringing');
  });

  test('under half a second are none: the call is missed', async () => {
    const own = await makeLine(harness);
    const { id, conversation_id } = await leaving(own, { seconds: 0.49 });
    await harness.advance(30);
    const call = await read(harness, `/calls/${id}`);
    assert.deepEqual([call.status, call.outcome, call.voicemail_id], ['completed', 'missed', null]);
    assert.deepEqual((await typesOf(harness, id)).slice(-2), ['call.missed', 'call.completed']);
    assert.deepEqual((await read(harness, `/voicemails?tenant_id=${own.tenantId}`)).data, []);
    assert.equal((await read(harness, `/conversations/${conversation_id}`)).last_message_preview, 'Missed call');
  });

  test('are listed newest first, by tenant and by time, page by page', async () => {
    const own = await makeLine(harness);
    const [first, second] = [await leaveMessage(harness, own), await leaveMessage(harness, own)];
    const list = async (query: string) =>
      (await read(harness, `/voicemails?tenant_id=${own.tenantId}&${query}`)).data.map((row: { id: string }) => row.id);
    assert.deepEqual(await list(''), [second.voicemail_id, first.voicemail_id]);
    const { created_at } = await read(harness, `/voicemails/${second.voicemail_id}`);
    assert.deepEqual(await list(`start=${created_at}`), [second.voicemail_id]);
    assert.deepEqual(await list(`end=${created_at}`), [first.voicemail_id]);
    const page = await read(harness, `/voicemails?tenant_id=${own.tenantId}&limit=1`);
    assert.deepEqual(await list(`limit=1&after=${page.next_cursor}`), [first.voicemail_id]);
  });

  test('that do not exist are not found, and other keys do not see any', async () => {
    for (const path of ['/v1/voicemails/vm_none', '/v1/voicemails/vm_none/audio']) {
      assert.deepEqual(refusal(await harness.call('GET', path)).slice(0, 2), [404, 'voicemail_not_found']);
    }
    const { voicemail_id } = await leaveMessage(harness, line);
    const other = await makeLine(harness);
    const key = await harness.tenantKey(other.tenantId);
    for (const path of [`/v1/voicemails/${voicemail_id}`, `/v1/voicemails/${voicemail_id}/audio`]) {
      assert.equal(refusal(await harness.call('GET', path, { key }))[1], 'tenant_restricted_key');
      assert.equal(refusal(await harness.call('GET', path, { key: harness.account.live_key }))[0], 404);
    }
  });
});
