import type { WebClient } from '@dialplane/sdk/resources';
import { Link } from '@tanstack/react-router';
import { rowsOfPages, useRead } from '../api/queries.ts';
import { agentIdOf } from '../lib/agents.ts';
import { formatNumber } from '../lib/numbers.ts';
import { ledgerPath, useLedger } from './ledger.ts';

/** A web client beyond this many of the tenant's newest is shown by its id. */
const NAMES_MAX = 500;
const PAGE_ROWS = 100;

type Names = Readonly<Record<string, string | null>>;

const isWebClient = (party: string): boolean => agentIdOf(party).startsWith('wcl_');

function useNames(tenantId: string, enabled: boolean): Names {
  const { data } = useRead(
    ['web_clients', 'names', tenantId],
    async (api) => {
      const rows: WebClient[] = [];
      for await (const page of rowsOfPages(api.webClients.list({ tenant_id: tenantId, limit: PAGE_ROWS }))) {
        rows.push(...page);
        if (rows.length >= NAMES_MAX) break;
      }
      return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
    },
    { enabled },
  );
  return data ?? {};
}

/** Returns a function that names an agent: a web client by its name, a number as people write it. */
export function useAgentName(tenantId: string, parties: readonly string[]): (party: string) => string {
  const names = useNames(tenantId, parties.some(isWebClient));
  return (party) => names[agentIdOf(party)] ?? formatNumber(agentIdOf(party));
}

/** Shows an agent of a queue or a call. A web client has its name and a link to its page. */
export function Agent({ tenantId, party }: { tenantId: string; party: string }) {
  const ledger = useLedger();
  const name = useAgentName(tenantId, [party])(party);
  if (!isWebClient(party)) return <span>{name}</span>;
  return (
    <Link to={ledgerPath(ledger, `web-clients/${agentIdOf(party)}`)}>
      <bdi>{name}</bdi>
    </Link>
  );
}
