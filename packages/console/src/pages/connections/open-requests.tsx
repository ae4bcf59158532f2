import { useState } from 'react';
import type { CarrierRequestWithAttempts, ReconcileConnection } from '../../api/generated/operator-types.ts';
import { listOpenRequests, settleRequest } from '../../api/installation.ts';
import { useOperatorWrite, useWholeList } from '../../api/operator-queries.ts';
import { words } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Row, Section } from '../../ui/page.tsx';

const EVERY_MS = 10_000;

type Outcome = ReconcileConnection['outcome'];
type Asked = { readonly request: CarrierRequestWithAttempts; readonly outcome: Outcome };

/** Requests to the carrier whose outcome is unknown. A person looks there, and settles each. */
export function OpenRequests({ id }: { id: string }) {
  const [asked, setAsked] = useState<Asked>();
  const requests = useWholeList(['open_requests', id], () => listOpenRequests(id), { everyMs: EVERY_MS });
  return (
    <Section title="Requests in doubt">
      <DataList
        label="Requests in doubt"
        list={requests}
        rowId={(request) => request.id}
        columns={[
          { title: 'Request', cell: ({ operation }) => words(operation) },
          { title: 'About', cell: ({ ref }) => <code>{ref}</code>, width: '1.8fr' },
          { title: 'Sent', cell: ({ sent_at }) => <Moment at={sent_at} format="log" /> },
          { title: 'Attempts', cell: ({ attempts }) => attempts, width: '0.6fr' },
          {
            title: 'The carrier',
            cell: (request) => (
              <Row>
                <Button small onPress={() => setAsked({ request, outcome: 'accepted' })}>
                  Has it
                </Button>
                <Button small onPress={() => setAsked({ request, outcome: 'absent' })}>
                  Lacks it
                </Button>
              </Row>
            ),
            align: 'end',
            width: '10.5rem',
          },
        ]}
        empty={
          <EmptyState title="No request is in doubt">
            A request whose answer was lost appears here after a minute. Look it up in the carrier’s portal, and say
            whether the carrier has it.
          </EmptyState>
        }
      />
      {asked !== undefined && <Settle id={id} asked={asked} onClose={() => setAsked(undefined)} />}
    </Section>
  );
}

function Settle({ id, asked: { request, outcome }, onClose }: { id: string; asked: Asked; onClose: () => void }) {
  const settle = useOperatorWrite((settlement: ReconcileConnection) => settleRequest(id, settlement), {
    changes: ['open_requests'],
    done: `${words(request.operation)} of ${request.ref} is settled.`,
    onDone: onClose,
  });
  const has = outcome === 'accepted';
  return (
    <Confirm
      title={has ? 'The carrier has it?' : 'The carrier lacks it?'}
      isOpen
      onClose={onClose}
      confirm={has ? 'Settle as accepted' : 'Settle as absent'}
      onConfirm={() => settle.mutate({ request_id: request.id, outcome })}
      isPending={settle.isPending}
      error={settle.error}
    >
      <p>
        {words(request.operation)} of <code>{request.ref}</code>:{' '}
        {has
          ? 'the request counts as carried out, and is not sent again.'
          : 'the request may be sent again. If the carrier does have it, it happens twice.'}{' '}
        This cannot be undone.
      </p>
    </Confirm>
  );
}
