import { useState } from 'react';
import type { CarrierRequestWithAttempts, ReconcileConnection } from '../../api/generated/operator-types.ts';
import { listOpenRequests, settleRequest } from '../../api/installation.ts';
import { useOperatorWrite, useWholeList } from '../../api/operator-queries.ts';
import { texts } from '../../texts/connections.ts';
import { words } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Row, Section } from '../../ui/page.tsx';
import { rich } from '../../ui/rich.tsx';

const t = texts.openRequests;

const EVERY_MS = 10_000;

type Outcome = ReconcileConnection['outcome'];
type Asked = { readonly request: CarrierRequestWithAttempts; readonly outcome: Outcome };

/** Requests to the carrier whose outcome is unknown. A person looks them up at the carrier, and settles each. */
export function OpenRequests({ id }: { id: string }) {
  const [asked, setAsked] = useState<Asked>();
  const requests = useWholeList(['open_requests', id], () => listOpenRequests(id), { everyMs: EVERY_MS });
  return (
    <Section title={t.requestsInDoubt}>
      <DataList
        label={t.requestsInDoubt}
        list={requests}
        rowId={(request) => request.id}
        columns={[
          { title: t.request, cell: ({ operation }) => words(operation) },
          { title: t.about, cell: ({ ref }) => <code>{ref}</code>, width: '1.8fr' },
          { title: t.sent, cell: ({ sent_at }) => <Moment at={sent_at} format="log" /> },
          { title: t.attempts, cell: ({ attempts }) => attempts, width: '0.6fr' },
          {
            title: t.theCarrier,
            cell: (request) => (
              <Row>
                <Button small onPress={() => setAsked({ request, outcome: 'accepted' })}>
                  {t.hasIt}
                </Button>
                <Button small onPress={() => setAsked({ request, outcome: 'absent' })}>
                  {t.lacksIt}
                </Button>
              </Row>
            ),
            align: 'end',
            width: '10.5rem',
          },
        ]}
        empty={<EmptyState title={t.noRequestDoubt}>{t.requestWhoseAnswer}</EmptyState>}
      />
      {asked !== undefined && <Settle id={id} asked={asked} onClose={() => setAsked(undefined)} />}
    </Section>
  );
}

function Settle({ id, asked: { request, outcome }, onClose }: { id: string; asked: Asked; onClose: () => void }) {
  const settle = useOperatorWrite((settlement: ReconcileConnection) => settleRequest(id, settlement), {
    changes: ['open_requests'],
    done: t.ofIsSettled(words(request.operation), request.ref),
    onDone: onClose,
  });
  const has = outcome === 'accepted';
  return (
    <Confirm
      title={has ? t.carrier : t.carrierLacks}
      isOpen
      onClose={onClose}
      confirm={has ? t.settleAsAccepted : t.settleAsAbsent}
      onConfirm={() => settle.mutate({ request_id: request.id, outcome })}
      isPending={settle.isPending}
      error={settle.error}
    >
      <p>
        {rich(t.of, words(request.operation), <code>{request.ref}</code>)}{' '}
        {has ? t.requestCountsCarried : t.requestMaySent} {t.cannotUndone}
      </p>
    </Confirm>
  );
}
