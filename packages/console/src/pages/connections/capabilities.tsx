import type { CarrierConnection } from '../../api/generated/operator-types.ts';
import { useProgram } from '../../api/sign-in-options.ts';
import { texts } from '../../texts/connections.ts';
import { Badge } from '../../ui/badge.tsx';
import { Code } from '../../ui/code.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Section } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { CAPABILITIES, CAPABILITY_NAMES } from './capability-names.ts';

const t = texts.capabilities;

/** The possible uses of the connection, and the accounts that use it for new things. */
export function Capabilities({ connection }: { connection: CarrierConnection }) {
  const program = useProgram();
  const { kind, name, capabilities, used_for } = connection;
  const usable = CAPABILITIES.filter((each) => capabilities.includes(each));
  const unused = usable.find((each) => used_for.every(({ capability }) => capability !== each));
  if (capabilities.length === 0) {
    return (
      <Section title={t.capabilities}>
        <EmptyState title={t.unknown}>{t.versionServerNo(kind)}</EmptyState>
      </Section>
    );
  }
  return (
    <Section title={t.capabilities}>
      <Table
        label={t.capabilities}
        rows={usable}
        rowId={(capability) => capability}
        columns={[
          { title: t.capability, cell: (capability) => CAPABILITY_NAMES[capability] },
          {
            title: t.usedWhatNew,
            cell: (capability) => (
              <Users accounts={used_for.filter((use) => use.capability === capability).map((use) => use.account_id)} />
            ),
          },
        ]}
      />
      {usable.includes('voice') && (
        <p>
          {capabilities.includes('recording_pause') ? t.recordingCallsCan : t.recordingCallsCannot}{' '}
          {!capabilities.includes('agent_audio') && t.webClientCannot}
        </p>
      )}
      {unused !== undefined && (
        <>
          <p>{t.commandServerChooses}</p>
          <Code label={t.commandChoosesConnection} text={`${program} carriers use ${unused} ${name}`} />
        </>
      )}
    </Section>
  );
}

function Users({ accounts }: { accounts: readonly (string | null)[] }) {
  if (accounts.length === 0) return <Badge>{t.nobody}</Badge>;
  return accounts.map((account) =>
    account === null ? (
      <Badge key="all" tone="ok">
        {accounts.length === 1 ? t.allAccounts : t.allOtherAccounts}
      </Badge>
    ) : (
      <div key={account}>
        <code>{account}</code>
      </div>
    ),
  );
}
