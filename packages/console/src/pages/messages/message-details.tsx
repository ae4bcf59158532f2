import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead, useWrite } from '../../api/queries.ts';
import { DeleteContent } from '../../app/delete-content.tsx';
import { Loading } from '../../app/failure.tsx';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { formatNumber } from '../../lib/numbers.ts';
import { Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/code.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Facts, Row } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { Attempts } from './attempts.tsx';
import css from './messages.module.css';
import { WhyFailed } from './why-failed.tsx';

/** A text with everything that is known of it. A scheduled one can be cancelled. */
export function MessageDetails({ id }: { id: string }) {
  const ledger = useLedger();
  const { data: message, error } = useRead(['messages', id], (api) => api.messages.get(id));
  const cancel = useWrite((api) => api.messages.cancel(id), {
    changes: ['messages', 'timeline', 'conversations'],
    done: 'The text will not be sent.',
  });
  if (error !== null) return <ErrorNote error={error} />;
  if (message === undefined) return <Loading />;
  const { tenant_id, status, error_code, send_at } = message;
  const facts: (readonly [string, ReactNode])[] = [
    ['Status', <Status key="status" status={status} />],
    ['From', formatNumber(message.from)],
    ['To', formatNumber(message.to)],
    ['Group text, also to', message.group && message.other_recipients.map(formatNumber).join(', ')],
    [
      'Tenant',
      <Link key="tenant" to={ledgerPath(ledger, `tenants/${tenant_id}`)}>
        <TenantName id={tenant_id} />
      </Link>,
    ],
    ['Segments', message.segments],
    ['Accepted', <Moment key="accepted" at={message.created_at} tenantId={tenant_id} format="long" />],
    ['Goes out', send_at !== null && <Moment key="send" at={send_at} tenantId={tenant_id} format="long" />],
    [
      'Id',
      <span key="id">
        <code>{id}</code> <CopyButton text={id} label="Copy the id" />
      </span>,
    ],
  ];
  return (
    <div className={css.details}>
      <p className={css.body}>{message.redacted_at === null ? message.body : 'Its text and files were deleted.'}</p>
      {error_code !== null && <WhyFailed message={message} />}
      <Facts facts={facts.filter(([, value]) => value !== false)} />
      <Table
        label="Status history"
        rows={message.status_history}
        rowId={({ status: step, at }) => `${step} ${at}`}
        columns={[
          { title: 'Status', cell: ({ status: step }) => <Status status={step} /> },
          { title: 'At', cell: ({ at }) => <Moment at={at} tenantId={tenant_id} format="long" />, align: 'end' },
        ]}
      />
      {message.direction === 'outbound' && <Attempts messageId={id} tenantId={tenant_id} />}
      {Object.keys(message.metadata).length > 0 && <Facts facts={Object.entries(message.metadata)} />}
      <ErrorNote error={cancel.error} />
      <Row>
        <Link to={ledgerPath(ledger, 'events')} search={{ resource_id: id } as never}>
          Events
        </Link>
        {message.conversation_id !== null && (
          <Link to={ledgerPath(ledger, `inbox/${message.conversation_id}`)}>Conversation</Link>
        )}
        {status === 'scheduled' && (
          <Button kind="danger" isPending={cancel.isPending} onPress={() => cancel.mutate(undefined)}>
            Cancel the text
          </Button>
        )}
        {message.redacted_at === null && (
          <DeleteContent
            label="Redact the text"
            done="The text is redacted."
            changes={['messages', 'timeline', 'conversations', 'events']}
            run={(api) => api.messages.redact(id)}
          >
            Its body and files are deleted for good, in its events too. Numbers, times, status and usage stay. A text
            that has not left is still sent.
          </DeleteContent>
        )}
      </Row>
    </div>
  );
}
