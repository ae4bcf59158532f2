import { useState } from 'react';
import { useList, useWrite } from '../../api/queries.ts';
import { texts } from '../../texts/webhooks.ts';
import { Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Checkbox, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Section } from '../../ui/page.tsx';

const t = texts.replays;

/** Replays have no events, so their progress is polled. */
const EVERY_MS = 3_000;
const FIELDS = ['start', 'end', 'event_types'];

/**
 * The form begins here. The last attempt of a delivery is some three days after its event, so a range of one day would
 * have no delivery that has failed for good.
 */
const DEFAULT_DAYS = 7;

type NewReplay = { start: string; end?: string; event_types?: string[]; only_missed: boolean };

/** Sends the events of a time range again, and shows the progress. */
export function Replays({ endpointId }: { endpointId: string }) {
  const [isAsking, setAsking] = useState(false);
  const replays = useList(
    ['webhook_endpoints', endpointId, 'replays'],
    (api, page) => api.webhookEndpoints.listReplays(endpointId, page),
    { everyMs: EVERY_MS },
  );
  return (
    <Section title={t.replays} actions={<Button onPress={() => setAsking(true)}>{t.replayEvents}</Button>}>
      <DataList
        label={t.replays}
        list={replays}
        rowId={({ id }) => id}
        columns={[
          { title: t.from, cell: ({ start }) => <Moment at={start} format="zoned" />, width: '1.2fr', wraps: true },
          { title: t.until, cell: ({ end }) => <Moment at={end} format="zoned" />, width: '1.2fr', wraps: true },
          {
            title: t.events,
            cell: ({ event_types, retries_failed }) =>
              retries_failed ? t.failedDeliveries : (event_types?.join(', ') ?? t.all),
          },
          { title: t.status, cell: ({ status }) => <Status status={status} />, width: '0.7fr' },
          { title: t.deliveries, cell: ({ delivery_count }) => delivery_count, align: 'end', width: '0.7fr' },
        ]}
        empty={<EmptyState title={t.noReplays}>{t.replayWhatEndpoint}</EmptyState>}
      />
      {isAsking && <NewReplayDialog endpointId={endpointId} onClose={() => setAsking(false)} />}
    </Section>
  );
}

function NewReplayDialog({ endpointId, onClose }: { endpointId: string; onClose: () => void }) {
  const [isMissedOnly, setMissedOnly] = useState(true);
  const replay = useWrite((api, body: NewReplay) => api.webhookEndpoints.createReplay(endpointId, body), {
    changes: ['webhook_endpoints'],
    done: t.theReplayRuns,
    onDone: onClose,
  });
  return (
    <Dialog title={t.replayEvents} isOpen onClose={onClose}>
      <Form
        submit={t.replay}
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
          label={t.from}
          isRequired
          autoFocus
          defaultValue={new Date(Date.now() - DEFAULT_DAYS * 86_400_000).toISOString().slice(0, 10)}
          hint={t.daySuch2026}
        />
        <TextField name="end" label={t.until} hint={t.nowIfEmpty} />
        <TextField name="event_types" label={t.eventTypes} hint={t.separatedCommasLeave} />
        <Checkbox isSelected={isMissedOnly} onChange={setMissedOnly}>
          {t.onlyWhatEndpoint}
        </Checkbox>
        <p>{t.deliveriesFailedStill}</p>
      </Form>
    </Dialog>
  );
}
