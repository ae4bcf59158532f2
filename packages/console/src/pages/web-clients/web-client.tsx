import type { WebClient } from '@dialplane/sdk/resources';
import { useEffect, useState } from 'react';
import { useList, useWrite } from '../../api/queries.ts';
import { Loading } from '../../app/failure.tsx';
import { usePageId } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { CONSOLE_URL, PREFIX } from '../../lib/location.ts';
import { texts } from '../../texts/web-clients.ts';
import { Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Code, CopyButton, Curl } from '../../ui/code.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Card, Facts, Page, Row, Section } from '../../ui/page.tsx';
import { rich } from '../../ui/rich.tsx';

const t = texts.webClient;

/** The API has no request for one web client, so the page searches this many of the newest. */
const LOOKED_AT_MAX = 500;

/** A web client: how its person logs in, and how to revoke it. */
export function WebClientPage() {
  const id = usePageId();
  const { client, error, isLoading } = useWebClient(id);
  if (client === undefined) {
    if (isLoading) return <Loading />;
    return (
      <Page title={t.webClient}>
        <ErrorNote error={error} />
        {error === null && (
          <EmptyState title={t.notHere}>{rich(t.noWebClient(LOOKED_AT_MAX), <code>{id}</code>)}</EmptyState>
        )}
      </Page>
    );
  }
  const isActive = client.status === 'active';
  return (
    <Page
      title={client.name ?? t.webClient}
      about={<Status status={client.status} />}
      actions={isActive && <Revoke client={client} />}
    >
      <Card label={t.webClient}>
        <Facts
          facts={[
            [t.tenant, <TenantName key="tenant" id={client.tenant_id} />],
            [t.nameInSignalling, <code key="sip">{client.sip_username}</code>],
            [t.made, <Moment key="made" at={client.created_at} tenantId={client.tenant_id} format="long" />],
            [
              t.idRingTarget,
              <Row key="id">
                <code>{client.id}</code>
                <CopyButton text={client.id} label={t.copyTheId} />
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
    <Section title={t.logIn}>
      <p>{t.yourServerMints}</p>
      <Curl method="POST" path={`/v1/web_clients/${id}/tokens`} />
      <p>{t.pagePersonHands}</p>
      <Code label={t.pagePerson} text={PAGE} />
      <p>
        <a href={`${PREFIX}/docs/web-clients`} target="_blank" rel="noreferrer">
          {t.webClientsDocumentation}
        </a>
      </p>
    </Section>
  );
}

const PAGE = t.pageScript(`${CONSOLE_URL.origin}${PREFIX}`);

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
    done: t.webClientRevoked,
    onDone: () => setAsked(false),
  });
  return (
    <>
      <Button kind="danger" onPress={() => setAsked(true)}>
        {t.revoke}
      </Button>
      <Confirm
        title={t.revokeOf(name ?? t.theWebClient)}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        confirm={t.revoke}
        onConfirm={() => revoke.mutate(undefined)}
        isPending={revoke.isPending}
        error={revoke.error}
      >
        <p>{t.tokensEndSession}</p>
      </Confirm>
    </>
  );
}
