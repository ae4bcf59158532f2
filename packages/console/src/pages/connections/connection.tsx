import type { CarrierConnection } from '../../api/generated/operator-types.ts';
import { readConnection } from '../../api/installation.ts';
import { useOperatorRead } from '../../api/operator-queries.ts';
import { useProgram } from '../../api/sign-in-options.ts';
import { Loading } from '../../app/failure.tsx';
import { usePageId } from '../../app/ledger.ts';
import { texts } from '../../texts/connections.ts';
import { Status } from '../../ui/badge.tsx';
import { Code } from '../../ui/code.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Card, Facts, Page, Section } from '../../ui/page.tsx';
import { Alarms } from './alarms.tsx';
import { Capabilities } from './capabilities.tsx';
import { Check } from './check.tsx';
import { Notices } from './notices.tsx';
import { OpenRequests } from './open-requests.tsx';
import { PHONES_SETTING, Telephones } from './telephones.tsx';

const t = texts.connection;

const EVERY_MS = 15_000;

/** One connection: its uses, whether it works, requests in doubt and the reports of its carrier. */
export function ConnectionPage() {
  const program = useProgram();
  const id = usePageId();
  const { data: connection, error } = useOperatorRead(['connections', id], () => readConnection(id), {
    everyMs: EVERY_MS,
  });
  if (error !== null && connection === undefined) {
    return (
      <Page title={t.connection}>
        <ErrorNote error={error} />
      </Page>
    );
  }
  if (connection === undefined) return <Loading />;
  return (
    <Page title={connection.name} about={<Status status={connection.status} />}>
      <Alarms alarms={connection.alarms} />
      <About connection={connection} />
      <Telephones connection={connection} />
      <Check id={id} />
      <OpenRequests id={id} />
      <Capabilities connection={connection} />
      <Notices id={id} />
      <Section title={t.changeIt}>
        <p>{t.drainedFinishesWhat}</p>
        <Code label={t.commandsChangeConnection} text={commandsOf(connection, program)} />
      </Section>
    </Page>
  );
}

function About({ connection }: { connection: CarrierConnection }) {
  const { id, kind, account_id, created_at, settings } = connection;
  return (
    <Card label={t.connection}>
      <Facts
        facts={[
          [t.kindOfCarrier, kind],
          [t.usableBy, account_id === null ? t.allAccounts : <code key="account">{account_id}</code>],
          [t.added, <Moment key="made" at={created_at} format="long" />],
          [t.id, <code key="id">{id}</code>],
          ...Object.entries(settings)
            .filter(([name]) => name !== PHONES_SETTING)
            .map(([name, value]) => [t.setting(name), value] as const),
        ]}
      />
    </Card>
  );
}

function commandsOf({ name, status }: CarrierConnection, program: string): string {
  const verbs = { active: ['drain', 'disable'], draining: ['enable', 'disable'], disabled: ['enable'] }[status];
  const change = `${program} carriers change ${name} --secrets-from secrets.txt`;
  return [...verbs.map((verb) => `${program} carriers ${verb} ${name}`), change].join('\n');
}
