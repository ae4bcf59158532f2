import type { Voicemail } from '@dialplane/sdk/resources';
import { ledgerUrl } from '../../api/client.ts';
import { useList } from '../../api/queries.ts';
import { DeleteContent } from '../../app/delete-content.tsx';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { usePersonText } from '../../app/person.tsx';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilterBar } from '../../app/tenant-filter.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FullList } from '../../ui/full-list.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Card, Page, Row } from '../../ui/page.tsx';
import { Player } from '../../ui/player.tsx';
import css from './voicemails.module.css';

/** The messages that callers left, with their audio and their words. */
export function VoicemailsPage() {
  const [{ tenant_id }] = useFilters();
  const voicemails = useList(['voicemails', { tenant_id }], (api, page) => api.voicemails.list({ ...page, tenant_id }));
  return (
    <Page title="Voicemails" about="What callers said after the tone, newest first.">
      <TenantFilterBar />
      <FullList
        label="Voicemails"
        list={voicemails}
        rowId={({ id }) => id}
        row={(voicemail) => <VoicemailCard voicemail={voicemail} />}
        empty={
          <EmptyState
            title={tenant_id === undefined ? 'No voicemails yet' : 'This tenant has no voicemails'}
            curl={<Curl path="/v1/voicemails" />}
          >
            A caller leaves one when nobody answers and the routing of the number has a voicemail, or outside of its
            hours.
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
    <Card label={`Voicemail of ${person}`}>
      <header className={css.head}>
        <h2>{person}</h2>
        <span className={css.dim}>
          <TenantName id={tenant_id} /> · <Moment at={created_at} tenantId={tenant_id} />
        </span>
      </header>
      <Player
        src={`${ledgerUrl(ledger)}/v1/voicemails/${id}/audio`}
        title={`Voicemail of ${person}`}
        seconds={duration_seconds}
      />
      <p className={transcript === null ? css.dim : css.words}>{transcript ?? 'It has no transcript.'}</p>
      <Row>
        <ButtonLink small to={ledgerPath(ledger, `calls/${call_id}`)}>
          The call
        </ButtonLink>
        {conversation_id !== null && (
          <ButtonLink small to={ledgerPath(ledger, `inbox/${conversation_id}`)}>
            The conversation
          </ButtonLink>
        )}
        <DeleteContent
          label="Delete the voicemail"
          done="The voicemail is deleted."
          changes={['voicemails', 'recordings', 'timeline', 'calls', 'events']}
          run={(api) => api.voicemails.delete(id)}
        >
          Its audio and its transcript are deleted for good. The call and its times stay.
        </DeleteContent>
      </Row>
    </Card>
  );
}
