import type { MessageAttempt } from '@dialplane/sdk/resources';
import { useRead } from '../../api/queries.ts';
import { Badge } from '../../ui/badge.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Table } from '../../ui/table.tsx';

const OUTCOMES = {
  accepted: { text: 'accepted', tone: 'ok' },
  rejected: { text: 'rejected', tone: 'bad' },
  unavailable: { text: 'not taken', tone: 'warn' },
  unknown: { text: 'no answer', tone: 'warn' },
} as const;

/** Reasons in words; the code of a rejected text stands for itself. */
const REASONS: Readonly<Record<string, string>> = {
  unreachable: 'The carrier could not be reached',
  account: 'The account at the carrier does not allow it',
  disabled: 'The connection to the carrier is disabled',
  not_now: 'The carrier does not take it now',
  confirmed_later: 'The carrier has confirmed an attempt whose answer was lost',
};

/** The attempts to hand a text to its carrier; nothing if the first one was accepted. */
export function Attempts({ messageId, tenantId }: { messageId: string; tenantId: string }) {
  const { data, error } = useRead(['messages', messageId, 'attempts'], (api) => api.messages.listAttempts(messageId));
  if (error !== null) return <ErrorNote error={error} />;
  if (data === undefined || data.data.length === 0) return null;
  return (
    <Table
      label="Attempts to send it"
      rows={data.data.map((attempt, index) => ({ ...attempt, index }))}
      rowId={({ index }) => String(index)}
      columns={[
        {
          title: 'Attempt',
          cell: ({ outcome }) => <Badge tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].text}</Badge>,
        },
        { title: 'Why', cell: (attempt) => <Why {...attempt} /> },
        { title: 'At', cell: ({ at }) => <Moment at={at} tenantId={tenantId} format="long" />, align: 'end' },
      ]}
    />
  );
}

/** The reason, and the carrier's own code and words. */
function Why({ reason, error_detail }: Pick<MessageAttempt, 'reason' | 'error_detail'>) {
  return (
    <>
      {reason !== null && (REASONS[reason] ?? <code>{reason}</code>)}
      {error_detail !== null && (
        <span>
          {reason !== null && ': '}
          {error_detail.title} <code>{error_detail.carrier_code}</code>
        </span>
      )}
      {reason === null && error_detail === null && '–'}
    </>
  );
}
