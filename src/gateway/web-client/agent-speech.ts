/** Speaks to web clients on this node what the carrier speaks to the other party, such as that a call is recorded. */
import { FRAME_MS } from '../../audio/frames.ts';
import { toMulawFrames } from '../../audio/mulaw-frames.ts';
import type { Context } from '../../context.ts';
import { type AgentSpeech, onAgentSpeech } from '../../domain/voice/index.ts';
import { ignoreError } from '../../lib/ignore-error.ts';
import type { Synthesizer } from '../../speech/port.ts';
import type { CallAudios } from '../media/types.ts';

export type AgentSpeechOptions = {
  readonly nodeId: string;
  readonly audios: CallAudios;
  readonly synthesizer: Synthesizer;
};

/** How long a speech waits for the sockets of its call. */
const WAITS_MS = 5_000;

/** Plays speeches to web clients whose calls have their audio on this node. */
export function playAgentSpeeches(
  { bus, log }: Pick<Context, 'bus' | 'log'>,
  { nodeId, audios, synthesizer }: AgentSpeechOptions,
): void {
  const play = async ({ ledgerId, callId, text }: AgentSpeech): Promise<void> => {
    const frames = toMulawFrames(await synthesizer.synthesize(text));
    const { audio, release } = await audios.acquire({ ledgerId, callId });
    let next = 0;
    const remove = audio.addSource({ into: ['agent'], read: () => frames[next++] });
    const end = () => {
      remove();
      release();
    };
    setTimeout(end, frames.length * FRAME_MS + WAITS_MS).unref();
  };
  onAgentSpeech(bus, (speech) => {
    if (speech.nodeId === nodeId) ignoreError(play(speech), log, 'a web client was not told what the other party was');
  });
}
