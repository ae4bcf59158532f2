import type { CarrierConnection } from '../../api/generated/operator-types.ts';
import { listConnections } from '../../api/installation.ts';
import { useWholeList } from '../../api/operator-queries.ts';
import { Badge, Status } from '../../ui/badge.tsx';
import { Code } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page, Row, Section } from '../../ui/page.tsx';
import { CAPABILITIES, CAPABILITY_NAMES } from './capability-names.ts';
import { Uses } from './uses.tsx';

const ADD = `npx dialplane carriers add telnyx main \\
  --set public_url=https://phone.example \\
  --secrets-from secrets.txt
npx dialplane carriers check main
npx dialplane carriers setup main
npx dialplane carriers use messaging main`;

const EVERY_MS = 15_000;

/** The connections to carriers: what live ledgers go through. */
export function ConnectionsPage() {
  const connections = useWholeList(['connections'], listConnections, { everyMs: EVERY_MS });
  return (
    <Page
      title="Connections"
      about="Accounts at carriers, and trunks. What happens in live mode goes through them; test mode needs none."
    >
      <DataList
        label="Connections"
        list={connections}
        rowId={({ id }) => id}
        rowLink={({ id }) => `/operator/connections/${id}`}
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Kind', cell: ({ kind }) => kind, width: '0.7fr' },
          { title: 'Status', cell: (connection) => <State connection={connection} />, width: '0.9fr' },
          { title: 'Used for', cell: (connection) => <UsedFor connection={connection} />, width: '2.4fr' },
          { title: 'Added', cell: ({ created_at }) => <Moment at={created_at} />, align: 'end', width: '0.8fr' },
        ]}
        empty={
          <EmptyState title="No connections yet">
            <p>
              A connection is an account at a carrier, or a trunk of your own. Its credentials are read from a file on
              the server, so a command adds it:
            </p>
            <Code label="The commands that add a connection" text={ADD} />
          </EmptyState>
        }
      />
      {connections.rows.length > 0 && (
        <Section title="Which connection carries what">
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
      {alarms.length > 0 && <Badge tone="bad">account refused</Badge>}
    </Row>
  );
}

function UsedFor({ connection: { used_for } }: { connection: CarrierConnection }) {
  const used = CAPABILITIES.filter((each) => used_for.some(({ capability }) => capability === each));
  if (used.length === 0) return <span>nothing new</span>;
  return (
    <Row>
      {used.map((capability) => (
        <Badge key={capability}>{CAPABILITY_NAMES[capability]}</Badge>
      ))}
    </Row>
  );
}
