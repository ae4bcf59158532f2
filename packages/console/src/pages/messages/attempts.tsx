import type { MessageAttempt } from '@dialplane/sdk/resources';
import { useRead } from '../../api/queries.ts';
import { texts } from '../../texts/messages.ts';
import { Badge } from '../../ui/badge.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Table } from '../../ui/table.tsx';

const t = texts.attempts;

const OUTCOMES = {
  accepted: { text: t.accepted, tone: 'ok' },
  rejected: { text: t.rejected, tone: 'bad' },
  unavailable: { text: t.notTaken, tone: 'warn' },
  unknown: { text: t.noAnswer, tone: 'warn' },
} as const;

/** The reasons in words. For a rejected text, the page shows its code instead. */
const REASONS: Readonly<Record<string, string>> = {
  unreachable: t.carrierCouldNot,
  account: t.accountCarrierDoes,
  disabled: t.connectionCarrierDisabled,
  not_now: t.carrierDoesNot,
  confirmed_later: t.carrierConfirmedAttempt,
};

/** The attempts to pass a text to its carrier. Shows nothing if the first attempt was accepted. */
export function Attempts({ messageId, tenantId }: { messageId: string; tenantId: string }) {
  const { data, error } = useRead(['messages', messageId, 'attempts'], (api) => api.messages.listAttempts(messageId));
  if (error !== null) return <ErrorNote error={error} />;
  if (data === undefined || data.data.length === 0) return null;
  return (
    <Table
      label={t.attemptsSend}
      rows={data.data.map((attempt, index) => ({ ...attempt, index }))}
      rowId={({ index }) => String(index)}
      columns={[
        {
          title: t.attempt,
          cell: ({ outcome }) => <Badge tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].text}</Badge>,
        },
        { title: t.why, cell: (attempt) => <Why {...attempt} /> },
        { title: t.at, cell: ({ at }) => <Moment at={at} tenantId={tenantId} format="long" />, align: 'end' },
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
