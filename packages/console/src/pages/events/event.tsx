import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead, useWrite } from '../../api/queries.ts';
import { Loading } from '../../app/failure.tsx';
import { ledgerPath, useLedger, usePageId } from '../../app/ledger.ts';
import { pageOfId } from '../../app/resource-pages.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Card, Facts, Page, Section } from '../../ui/page.tsx';

/** One event, with its envelope as endpoints get it. */
export function EventPage() {
  const id = usePageId();
  const ledger = useLedger();
  const [isAsking, setAsking] = useState(false);
  const { data: event, error } = useRead(['events', id], (api) => api.events.get(id));
  const resend = useWrite((api) => api.events.resend(id), {
    changes: ['webhook_endpoints'],
    done: 'The event is on its way again.',
    onDone: () => setAsking(false),
  });
  if (error !== null) {
    return (
      <Page title="Event">
        <ErrorNote error={error} />
      </Page>
    );
  }
  if (event === undefined) return <Loading />;
  const page = pageOfId(event.resource_id);
  const code = <code>{event.resource_id}</code>;
  const resource = page === undefined ? code : <Link to={ledgerPath(ledger, page)}>{code}</Link>;
  return (
    <Page title={event.type} actions={<Button onPress={() => setAsking(true)}>Send again</Button>}>
      <Card label="Event">
        <Facts
          facts={[
            ['Resource', resource],
            ['At', <Moment key="at" at={event.created_at} tenantId={event.tenant_id} format="long" />],
            ['Sequence of the resource', event.sequence],
            ['Id', <code key="id">{event.id}</code>],
          ]}
        />
      </Card>
      <Section title="Envelope">
        <Code label="The event as JSON" text={JSON.stringify(event, null, 2)} />
      </Section>
      <Confirm
        title="Send the event again"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        confirm="Send again"
        onConfirm={() => resend.mutate(undefined)}
        isPending={resend.isPending}
        error={resend.error}
      >
        Every endpoint that is registered for it gets it once more, with the same id.
      </Confirm>
    </Page>
  );
}
