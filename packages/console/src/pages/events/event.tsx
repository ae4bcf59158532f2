import { useState } from 'react';
import { useRead, useWrite } from '../../api/queries.ts';
import { Loading } from '../../app/failure.tsx';
import { usePageId } from '../../app/ledger.ts';
import { ResourceLink } from '../../app/resource-link.tsx';
import { texts } from '../../texts/events.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Card, Facts, Page, Section } from '../../ui/page.tsx';

const t = texts.event;

/** One event, in the form that endpoints receive. */
export function EventPage() {
  const id = usePageId();
  const [isAsking, setAsking] = useState(false);
  const { data: event, error } = useRead(['events', id], (api) => api.events.get(id));
  const resend = useWrite((api) => api.events.resend(id), {
    changes: ['webhook_endpoints'],
    done: t.eventWayAgain,
    onDone: () => setAsking(false),
  });
  if (error !== null) {
    return (
      <Page title={t.event}>
        <ErrorNote error={error} />
      </Page>
    );
  }
  if (event === undefined) return <Loading />;
  return (
    <Page title={event.type} actions={<Button onPress={() => setAsking(true)}>{t.sendAgain}</Button>}>
      <Card label={t.event}>
        <Facts
          facts={[
            [t.resource, <ResourceLink key="resource" id={event.resource_id} />],
            [t.at, <Moment key="at" at={event.created_at} tenantId={event.tenant_id} format="long" />],
            [t.sequenceResource, event.sequence],
            [t.id, <code key="id">{event.id}</code>],
          ]}
        />
      </Card>
      <Section title={t.envelope}>
        <Code label={t.eventJson} text={JSON.stringify(event, null, 2)} />
      </Section>
      <Confirm
        title={t.sendEventAgain}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        confirm={t.sendAgain}
        onConfirm={() => resend.mutate(undefined)}
        isPending={resend.isPending}
        error={resend.error}
      >
        {t.everyEndpointRegistered}
      </Confirm>
    </Page>
  );
}
