import { useState } from 'react';
import type { ConsoleSession } from '../../api/generated/operator-types.ts';
import { listSessions, revokeSession } from '../../api/operator.ts';
import { useOperatorList, useOperatorWrite } from '../../api/operator-queries.ts';
import { useProgram } from '../../api/sign-in-options.ts';
import { useLeave } from '../../app/leave.ts';
import { browserName } from '../../lib/browser-name.ts';
import { texts } from '../../texts/sessions.ts';
import { Badge, words } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page, Row } from '../../ui/page.tsx';

const t = texts.sessions;

/** Who is signed in to the console. */
export function SessionsPage() {
  const program = useProgram();
  const [revoked, setRevoked] = useState<ConsoleSession>();
  const sessions = useOperatorList(['sessions'], listSessions);
  return (
    <Page title={t.sessions} about={t.browsersSignedConsole}>
      <DataList
        label={t.sessions}
        list={sessions}
        rowId={({ id }) => id}
        columns={[
          {
            title: t.browser,
            cell: (session) => <BrowserOf session={session} />,
            width: '1.7fr',
          },
          { title: t.person, cell: ({ user }) => user?.email ?? t.nobodyInParticular, width: '1.3fr' },
          { title: t.opens, cell: (session) => <Opens session={session} />, width: '1.7fr' },
          { title: t.signedIn, cell: ({ created_at }) => <Moment at={created_at} /> },
          { title: t.lastSeen, cell: ({ last_seen_at }) => <Moment at={last_seen_at} /> },
          { title: t.ends, cell: ({ expires_at }) => <Moment at={expires_at} />, width: '1.2fr' },
          {
            title: t.actions,
            cell: (session) => (
              <Button small kind="danger" onPress={() => setRevoked(session)}>
                {session.is_current ? t.signOut : t.revoke}
              </Button>
            ),
            align: 'end',
            width: '6rem',
          },
        ]}
        empty={
          <EmptyState title={t.noSessions}>
            <p>{t.serverCommandPrints}</p>
            <Code label={t.commandPrintsLink} text={`${program} console`} />
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
      {is_current && <Badge tone="info">{t.thisBrowser}</Badge>}
    </Row>
  );
}

function Opens({ session: { account_id: accountId, role } }: { session: ConsoleSession }) {
  if (accountId === null) return <span>{t.everythingOperator}</span>;
  return (
    <span>
      <code>{accountId}</code> {role !== 'account' && `(${words(role)})`}
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
    ...(!is_current && { done: t.sessionRevoked(name) }),
    onDone: async () => {
      onClose();
      if (is_current) await leave();
    },
  });
  return (
    <Confirm
      title={is_current ? t.signOutBrowser : t.revokeSession(name)}
      isOpen
      onClose={onClose}
      confirm={is_current ? t.signOut : t.revoke}
      onConfirm={() => revoke.mutate(id)}
      isPending={revoke.isPending}
      error={revoke.error}
    >
      {is_current ? <p>{t.sessionYouUse}</p> : <p>{t.within5Seconds}</p>}
    </Confirm>
  );
}
