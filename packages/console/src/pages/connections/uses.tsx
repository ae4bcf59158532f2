import { Link } from '@tanstack/react-router';
import type { CarrierConnection } from '../../api/generated/operator-types.ts';
import type { Capability } from '../../api/installation.ts';
import { texts } from '../../texts/connections.ts';
import { Badge } from '../../ui/badge.tsx';
import { Table } from '../../ui/table.tsx';
import { CAPABILITIES, CAPABILITY_NAMES } from './capability-names.ts';

const t = texts.uses;

type Use = { readonly capability: Capability; readonly accountId: string | null; readonly through?: CarrierConnection };

/** The connection for each capability: for all accounts, and for each account with its own choice. */
export function Uses({ connections }: { connections: readonly CarrierConnection[] }) {
  const uses = usesOf(connections);
  return (
    <Table
      label={t.uses}
      rows={uses}
      rowId={({ capability, accountId }) => `${capability} ${accountId}`}
      columns={[
        { title: t.capability, cell: ({ capability }) => CAPABILITY_NAMES[capability] },
        { title: t.connection, cell: ({ through }) => <Through connection={through} /> },
        {
          title: t.accounts,
          cell: ({ capability, accountId }) => {
            if (accountId !== null) return <code>{accountId}</code>;
            return uses.filter((use) => use.capability === capability).length === 1 ? t.all : t.allOthers;
          },
          isWideOnly: true,
        },
      ]}
    />
  );
}

function Through({ connection }: { connection: CarrierConnection | undefined }) {
  if (connection === undefined) return <Badge tone="warn">{t.noneRefusedLive}</Badge>;
  return <Link to={`/operator/connections/${connection.id}`}>{connection.name}</Link>;
}

function usesOf(connections: readonly CarrierConnection[]): Use[] {
  return CAPABILITIES.flatMap((capability) => {
    const found = connections.flatMap((through) =>
      through.used_for
        .filter((use) => use.capability === capability)
        .map(({ account_id: accountId }): Use => ({ capability, accountId, through })),
    );
    const own = found.filter(({ accountId }) => accountId !== null);
    return [...own, found.find(({ accountId }) => accountId === null) ?? { capability, accountId: null }];
  });
}
