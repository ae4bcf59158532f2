import type { Voicemail } from '@dialplane/sdk/resources';
import { ledgerUrl } from '../../api/client.ts';
import { useList } from '../../api/queries.ts';
import { DeleteContent } from '../../app/delete-content.tsx';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { usePersonText } from '../../app/person.tsx';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilterBar } from '../../app/tenant-filter.tsx';
import { texts } from '../../texts/voicemails.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FullList } from '../../ui/full-list.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Card, Page, Row } from '../../ui/page.tsx';
import { Player } from '../../ui/player.tsx';
import css from './voicemails.module.css';

const t = texts.voicemails;

/** The messages that callers left, with their audio and their words. */
export function VoicemailsPage() {
  const [{ tenant_id }] = useFilters();
  const voicemails = useList(['voicemails', { tenant_id }], (api, page) => api.voicemails.list({ ...page, tenant_id }));
  return (
    <Page title={t.voicemails} about={t.whatCallersSaid}>
      <TenantFilterBar />
      <FullList
        label={t.voicemails}
        list={voicemails}
        rowId={({ id }) => id}
        row={(voicemail) => <VoicemailCard voicemail={voicemail} />}
        empty={
          <EmptyState
            title={tenant_id === undefined ? t.noVoicemailsYet : t.tenantNoVoicemails}
            curl={<Curl path="/v1/voicemails" />}
          >
            {t.callerLeavesOne}
          </EmptyState>
        }
      />
    </Page>
  );
}

function VoicemailCard({ voicemail }: { voicemail: Voicemail }) {
  const ledger = useLedger();
  const person = usePersonText(voicemail.tenant_id, voicemail.from);
  const { id, tenant_id, call_id, conversation_id, duration_seconds, transcript, created_at } = voicemail;
  return (
    <Card label={t.voicemailOf(person)}>
      <header className={css.head}>
        <h2>{person}</h2>
        <span className={css.dim}>
          <TenantName id={tenant_id} /> · <Moment at={created_at} tenantId={tenant_id} />
        </span>
      </header>
      <Player
        src={`${ledgerUrl(ledger)}/v1/voicemails/${id}/audio`}
        title={t.voicemailOf(person)}
        seconds={duration_seconds}
      />
      <p className={transcript === null ? css.dim : css.words}>{transcript ?? t.noTranscript}</p>
      <Row>
        <ButtonLink small to={ledgerPath(ledger, `calls/${call_id}`)}>
          {t.theCall}
        </ButtonLink>
        {conversation_id !== null && (
          <ButtonLink small to={ledgerPath(ledger, `inbox/${conversation_id}`)}>
            {t.theConversation}
          </ButtonLink>
        )}
        <DeleteContent
          label={t.deleteTheVoicemail}
          done={t.voicemailDeleted}
          changes={['voicemails', 'recordings', 'timeline', 'calls', 'events']}
          run={(api) => api.voicemails.delete(id)}
        >
          {t.audioTranscriptDeleted}
        </DeleteContent>
      </Row>
    </Card>
  );
}
