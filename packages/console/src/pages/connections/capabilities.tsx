import type { CarrierConnection } from '../../api/generated/operator-types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Code } from '../../ui/code.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Section } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { CAPABILITIES, CAPABILITY_NAMES } from './capability-names.ts';

/** The possible uses of the connection, and the accounts that use it for new things. */
export function Capabilities({ connection }: { connection: CarrierConnection }) {
  const { kind, name, capabilities, used_for } = connection;
  const usable = CAPABILITIES.filter((each) => capabilities.includes(each));
  const unused = usable.find((each) => used_for.every(({ capability }) => capability !== each));
  if (capabilities.length === 0) {
    return (
      <Section title="Capabilities">
        <EmptyState title="Unknown">
          This version of the server has no adapter for carriers of the kind {kind}.
        </EmptyState>
      </Section>
    );
  }
  return (
    <Section title="Capabilities">
      <Table
        label="Capabilities"
        rows={usable}
        rowId={(capability) => capability}
        columns={[
          { title: 'Capability', cell: (capability) => CAPABILITY_NAMES[capability] },
          {
            title: 'Used for what is new, by',
            cell: (capability) => (
              <Users accounts={used_for.filter((use) => use.capability === capability).map((use) => use.account_id)} />
            ),
          },
        ]}
      />
      {usable.includes('voice') && (
        <p>
          {capabilities.includes('recording_pause')
            ? 'A recording of its calls can be paused.'
            : 'A recording of its calls cannot be paused; it can be stopped.'}{' '}
          {!capabilities.includes('agent_audio') && 'A web client cannot talk to the telephone of an agent.'}
        </p>
      )}
      {unused !== undefined && (
        <>
          <p>A command on the server chooses a connection for a capability. What exists keeps its own:</p>
          <Code label="The command that chooses the connection" text={`npx dialplane carriers use ${unused} ${name}`} />
        </>
      )}
    </Section>
  );
}

function Users({ accounts }: { accounts: readonly (string | null)[] }) {
  if (accounts.length === 0) return <Badge>nobody</Badge>;
  return accounts.map((account) =>
    account === null ? (
      <Badge key="all" tone="ok">
        {accounts.length === 1 ? 'all accounts' : 'all other accounts'}
      </Badge>
    ) : (
      <div key={account}>
        <code>{account}</code>
      </div>
    ),
  );
}
