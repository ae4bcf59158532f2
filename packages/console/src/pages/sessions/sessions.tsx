import { useState } from 'react';
import type { ConsoleSession } from '../../api/generated/operator-types.ts';
import { listSessions, revokeSession } from '../../api/operator.ts';
import { useOperatorList, useOperatorWrite } from '../../api/operator-queries.ts';
import { useLeave } from '../../app/leave.ts';
import { browserName } from '../../lib/browser-name.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page, Row } from '../../ui/page.tsx';

/** Who is signed in to the console. */
export function SessionsPage() {
  const [revoked, setRevoked] = useState<ConsoleSession>();
  const sessions = useOperatorList(['sessions'], listSessions);
  return (
    <Page
      title="Sessions"
      about="The browsers that are signed in to this console, newest first. A session lasts 12 hours."
    >
      <DataList
        label="Sessions"
        list={sessions}
        rowId={({ id }) => id}
        columns={[
          {
            title: 'Browser',
            cell: (session) => <BrowserOf session={session} />,
            width: '1.7fr',
          },
          { title: 'Person', cell: ({ user }) => user?.email ?? 'nobody in particular', width: '1.3fr' },
          { title: 'Opens', cell: (session) => <Opens session={session} />, width: '1.7fr' },
          { title: 'Signed in', cell: ({ created_at }) => <Moment at={created_at} /> },
          { title: 'Last seen', cell: ({ last_seen_at }) => <Moment at={last_seen_at} /> },
          { title: 'Ends', cell: ({ expires_at }) => <Moment at={expires_at} />, width: '1.2fr' },
          {
            title: 'Actions',
            cell: (session) => (
              <Button small kind="danger" onPress={() => setRevoked(session)}>
                {session.is_current ? 'Sign out' : 'Revoke'}
              </Button>
            ),
            align: 'end',
            width: '6rem',
          },
        ]}
        empty={
          <EmptyState title="No sessions">
            <p>On the server, this command prints a link that signs a browser in, once:</p>
            <Code label="The command that prints a link" text="npx dialplane console" />
          </EmptyState>
        }
      />
      {revoked !== undefined && <Revoke session={revoked} onClose={() => setRevoked(undefined)} />}
    </Page>
  );
}

function BrowserOf({ session: { user_agent, is_current } }: { session: ConsoleSession }) {
  return (
    <Row>
      <span title={user_agent ?? undefined}>{browserName(user_agent)}</span>
      {is_current && <Badge tone="info">this browser</Badge>}
    </Row>
  );
}

function Opens({ session: { account_id: accountId, role } }: { session: ConsoleSession }) {
  if (accountId === null) return <span>everything (operator)</span>;
  return (
    <span>
      <code>{accountId}</code> {role !== 'account' && `(${role})`}
    </span>
  );
}

function Revoke({
  session: { id, is_current, user_agent },
  onClose,
}: {
  session: ConsoleSession;
  onClose: () => void;
}) {
  const leave = useLeave();
  const name = browserName(user_agent);
  const revoke = useOperatorWrite(revokeSession, {
    changes: is_current ? [] : ['sessions'],
    ...(!is_current && { done: `The session of ${name} is revoked.` }),
    onDone: async () => {
      onClose();
      if (is_current) await leave();
    },
  });
  return (
    <Confirm
      title={is_current ? 'Sign out of this browser?' : `Revoke the session of ${name}?`}
      isOpen
      onClose={onClose}
      confirm={is_current ? 'Sign out' : 'Revoke'}
      onConfirm={() => revoke.mutate(id)}
      isPending={revoke.isPending}
      error={revoke.error}
    >
      {is_current ? (
        <p>This is the session that you use. You need a new link to sign in again.</p>
      ) : (
        <p>Within 5 seconds the browser is refused everywhere, and its sockets end. It can sign in with a new link.</p>
      )}
    </Confirm>
  );
}
