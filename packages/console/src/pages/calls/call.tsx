import type { Call } from '@dialplane/sdk/resources';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Mode } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Agent } from '../../app/agent.tsx';
import { Loading } from '../../app/failure.tsx';
import { ledgerPath, useLedger, usePageId } from '../../app/ledger.ts';
import { NumberName } from '../../app/number-field.tsx';
import { usePersonText } from '../../app/person.tsx';
import { TenantName } from '../../app/tenant-field.tsx';
import { formatLength } from '../../lib/dates.ts';
import { useNow } from '../../lib/now.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/calls.ts';
import { Status, words } from '../../ui/badge.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Card, Facts, Page, Section } from '../../ui/page.tsx';
import { CallAudio } from './call-audio.tsx';
import { CallControls } from './call-controls.tsx';
import { CallLog } from './call-log.tsx';
import { otherOf } from './list.tsx';
import { Listeners } from './listeners.tsx';
import { OptOutButton } from './opt-out-button.tsx';
import { CallRoute } from './route.tsx';
import { TestPeople } from './test-people.tsx';
import { TimeLine, useRunningMs } from './time-line.tsx';

const t = texts.call;

const RUNNING_EVERY_MS = 5_000;

/** A call: its parties in time, its audio with the transcript, and its log, with controls while it lasts. */
export function CallPage() {
  const id = usePageId();
  const { mode } = useLedger();
  const [isRunning, setRunning] = useState(true);
  const { data: call, error } = useRead(['calls', id], (api) => api.calls.get(id), {
    ...(isRunning && { everyMs: RUNNING_EVERY_MS }),
  });
  if (call !== undefined && isRunning !== (call.ended_at === null)) setRunning(call.ended_at === null);
  const nowMs = useRunningMs(isRunning, useNow());
  if (error !== null) {
    return (
      <Page title={t.call}>
        <ErrorNote error={error} />
      </Page>
    );
  }
  if (call === undefined) return <Loading />;
  return <OneCall call={call} mode={mode} nowMs={nowMs} />;
}

function OneCall({ call, mode, nowMs }: { call: Call; mode: Mode; nowMs: number }) {
  const person = usePersonText(call.tenant_id, otherOf(call), call.caller_name);
  return (
    <Page
      title={`${call.direction === 'inbound' ? t.callFrom : t.callTo} ${person}`}
      about={<Status status={call.outcome ?? call.status} />}
      actions={
        <>
          {call.ended_at === null && <CallControls call={call} />}
          <OptOutButton call={call} />
        </>
      }
    >
      <Card label={t.timeLine}>
        <TimeLine call={call} nowMs={nowMs} />
      </Card>
      <Listeners call={call} />
      {mode === 'test' && call.status === 'in_progress' && <TestPeople call={call} />}
      {call.summary !== null && (
        <Section title={t.summary}>
          <p dir="auto">{call.summary}</p>
        </Section>
      )}
      <CallAudio call={call} />
      <CallFacts call={call} />
      <Section title={t.log}>
        <CallLog call={call} />
      </Section>
    </Page>
  );
}

function CallFacts({ call }: { call: Call }) {
  const ledger = useLedger();
  const link = (page: string, text: ReactNode) => <Link to={ledgerPath(ledger, page)}>{text}</Link>;
  const agent = (party: string | null) =>
    party === null ? undefined : <Agent key={party} tenantId={call.tenant_id} party={party} />;
  const facts: [string, ReactNode][] = [
    [t.from, formatNumber(call.from)],
    [t.nameCaller, call.caller_name ?? undefined],
    [t.attestation, call.attestation === null ? undefined : words(call.attestation)],
    [t.to, formatNumber(call.to)],
    [t.agent, agent(call.connect_to)],
    [t.answeredBy, agent(call.answered_by)],
    [t.whoAnswered, call.answered_by_kind ?? undefined],
    [t.route, call.route === null ? undefined : <CallRoute key="route" route={call.route} tenantId={call.tenant_id} />],
    [t.status, words(call.status)],
    [t.length, call.ended_at === null ? '–' : formatLength(call.duration_seconds ?? 0)],
    [t.began, <Moment key="began" at={call.started_at} tenantId={call.tenant_id} format="long" />],
    [t.ended, <Moment key="ended" at={call.ended_at} tenantId={call.tenant_id} format="long" />],
    [t.tenant, link(`tenants/${call.tenant_id}`, <TenantName id={call.tenant_id} />)],
    [t.number, link(`numbers/${call.phone_number_id}`, <NumberName id={call.phone_number_id} />)],
    [
      t.conversation,
      call.conversation_id === null ? undefined : link(`inbox/${call.conversation_id}`, t.openTheConversation),
    ],
    [t.events, link(`events?resource_id=${call.id}`, t.allEventsCall)],
    [t.id, <code key="id">{call.id}</code>],
  ];
  return (
    <Card label={t.facts}>
      <Facts facts={facts} />
    </Card>
  );
}
