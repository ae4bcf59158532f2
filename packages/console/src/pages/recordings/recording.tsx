import { useNavigate } from '@tanstack/react-router';
import { ledgerUrl } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { DeleteContent } from '../../app/delete-content.tsx';
import { Loading } from '../../app/failure.tsx';
import { ledgerPath, useLedger, usePageId } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { formatLength } from '../../lib/dates.ts';
import { texts } from '../../texts/recordings.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { Player } from '../../ui/player.tsx';
import { Announced } from './list.tsx';

const t = texts.recording;

/** One recording, with its waveform. */
export function RecordingPage() {
  const ledger = useLedger();
  const id = usePageId();
  const navigate = useNavigate();
  const { data: recording, error } = useRead(['recordings', id], (api) => api.recordings.get(id));
  if (error !== null) {
    return (
      <Page title={t.recording}>
        <ErrorNote error={error} />
      </Page>
    );
  }
  if (recording === undefined) return <Loading />;
  const { tenant_id, call_id, created_at, duration_seconds, consent_announced } = recording;
  return (
    <Page
      title={t.recording}
      about={<Moment at={created_at} tenantId={tenant_id} format="long" />}
      actions={
        <>
          <ButtonLink to={ledgerPath(ledger, `calls/${call_id}`)}>{t.openTheCall}</ButtonLink>
          <DeleteContent
            label={t.deleteTheRecording}
            done={t.recordingDeleted}
            changes={['recordings', 'voicemails', 'calls', 'events']}
            run={(api) => api.recordings.delete(id)}
            onDone={() => navigate({ to: ledgerPath(ledger, 'recordings'), ignoreBlocker: true })}
          >
            {t.audioDeletedGood}
          </DeleteContent>
        </>
      }
    >
      <Card label={t.audio}>
        <Player
          src={`${ledgerUrl(ledger)}/v1/recordings/${id}/audio`}
          title={t.recordingCall}
          seconds={duration_seconds}
        />
      </Card>
      <Card label={t.recording}>
        <Facts
          facts={[
            [t.tenant, <TenantName key="tenant" id={tenant_id} />],
            [t.length, formatLength(duration_seconds)],
            [t.announcedBothParties, <Announced key="announced" isAnnounced={consent_announced} />],
            [t.id, <code key="id">{id}</code>],
          ]}
        />
      </Card>
    </Page>
  );
}
