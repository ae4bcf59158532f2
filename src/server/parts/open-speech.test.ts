import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useHarness } from '../../../test/support/harness.ts';
import { until } from '../../../test/support/jobs.ts';
import { LEDGER } from '../../../test/support/model-server.ts';
import { useVoskServer } from '../../../test/support/vosk-server.ts';
import { SILENT_FRAME } from '../../audio/mulaw-frames.ts';
import { listLedgers } from '../../domain/accounts/index.ts';
import { createAgentServices } from './open-agents.ts';
import { NO_SPEECH_SERVERS, openSpeech } from './open-speech.ts';

const harness = await useHarness();
const vosk = await useVoskServer(['Hello']);
const voice = { synthesize: async () => new Int16Array(), close: async () => undefined };

test('relays of live ledgers are recognised while customers speak, in the language of the server', async () => {
  const live = { url: vosk.url, language: 'en' };
  const speech = openSpeech({ ...NO_SPEECH_SERVERS, live }, { ownSpeech: ownSpeechOf, voice });
  const services = createAgentServices(harness.context, speech);
  const how = { language: 'en-US', onPartial: () => undefined, signal: new AbortController().signal };
  const ledgers = await listLedgers(harness.context.db, harness.account.id);
  const [liveId, testId] = ['live', 'test'].map((mode) => ledgers.find((each) => each.mode === mode)?.id ?? 0);
  const listen = await services.findListener({ ledgerId: liveId as number, callId: 'call_1' });
  assert.equal(listen?.({ ...how, language: 'de-DE' }), undefined);
  const words = listen?.(how);
  for (let frames = 0; frames < 5; frames++) words?.write(SILENT_FRAME);
  await until('the server is connected', () => vosk.utterances[0]?.rate === 8_000);
  assert.equal(await words?.finish(), null);
  assert.equal(vosk.utterances[0]?.bytes, 100 * 16);
  assert.equal(await services.findListener({ ledgerId: testId as number, callId: 'call_2' }), undefined);
  assert.equal(openSpeech(NO_SPEECH_SERVERS, { ownSpeech: () => undefined, voice }).liveToText(LEDGER), undefined);
  await speech.close();
});

/** Stands for the simulated carrier of test ledgers, which knows its parties' words. */
const ownSpeechOf = ({ mode }: { mode: string }) => {
  const own = { toText: { transcribe: async () => null }, summarizer: { summarize: async () => '' }, voice };
  return mode === 'test' ? own : undefined;
};
