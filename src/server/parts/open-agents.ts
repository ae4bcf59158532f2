/** The services that a gateway offers to its relays: the speech of their ledger, and the actions on their call. */
import { decodeMulaw, encodeMulaw } from '../../audio/mulaw.ts';
import { encodeWav } from '../../audio/wav.ts';
import type { Context } from '../../context.ts';
import { findLedger, ledgerNow } from '../../db/ledgers.ts';
import { createAudioFetcher } from '../../domain/numbers/index.ts';
import { sendStreamDigits } from '../../domain/voice/index.ts';
import type { CallRef } from '../../gateway/media/types.ts';
import type { AgentServices } from '../../gateway/media/voice-agent/types.ts';
import type { Ledger } from '../../lib/scope.ts';
import { monotonicMs, sleep } from '../../lib/time/time.ts';
import { ModelError, type Speech } from '../../speech/port.ts';

/** The limit of concurrent fetches of agents' files. Further fetches wait. */
const fetchAudio = createAudioFetcher({ totalMax: 16, ledgerMax: 4 });
const TURN_MS_MAX = 5_000;

/** Returns the services of relays. */
export function createAgentServices(
  { db, log, outbound, settings }: Pick<Context, 'db' | 'log' | 'outbound' | 'settings'>,
  speech: Pick<Speech, 'toText' | 'liveToText' | 'agentVoice'>,
): AgentServices {
  const ledgerOf = async ({ ledgerId, callId }: CallRef): Promise<Ledger> => {
    const ledger = await findLedger(db, ledgerId);
    if (ledger === undefined) throw new Error(`the ledger of call ${callId} does not exist`);
    return ledger;
  };

  const recognize: AgentServices['recognize'] = async (call, heard, how) => {
    const { audio, afterMs, isFirst, endedMs, language } = heard;
    const askedMs = monotonicMs();
    const nowMs = (await ledgerNow(db, call.ledgerId)).getTime();
    // The query may take a moment. That time must not cut off the beginning of a first utterance.
    const tookMs = isFirst ? monotonicMs() - askedMs : 0;
    const ledger = await ledgerOf(call);
    const toText = speech.toText(ledger);
    if (toText === undefined) throw new ModelError('unavailable', 'nothing recognises speech on live calls');
    const span = { after: new Date(nowMs - afterMs - tookMs), until: new Date(nowMs - endedMs) };
    const source = { kind: 'utterance', ref: '', callRef: call.callId, span } as const;
    const wav = async () => encodeWav(decodeMulaw(audio));
    return await toText.transcribe(ledger, { source, audio: wav, language, ...how });
  };

  const findListener: AgentServices['findListener'] = async (call) => {
    const ledger = await ledgerOf(call);
    const live = speech.liveToText(ledger);
    if (live === undefined) return undefined;
    return ({ language, onPartial, signal }) => {
      const words = live.hears(language) && live.listen(ledger, { callRef: call.callId, onPartial, signal });
      if (words === false || words === undefined) return undefined;
      const finish = () => logged('was not understood while the customer spoke', call, () => words.finish());
      return { write: (frame) => words.write(frame), finish, cancel: () => words.cancel() };
    };
  };

  const fetchFile: AgentServices['fetchFile'] = async (call, url) => {
    const ledger = await ledgerOf(call);
    const untilMs = monotonicMs() + TURN_MS_MAX;
    for (;;) {
      const fetched = await fetchAudio({ outbound, settings }, ledger, url);
      if (!('delayMs' in fetched)) return fetched;
      if (monotonicMs() + fetched.delayMs > untilMs) return { problem: 'Too many files are being fetched.' };
      await sleep(fetched.delayMs);
    }
  };

  const logged = async <T>(what: string, call: CallRef, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      log.warn({ err: error, call: call.callId }, `a relay ${what}; it continues without`);
      throw error;
    }
  };

  return {
    recognize: (call, heard, how) =>
      logged('could not recognise what the customer said', call, () => recognize(call, heard, how)),
    findListener: (call) => logged('cannot recognise words while they are said', call, () => findListener(call)),
    speak: (call, text, speaking) =>
      logged('could not speak a text', call, async () =>
        encodeMulaw(await speech.agentVoice(await ledgerOf(call)).synthesize(text, speaking)),
      ),
    fetchFile: (call, url) => logged('could not fetch a file', call, () => fetchFile(call, url)),
    sendDigits: async (streamId, digits) => {
      if (!(await sendStreamDigits(db, streamId, digits))) throw new Error('the call takes no digits');
    },
  };
}
