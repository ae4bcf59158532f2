import type { Call } from '@dialplane/sdk/resources';
import { useState } from 'react';
import { ledgerUrl } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useLedger } from '../../app/ledger.ts';
import { Section } from '../../ui/page.tsx';
import { Player } from '../../ui/player.tsx';
import { TranscriptLines } from './transcript-lines.tsx';

type Jump = { readonly seconds: number; readonly wish: number };

/** The recording and the voicemail of a call, each beside its words, which follow the audio. */
export function CallAudio({ call }: { call: Call }) {
  const ledger = useLedger();
  const base = ledgerUrl(ledger);
  return (
    <>
      <RecordedCall call={call} base={base} />
      {call.voicemail_id !== null && (
        <Section title="Voicemail">
          <Voicemail id={call.voicemail_id} base={base} />
        </Section>
      )}
    </>
  );
}

/** The transcript, with the recording if there is one. Its lines appear while the call lasts. */
function RecordedCall({ call, base }: { call: Call; base: string }) {
  const isTranscribed = call.events.some(({ type }) => type === 'transcription_started');
  const recording = call.ended_at === null ? null : call.recording_id;
  const { data: transcript } = useRead(['calls', call.id, 'transcript'], (api) => api.calls.getTranscript(call.id), {
    enabled: isTranscribed,
  });
  const [seconds, setSeconds] = useState<number | undefined>(undefined);
  const [jump, setJump] = useState<Jump | undefined>(undefined);
  const began = call.events.find(({ type }) => type === 'recording_started')?.at ?? call.started_at;
  if (recording === null && !isTranscribed) return null;
  return (
    <Section title={recording === null ? 'Transcript' : 'Recording'}>
      {recording !== null && (
        <Player
          src={`${base}/v1/recordings/${recording}/audio`}
          title="Recording of the call"
          onTime={setSeconds}
          {...(jump !== undefined && { seek: jump })}
        />
      )}
      {transcript !== undefined && (
        <TranscriptLines
          segments={transcript.segments}
          beganAt={began}
          seconds={seconds}
          onChoose={
            recording === null ? undefined : (to) => setJump((last) => ({ seconds: to, wish: (last?.wish ?? 0) + 1 }))
          }
        />
      )}
    </Section>
  );
}

/** A voicemail with its transcript. */
function Voicemail({ id, base }: { id: string; base: string }) {
  const { data: voicemail } = useRead(['voicemails', id], (api) => api.voicemails.get(id));
  return (
    <>
      <Player src={`${base}/v1/voicemails/${id}/audio`} title="Voicemail" />
      {voicemail?.transcript !== undefined && voicemail.transcript !== null && <p>{voicemail.transcript}</p>}
    </>
  );
}
