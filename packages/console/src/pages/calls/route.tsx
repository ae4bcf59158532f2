import type { Call } from '@dialplane/sdk/resources';
import { Link } from '@tanstack/react-router';
import { useRead } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { formatMoment } from '../../lib/dates.ts';
import { useZone } from '../../lib/zone.ts';
import { texts } from '../../texts/calls.ts';
import { words } from '../../ui/badge.tsx';

const t = texts.route;

type Route = NonNullable<Call['route']>;

/**
 * Shows the reason for the route of an inbound call: "Closed at 06:26 (Front desk, America/New_York)", with the routing
 * config.
 */
export function CallRoute({ route, tenantId }: { route: Route; tenantId: string }) {
  const zone = useZone(tenantId).name;
  const what = whatOf(route, formatMoment(route.at, 'clock', { zone }));
  if (route.routing_config_id === null) return <span>{what}</span>;
  return (
    <span>
      {what} (<ConfigLink id={route.routing_config_id} at={route.at} />, {zone})
    </span>
  );
}

/** Returns the branch and the time of its choice, and the reason if it adds something. */
function whatOf({ branch, reason }: Route, time: string): string {
  if (branch === 'none') return t.noRoutingAt(time);
  const chosen = t.at(words(branch), time);
  return reason === null || reason === branch ? chosen : `${chosen}: ${words(reason).toLowerCase()}`;
}

/**
 * The name of the config at the given time, with a link to the config of that time. Only the id if the config is
 * deleted.
 */
function ConfigLink({ id, at }: { id: string; at: string }) {
  const ledger = useLedger();
  const { data, error } = useRead(['routing_configs', id, 'at', at], (api) => api.routingConfigs.get(id, { at }));
  if (error !== null) return <code>{id}</code>;
  return (
    <Link to={ledgerPath(ledger, `routing/${id}`)} search={{ at } as never}>
      {data?.name ?? id}
    </Link>
  );
}
