import { lazy, Suspense } from 'react';
import { useRead } from '../api/queries.ts';

/** The notice is rare, so it is not loaded with the first page. */
const Notice = lazy(() => import('./port-out-notice.tsx').then(({ PortOutNotice }) => ({ default: PortOutNotice })));

const EVENTS_MAX = 100;

/**
 * Alarms for numbers that another carrier has requested, which may be a theft. Without an id it shows the alarms of the
 * whole account. An alarm ends when the request is rejected or carried out, or the number is released.
 */
export function PortOutAlarms({ numberId }: { numberId?: string }) {
  const query = { type: 'number.port_out' as const, limit: EVENTS_MAX, resource_id: numberId };
  const { data } = useRead(['events', query], (api) => api.events.list(query));
  // The newest event of a number comes first.
  const newest = [...Map.groupBy(data?.data ?? [], ({ resource_id }) => resource_id).values()].flatMap((all) =>
    all.slice(0, 1),
  );
  return newest.map(({ id, resource_id, created_at, tenant_id, data: leaving }) => {
    const portOut = 'port_out' in leaving ? leaving.port_out : undefined;
    if (portOut?.status !== 'pending') return null;
    return (
      <Suspense key={id} fallback={null}>
        <Notice
          numberId={resource_id}
          tenantId={tenant_id}
          carrier={portOut.carrier_name}
          since={created_at}
          isLinked={numberId === undefined}
        />
      </Suspense>
    );
  });
}
