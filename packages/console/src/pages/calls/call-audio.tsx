import type { Call } from '@dialplane/sdk/resources';
import { useState } from 'react';
import { ledgerUrl } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { DeleteContent } from '../../app/delete-content.tsx';
import { useLedger } from '../../app/ledger.ts';
import { texts } from '../../texts/calls.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Section } from '../../ui/page.tsx';
import { Player } from '../../ui/player.tsx';
import { TranscriptLines } from './transcript-lines.tsx';

const t = texts.callAudio;

type Jump = { readonly seconds: number; readonly wish: number };

/** The recording and the voicemail of a call, each with a transcript that follows the audio. */
export function CallAudio({ call }: { call: Call }) {
  const ledger = useLedger();
  const base = ledgerUrl(ledger);
  return (
    <>
      <RecordedCall call={call} base={base} />
      {call.voicemail_id !== null && (
        <Section title={t.voicemail}>
          <Voicemail id={call.voicemail_id} base={base} />
        </Section>
      )}
    </>
  );
}

/** The transcript, with the recording if there is one. Its lines appear while the call lasts. */
function RecordedCall({ call, base }: { call: Call; base: string }) {
  const isTranscribed = call.events.some(({ type }) => type === 'transcription_started');
  const named = call.ended_at === null ? null : call.recording_id;
  // A call keeps the id of its recording even after the recording is deleted.
  const { data: stored } = useRead(['recordings', named], (api) => api.recordings.get(named ?? ''), {
    enabled: named !== null,
  });
  const recording = stored?.id ?? null;
  const { data: transcript } = useRead(['calls', call.id, 'transcript'], (api) => api.calls.getTranscript(call.id), {
    enabled: isTranscribed,
  });
  const [seconds, setSeconds] = useState<number | undefined>(undefined);
  const [jump, setJump] = useState<Jump | undefined>(undefined);
  const began = call.events.find(({ type }) => type === 'recording_started')?.at ?? call.started_at;
  if (recording === null && !isTranscribed) return null;
  return (
    <Section
      title={recording === null ? t.transcript : t.recording}
      actions={transcript !== undefined && transcript.segments.length > 0 && <DeleteTranscript callId={call.id} />}
    >
      {recording !== null && (
        <Player
          src={`${base}/v1/recordings/${recording}/audio`}
          title={t.recordingCall}
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

function DeleteTranscript({ callId }: { callId: string }) {
  return (
    <DeleteContent
      label={t.deleteTheTranscript}
      done={t.transcriptDeleted}
      changes={['calls', 'events']}
      run={(api) => api.calls.deleteTranscript(callId)}
    >
      {t.transcriptSummaryDeleted}
    </DeleteContent>
  );
}

/** A voicemail with its transcript. */
function Voicemail({ id, base }: { id: string; base: string }) {
  const { data: voicemail, error } = useRead(['voicemails', id], (api) => api.voicemails.get(id));
  if (error !== null) return <ErrorNote error={error} />;
  return (
    <>
      <Player src={`${base}/v1/voicemails/${id}/audio`} title={t.voicemail} />
      {voicemail?.transcript !== undefined && voicemail.transcript !== null && <p dir="auto">{voicemail.transcript}</p>}
    </>
  );
}
