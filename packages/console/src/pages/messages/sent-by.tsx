import { Link } from '@tanstack/react-router';
import { useRead } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { texts } from '../../texts/messages.ts';
import { ErrorNote } from '../../ui/error-note.tsx';

const t = texts.sentBy;

/** The request that sent a text, as a link. The log keeps requests for some days; automatic replies have none. */
export function SentBy({ messageId }: { messageId: string }) {
  const ledger = useLedger();
  const filter = { resource_id: messageId, order: 'asc', limit: 1 } as const;
  const { data, error } = useRead(['request_log', filter], (api) => api.requestLog.list(filter));
  if (error !== null) return <ErrorNote error={error} />;
  if (data === undefined) return <span>…</span>;
  const [request] = data.data;
  if (request === undefined) return <span>{t.notInLog}</span>;
  return (
    <Link to={ledgerPath(ledger, `requests/${request.id}`)}>
      <code>
        {request.method} {request.path}
      </code>
    </Link>
  );
}
