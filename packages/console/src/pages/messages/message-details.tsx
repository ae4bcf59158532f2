import type { Message } from '@dialplane/sdk/resources';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead, useWrite } from '../../api/queries.ts';
import { DeleteContent } from '../../app/delete-content.tsx';
import { Loading } from '../../app/failure.tsx';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { failureOf } from '../../lib/failures.ts';
import { PREFIX } from '../../lib/location.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/messages.ts';
import { Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/code.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Facts, Row } from '../../ui/page.tsx';
import { rich } from '../../ui/rich.tsx';
import { Table } from '../../ui/table.tsx';
import { Attempts } from './attempts.tsx';
import css from './messages.module.css';

const t = texts.messageDetails;

/** All facts about a text. A scheduled text can be cancelled here. */
export function MessageDetails({ id }: { id: string }) {
  const ledger = useLedger();
  const { data: message, error } = useRead(['messages', id], (api) => api.messages.get(id));
  const cancel = useWrite((api) => api.messages.cancel(id), {
    changes: ['messages', 'timeline', 'conversations'],
    done: t.textWillNot,
  });
  if (error !== null) return <ErrorNote error={error} />;
  if (message === undefined) return <Loading />;
  const { tenant_id, status, error_code, send_at } = message;
  const facts: (readonly [string, ReactNode])[] = [
    [t.status, <Status key="status" status={status} />],
    [t.from, formatNumber(message.from)],
    [t.to, formatNumber(message.to)],
    [t.groupTextAlso, message.group && message.other_recipients.map(formatNumber).join(', ')],
    [
      t.tenant,
      <Link key="tenant" to={ledgerPath(ledger, `tenants/${tenant_id}`)}>
        <TenantName id={tenant_id} />
      </Link>,
    ],
    [t.segments, message.segments],
    [t.accepted, <Moment key="accepted" at={message.created_at} tenantId={tenant_id} format="long" />],
    [t.goesOut, send_at !== null && <Moment key="send" at={send_at} tenantId={tenant_id} format="long" />],
    [t.request, message.direction === 'outbound' && <SentBy key="request" messageId={id} />],
    [
      t.id,
      <span key="id">
        <code>{id}</code> <CopyButton text={id} label={t.copyTheId} />
      </span>,
    ],
  ];
  return (
    <div className={css.details}>
      <p dir="auto" className={css.body}>
        {message.redacted_at === null ? message.body : t.textFilesWere}
      </p>
      {error_code !== null && <WhyFailed message={message} />}
      <Facts facts={facts.filter(([, value]) => value !== false)} />
      <Table
        label={t.statusHistory}
        rows={message.status_history}
        rowId={({ status: step, at }) => `${step} ${at}`}
        columns={[
          { title: t.status, cell: ({ status: step }) => <Status status={step} /> },
          { title: t.at, cell: ({ at }) => <Moment at={at} tenantId={tenant_id} format="long" />, align: 'end' },
        ]}
      />
      {message.direction === 'outbound' && <Attempts messageId={id} tenantId={tenant_id} />}
      {Object.keys(message.metadata).length > 0 && <Facts facts={Object.entries(message.metadata)} />}
      <ErrorNote error={cancel.error} />
      <Row>
        <Link to={ledgerPath(ledger, 'events')} search={{ resource_id: id } as never}>
          {t.events}
        </Link>
        {message.conversation_id !== null && (
          <Link to={ledgerPath(ledger, `inbox/${message.conversation_id}`)}>{t.conversation}</Link>
        )}
        {status === 'scheduled' && (
          <Button kind="danger" isPending={cancel.isPending} onPress={() => cancel.mutate(undefined)}>
            {t.cancelTheText}
          </Button>
        )}
        {message.redacted_at === null && (
          <DeleteContent
            label={t.redactTheText}
            done={t.textRedacted}
            changes={['messages', 'timeline', 'conversations', 'events']}
            run={(api) => api.messages.redact(id)}
          >
            {t.bodyFilesDeleted}
          </DeleteContent>
        )}
      </Row>
    </div>
  );
}

/** The request that sent a text, as a link. The log keeps requests for some days; automatic replies have none. */
function SentBy({ messageId }: { messageId: string }) {
  const ledger = useLedger();
  const filter = { resource_id: messageId, order: 'asc', limit: 1 } as const;
  const { data, error } = useRead(['request_log', filter], (api) => api.requestLog.list(filter));
  if (error !== null) return <ErrorNote error={error} />;
  if (data === undefined) return <span>…</span>;
  const [request] = data.data;
  if (request === undefined) return <span>{texts.sentBy.notInLog}</span>;
  return (
    <Link to={ledgerPath(ledger, `requests/${request.id}`)}>
      <code>
        {request.method} {request.path}
      </code>
    </Link>
  );
}

/** The reason for a failed text in words, the next step, and the carrier's answer. */
function WhyFailed({ message: { error_code, error_detail } }: { message: Message }) {
  const { why, next } = failureOf(error_code ?? '');
  return (
    <Notice tone="bad" title={texts.whyFailed.whyItFailed}>
      <p>{why}.</p>
      <p>{next}.</p>
      {error_detail !== null && (
        <p>{rich(texts.whyFailed.theCarrierSays, error_detail.title, <code>{error_detail.carrier_code}</code>)}</p>
      )}
      <p>
        <a href={`${PREFIX}/docs/messaging#states`} target="_blank" rel="noreferrer">
          {rich(texts.whyFailed.about, <code>{error_code}</code>)}
        </a>
      </p>
    </Notice>
  );
}
