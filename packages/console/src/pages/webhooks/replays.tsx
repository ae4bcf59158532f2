import { useState } from 'react';
import { useList, useWrite } from '../../api/queries.ts';
import { Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Checkbox, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Section } from '../../ui/page.tsx';

/** No event says how far a replay is. */
const EVERY_MS = 3_000;
const FIELDS = ['start', 'end', 'event_types'];

type NewReplay = { start: string; end?: string; event_types?: string[]; only_missed: boolean };

/** Sends the events of a time again, and shows how far that is. */
export function Replays({ endpointId }: { endpointId: string }) {
  const [isAsking, setAsking] = useState(false);
  const replays = useList(
    ['webhook_endpoints', endpointId, 'replays'],
    (api, page) => api.webhookEndpoints.listReplays(endpointId, page),
    { everyMs: EVERY_MS },
  );
  return (
    <Section title="Replays" actions={<Button onPress={() => setAsking(true)}>Replay events</Button>}>
      <DataList
        label="Replays"
        list={replays}
        rowId={({ id }) => id}
        columns={[
          { title: 'From', cell: ({ start }) => <Moment at={start} format="zoned" />, width: '1.2fr', wraps: true },
          { title: 'Until', cell: ({ end }) => <Moment at={end} format="zoned" />, width: '1.2fr', wraps: true },
          {
            title: 'Events',
            cell: ({ event_types, retries_failed }) =>
              retries_failed ? 'failed deliveries' : (event_types?.join(', ') ?? 'all'),
          },
          { title: 'Status', cell: ({ status }) => <Status status={status} />, width: '0.7fr' },
          { title: 'Deliveries', cell: ({ delivery_count }) => delivery_count, align: 'end', width: '0.7fr' },
        ]}
        empty={
          <EmptyState title="No replays">Replay what an endpoint missed, for example while it was down.</EmptyState>
        }
      />
      {isAsking && <NewReplayDialog endpointId={endpointId} onClose={() => setAsking(false)} />}
    </Section>
  );
}

function NewReplayDialog({ endpointId, onClose }: { endpointId: string; onClose: () => void }) {
  const [isMissedOnly, setMissedOnly] = useState(true);
  const replay = useWrite((api, body: NewReplay) => api.webhookEndpoints.createReplay(endpointId, body), {
    changes: ['webhook_endpoints'],
    done: 'The replay runs.',
    onDone: onClose,
  });
  return (
    <Dialog title="Replay events" isOpen onClose={onClose}>
      <Form
        submit="Replay"
        fields={FIELDS}
        error={replay.error}
        isPending={replay.isPending}
        onCancel={onClose}
        onSubmit={({ start = '', end, event_types }) =>
          replay.mutate({
            start,
            only_missed: isMissedOnly,
            ...(end !== undefined && { end }),
            ...(event_types !== undefined && { event_types: event_types.split(/[\s,]+/).filter(Boolean) }),
          })
        }
      >
        <TextField
          name="start"
          label="From"
          isRequired
          autoFocus
          defaultValue={new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}
          hint="A day such as 2026-11-23, or a moment such as 2026-11-23T10:00:00Z"
        />
        <TextField name="end" label="Until" hint="Now, if it is empty" />
        <TextField name="event_types" label="Event types" hint="Separated by commas. Leave it empty for all events" />
        <Checkbox isSelected={isMissedOnly} onChange={setMissedOnly}>
          Only what the endpoint has not accepted
        </Checkbox>
        <p>Deliveries that failed and are still retried are left to their own retries.</p>
      </Form>
    </Dialog>
  );
}
