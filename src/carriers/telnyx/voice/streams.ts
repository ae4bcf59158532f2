/** The audio of a leg. Telnyx sends it to our gateway over a WebSocket, and can transcribe it. */

import {
  ACCEPTED,
  endingOutcome,
  type Instruction,
  NOT_SUPPORTED,
  type VoiceOutcome,
} from '../../call-control/verbs.ts';
import { outcomeOfAll } from '../../ports/outcome.ts';
import { findLegByStream, labelLeg } from './leg-queries.ts';
import { act, actOnceReady, isLive, type LiveLeg, labelOf, nameOf, voiceOutcome, type Work } from './voice-line.ts';

/** Telnyx's error code for a leg that it is already transcribing. */
const TRANSCRIBED = '90054';
/** Telnyx's own engine. Other engines do not report which party spoke. */
const ENGINE = 'B';

/**
 * Makes Telnyx connect to our gateway. Both tracks arrive on one socket. The party of the leg hears the audio that we
 * send back; Telnyx's documents call that leg "self".
 */
export async function startStream(
  work: Work,
  leg: LiveLeg,
  { streamRef, url, direction, track }: Instruction<'start_stream'>,
): Promise<VoiceOutcome> {
  if (url === undefined) return NOT_SUPPORTED;
  const labelled = (await labelLeg(work.line.db, nameOf(work, leg), { streamRef })) ?? leg;
  const body = {
    stream_url: url,
    stream_track: track === 'both' ? 'both_tracks' : `${track}_track`,
    stream_codec: 'PCMU',
    ...(direction === 'bidirectional' && {
      // Otherwise Telnyx expects MP3 files.
      stream_bidirectional_mode: 'rtp',
      stream_bidirectional_codec: 'PCMU',
      stream_bidirectional_sampling_rate: 8_000,
      stream_bidirectional_target_legs: 'self',
    }),
    client_state: labelOf(labelled),
  };
  return voiceOutcome(await actOnceReady(work, leg, { action: 'streaming_start', body }));
}

export async function stopStream(work: Work, streamRef: string): Promise<VoiceOutcome> {
  const { line, ledger, callRef } = work;
  const ofCall = { ledgerId: ledger.ledgerId, connectionId: line.connectionId };
  const leg = await findLegByStream(line.db, ofCall, { callRef, streamRef });
  if (!isLive(leg)) return ACCEPTED;
  const stopped = await act(work, leg, { action: 'streaming_stop' });
  return endingOutcome(voiceOutcome(stopped));
}

/** Transcribes the party of each leg. */
export async function startTranscription(work: Work, legs: readonly LiveLeg[]): Promise<VoiceOutcome> {
  if (!work.line.transcribes) return NOT_SUPPORTED;
  const outcomes: VoiceOutcome[] = [];
  for (const leg of legs) {
    const body = { transcription_engine: ENGINE, transcription_tracks: 'inbound' };
    const started = await act(work, leg, { action: 'transcription_start', name: leg.legRef, body });
    const runs = started.is === 'refused' && started.errors.some(({ code }) => code === TRANSCRIBED);
    outcomes.push(runs ? ACCEPTED : voiceOutcome(started));
  }
  return outcomeOfAll(outcomes);
}
