/** Fixtures of media of texts, and of recordings, voicemails and transcripts after the jobs of a call have run. */
import { silence } from '../../src/audio/pcm.ts';
import { encodeWav } from '../../src/audio/wav.ts';
import { newId } from '../../src/lib/ids.ts';
import { sql } from '../support/jobs.ts';
import type { Fixture } from './fixture.ts';
import { newTalk } from './fixtures-calls.ts';
import { externalNumber, type World } from './world.ts';

async function newRecording({ harness, ledgerId, tenantId }: World, callId: string): Promise<string> {
  const id = newId('recording');
  const key = `${ledgerId}/${id}.wav`;
  await harness.context.blobs.put(key, encodeWav(silence(1_000)), { contentType: 'audio/wav' });
  await sql(
    harness.context.db,
    `insert into recordings (ledger_id, id, tenant_id, call_id, duration_ms, consent_announced, blob_key, created_at)
     values ($1, $2, $3, $4, 1000, true, $5, now())`,
    [ledgerId, id, tenantId, callId, key],
  );
  return id;
}

async function newVoicemail(world: World): Promise<string> {
  const { harness, ledgerId, tenantId } = world;
  const callId = await newTalk(world);
  const id = newId('voicemail');
  await sql(
    harness.context.db,
    `insert into voicemails (ledger_id, id, tenant_id, call_id, recording_id, "from", duration_ms, transcript, created_at)
     values ($1, $2, $3, $4, $5, '+16025550143', 1000, 'Hello.', now())`,
    [ledgerId, id, tenantId, callId, await newRecording(world, callId)],
  );
  return id;
}

/** Makes an inbound text with a file that has been fetched from its carrier. */
async function newMedia({ harness, ledgerId, e164, must }: World): Promise<{ message_id: string; position: string }> {
  const { id } = await must('POST', '/v1/test/inbound_messages', { from: externalNumber(), to: e164, body: 'Look' });
  const key = `${ledgerId}/media/${newId('job')}`;
  await harness.context.blobs.put(key, Buffer.from('a picture'), { contentType: 'image/png' });
  await sql(
    harness.context.db,
    `insert into message_media (ledger_id, message_id, position, carrier_ref, blob_key, content_type, created_at)
     values ($1, $2, 0, 'one', $3, 'image/png', now())`,
    [ledgerId, id, key],
  );
  return { message_id: id, position: '0' };
}

const ofRecording: Fixture = {
  make: async (world) => ({ path: { recording_id: await newRecording(world, await newTalk(world)) } }),
  refs: { 'path.recording_id': 'recording_not_found' },
};
const ofVoicemail: Fixture = {
  make: async (world) => ({ path: { voicemail_id: await newVoicemail(world) } }),
  refs: { 'path.voicemail_id': 'voicemail_not_found' },
};

const ofTranscript: Fixture = {
  make: async (world) => {
    const call_id = await newTalk(world);
    await sql(
      world.harness.context.db,
      `insert into transcript_segments (ledger_id, call_id, ref, speaker, text, occurred_at)
       values ($1, $2, 'utt_1', 'agent', 'Hello.', now())`,
      [world.ledgerId, call_id],
    );
    return { path: { call_id } };
  },
  refs: { 'path.call_id': 'call_not_found' },
};

export const RECORDING_FIXTURES: Readonly<Record<string, Fixture>> = {
  'GET /v1/recordings': {
    make: async (world) => {
      const call_id = await newTalk(world);
      await newRecording(world, call_id);
      return { query: { tenant_id: world.tenantId, call_id } };
    },
    refs: { 'query.tenant_id': 'tenant_not_found', 'query.call_id': 'call_not_found' },
    row: async (world) => newRecording(world, await newTalk(world)),
  },
  'GET /v1/recordings/{recording_id}': ofRecording,
  'GET /v1/recordings/{recording_id}/audio': ofRecording,
  'GET /v1/voicemails': {
    make: async ({ tenantId }) => ({ query: { tenant_id: tenantId } }),
    refs: { 'query.tenant_id': 'tenant_not_found' },
    row: newVoicemail,
  },
  'GET /v1/voicemails/{voicemail_id}': ofVoicemail,
  'GET /v1/voicemails/{voicemail_id}/audio': ofVoicemail,
  'GET /v1/messages/{message_id}/media/{position}': {
    make: async (world) => ({ path: await newMedia(world) }),
    refs: { 'path.message_id': 'message_not_found', 'path.position': null },
  },
  'GET /v1/calls/{call_id}/transcript': ofTranscript,
  'DELETE /v1/calls/{call_id}/transcript': ofTranscript,
  'DELETE /v1/recordings/{recording_id}': ofRecording,
  'DELETE /v1/voicemails/{voicemail_id}': ofVoicemail,
};
