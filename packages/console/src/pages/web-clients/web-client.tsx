import type { WebClient } from '@dialplane/sdk/resources';
import { useEffect, useState } from 'react';
import { useList, useWrite } from '../../api/queries.ts';
import { Loading } from '../../app/failure.tsx';
import { usePageId } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { CONSOLE_URL, PREFIX } from '../../lib/location.ts';
import { Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Code, CopyButton, Curl } from '../../ui/code.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Card, Facts, Page, Row, Section } from '../../ui/page.tsx';

/** The API has no request for one web client, so it is looked for among this many of the newest. */
const LOOKED_AT_MAX = 500;

/** One web client: how its person logs in, and its end. */
export function WebClientPage() {
  const id = usePageId();
  const { client, error, isLoading } = useWebClient(id);
  if (client === undefined) {
    if (isLoading) return <Loading />;
    return (
      <Page title="Web client">
        <ErrorNote error={error} />
        {error === null && (
          <EmptyState title="It is not here">
            No web client among the newest {LOOKED_AT_MAX} of this account and mode has the id <code>{id}</code>.
          </EmptyState>
        )}
      </Page>
    );
  }
  const isActive = client.status === 'active';
  return (
    <Page
      title={client.name ?? 'Web client'}
      about={<Status status={client.status} />}
      actions={isActive && <Revoke client={client} />}
    >
      <Card label="Web client">
        <Facts
          facts={[
            ['Tenant', <TenantName key="tenant" id={client.tenant_id} />],
            ['Name in signalling', <code key="sip">{client.sip_username}</code>],
            ['Made', <Moment key="made" at={client.created_at} tenantId={client.tenant_id} format="long" />],
            [
              'Id, as a ring target too',
              <Row key="id">
                <code>{client.id}</code>
                <CopyButton text={client.id} label="Copy the id" />
              </Row>,
            ],
          ]}
        />
      </Card>
      {isActive && <LogIn id={client.id} />}
    </Page>
  );
}

function LogIn({ id }: { id: string }) {
  return (
    <Section title="Log in">
      <p>
        Your server mints a login token with its API key. It is good for five minutes and for this web client alone:
      </p>
      <Curl method="POST" path={`/v1/web_clients/${id}/tokens`} />
      <p>The page of the person hands the token to the library, which registers the phone and carries the audio:</p>
      <Code label="The page of the person" text={PAGE} />
      <p>
        <a href={`${PREFIX}/docs/web-clients`} target="_blank" rel="noreferrer">
          Web clients in the documentation
        </a>
      </p>
    </Section>
  );
}

const PAGE = `<script type="module">
  import { Softphone } from '${CONSOLE_URL.origin}${PREFIX}/softphone.js';
  const phone = new Softphone({ url: '${CONSOLE_URL.origin}${PREFIX}' });
  phone.on('incoming', (call) => showRinging(call.from));
  await phone.connect(() => fetch('/my-server/phone-token').then((reply) => reply.text()));
</script>`;

function useWebClient(id: string) {
  const { rows, hasMore, isLoading, isLoadingMore, error, loadMore } = useList(
    ['web_clients', 'list', undefined],
    (api, page) => api.webClients.list(page),
  );
  const client = rows.find((row) => row.id === id);
  const isSearching = client === undefined && error === null && hasMore && rows.length < LOOKED_AT_MAX;
  useEffect(() => {
    if (isSearching && !isLoadingMore) loadMore();
  }, [isSearching, isLoadingMore, loadMore]);
  return { client, error, isLoading: isLoading || isSearching };
}

function Revoke({ client: { id, name } }: { client: WebClient }) {
  const [isAsked, setAsked] = useState(false);
  const revoke = useWrite((api) => api.webClients.delete(id), {
    changes: ['web_clients'],
    done: 'The web client is revoked.',
    onDone: () => setAsked(false),
  });
  return (
    <>
      <Button kind="danger" onPress={() => setAsked(true)}>
        Revoke
      </Button>
      <Confirm
        title={`Revoke ${name ?? 'the web client'}?`}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        confirm="Revoke"
        onConfirm={() => revoke.mutate(undefined)}
        isPending={revoke.isPending}
        error={revoke.error}
      >
        <p>
          Its tokens end, its session is closed, and a call that it is on ends for both. Routing skips it. This cannot
          be undone: make a new one instead.
        </p>
      </Confirm>
    </>
  );
}
