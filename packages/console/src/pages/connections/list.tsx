import type { CarrierConnection } from '../../api/generated/operator-types.ts';
import { listConnections } from '../../api/installation.ts';
import { useWholeList } from '../../api/operator-queries.ts';
import { useProgram } from '../../api/sign-in-options.ts';
import { texts } from '../../texts/connections.ts';
import { Badge, Status } from '../../ui/badge.tsx';
import { Code } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page, Row, Section } from '../../ui/page.tsx';
import { CAPABILITIES, CAPABILITY_NAMES } from './capability-names.ts';
import { Uses } from './uses.tsx';

const t = texts.list;

const addingWith = (program: string) => `${program} carriers add telnyx main \\
  --set public_url=https://phone.example \\
  --secrets-from secrets.txt
${program} carriers check main
${program} carriers setup main
${program} carriers use messaging main`;

const EVERY_MS = 15_000;

/** The connections to carriers, which live ledgers use. */
export function ConnectionsPage() {
  const program = useProgram();
  const connections = useWholeList(['connections'], listConnections, { everyMs: EVERY_MS });
  return (
    <Page title={t.connections} about={t.accountsCarriersTrunks}>
      <DataList
        label={t.connections}
        list={connections}
        rowId={({ id }) => id}
        rowLink={({ id }) => `/operator/connections/${id}`}
        columns={[
          { title: t.name, cell: ({ name }) => name },
          { title: t.kind, cell: ({ kind }) => kind, width: '0.7fr' },
          { title: t.status, cell: (connection) => <State connection={connection} />, width: '0.9fr' },
          { title: t.usedFor, cell: (connection) => <UsedFor connection={connection} />, width: '2.4fr' },
          { title: t.added, cell: ({ created_at }) => <Moment at={created_at} />, align: 'end', width: '0.8fr' },
        ]}
        empty={
          <EmptyState title={t.noConnectionsYet}>
            <p>{t.connectionAccountCarrier}</p>
            <Code label={t.commandsAddConnection} text={addingWith(program)} />
          </EmptyState>
        }
      />
      {connections.rows.length > 0 && (
        <Section title={t.whichConnectionCarries}>
          <Uses connections={connections.rows} />
        </Section>
      )}
    </Page>
  );
}

function State({ connection: { status, alarms } }: { connection: CarrierConnection }) {
  return (
    <Row>
      <Status status={status} />
      {alarms.length > 0 && <Badge tone="bad">{t.accountRefused}</Badge>}
    </Row>
  );
}

function UsedFor({ connection: { used_for } }: { connection: CarrierConnection }) {
  const used = CAPABILITIES.filter((each) => used_for.some(({ capability }) => capability === each));
  if (used.length === 0) return <span>{t.nothingNew}</span>;
  return (
    <Row>
      {used.map((capability) => (
        <Badge key={capability}>{CAPABILITY_NAMES[capability]}</Badge>
      ))}
    </Row>
  );
}
