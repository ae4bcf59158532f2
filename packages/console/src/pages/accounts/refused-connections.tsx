import { Link } from '@tanstack/react-router';
import { listConnections } from '../../api/installation.ts';
import { useOperatorRead } from '../../api/operator-queries.ts';
import { texts } from '../../texts/accounts.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Notice } from '../../ui/notice.tsx';

const t = texts.refusedConnections;

const EVERY_MS = 15_000;

/**
 * The connections that do not work, such as one whose account at the carrier has no money. Shows nothing if all work.
 */
export function RefusedConnections() {
  const { data = [], error } = useOperatorRead(['connections'], listConnections, { everyMs: EVERY_MS });
  if (error !== null) return <ErrorNote error={error} />;
  const refused = data.filter(({ alarms }) => alarms.length > 0);
  if (refused.length === 0) return null;
  return (
    <Notice tone="bad" title={t.connectionsRefuse}>
      <ul>
        {refused.map(({ id, name, alarms }) => (
          <li key={id}>
            <Link to={`/operator/connections/${id}`}>{name}</Link>: {alarms.map(({ title }) => title).join(', ')}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
