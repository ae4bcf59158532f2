import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { SignInLink, User } from '../../api/generated/operator-types.ts';
import { createSignInLink, listUsers, removeUser } from '../../api/operator.ts';
import { useOperatorList, useOperatorWrite } from '../../api/operator-queries.ts';
import { useLedger } from '../../app/ledger.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page, Row } from '../../ui/page.tsx';
import { UserForm } from './user-form.tsx';

type Doing =
  | { readonly what: 'add' }
  | { readonly what: 'change' | 'remove'; readonly user: User }
  | { readonly what: 'link'; readonly user: User; readonly link: SignInLink };

/** The people who use the console for one account. */
export function UsersPage() {
  const { accountId } = useLedger();
  return <Users accountId={accountId} about="The people who use the console for this account, in both modes." />;
}

/** The people who use the console, in every account. */
export function AllUsersPage() {
  return <Users accountId={null} about="The people who use the console: operators, and the people of each account." />;
}

function Users({ accountId, about }: { accountId: string | null; about: string }) {
  const [doing, setDoing] = useState<Doing>();
  const close = () => setDoing(undefined);
  const filter = accountId === null ? {} : { account_id: accountId };
  const users = useOperatorList(['users', filter], (page) => listUsers({ ...filter, ...page }));
  const link = useOperatorWrite(({ id }: User) => createSignInLink(id), {
    changes: [],
    onDone: (made, user) => setDoing({ what: 'link', user, link: made }),
  });
  const add = (
    <Button kind="primary" onPress={() => setDoing({ what: 'add' })}>
      <Plus aria-hidden /> New user
    </Button>
  );
  return (
    <Page title="Users" about={about} actions={add}>
      <DataList
        label="Users"
        list={users}
        rowId={({ id }) => id}
        columns={[
          { title: 'E-mail', cell: ({ email }) => email, width: '1.5fr' },
          { title: 'Role', cell: ({ role }) => role },
          ...(accountId === null ? [{ title: 'Account', cell: accountOf, width: '1.5fr' }] : []),
          {
            title: 'Last signed in',
            cell: ({ last_signed_in_at: at }) => (at === null ? 'never' : <Moment at={at} />),
          },
          {
            title: 'Actions',
            width: '17rem',
            align: 'end',
            cell: (user) => (
              <Row>
                <Button
                  small
                  isPending={link.isPending && link.variables?.id === user.id}
                  onPress={() => link.mutate(user)}
                >
                  Sign-in link
                </Button>
                <Button small onPress={() => setDoing({ what: 'change', user })}>
                  Change
                </Button>
                <Button small kind="danger" onPress={() => setDoing({ what: 'remove', user })}>
                  Remove
                </Button>
              </Row>
            ),
          },
        ]}
        empty={
          <EmptyState title="No users">
            <p>
              Each person gets a role, and the audit log names the person. Without users, one-time links of the command
              line sign in nobody in particular.
            </p>
          </EmptyState>
        }
      />
      {doing?.what === 'add' && <UserForm accountId={accountId} onClose={close} />}
      {doing?.what === 'change' && <UserForm accountId={accountId} user={doing.user} onClose={close} />}
      {doing?.what === 'remove' && <Remove user={doing.user} onClose={close} />}
      {doing?.what === 'link' && <Link user={doing.user} link={doing.link} onClose={close} />}
    </Page>
  );
}

function accountOf({ account_id: accountId }: User) {
  return accountId === null ? <span>every account</span> : <code>{accountId}</code>;
}

function Link({ user, link, onClose }: { user: User; link: SignInLink; onClose: () => void }) {
  return (
    <Dialog title={`A link for ${user.email}`} isOpen onClose={onClose} isShownOnce>
      <Notice tone="warn" title="Give it to this person alone">
        <p>Whoever opens the link is signed in as {user.email}. It works once, for 15 minutes.</p>
      </Notice>
      <Code label="The sign-in link" text={link.url} />
      <Row>
        <Button kind="primary" onPress={onClose}>
          Done
        </Button>
      </Row>
    </Dialog>
  );
}

function Remove({ user, onClose }: { user: User; onClose: () => void }) {
  const remove = useOperatorWrite(removeUser, {
    changes: ['users', 'sessions'],
    done: `${user.email} is removed.`,
    onDone: onClose,
  });
  return (
    <Confirm
      title={`Remove ${user.email}?`}
      isOpen
      onClose={onClose}
      confirm="Remove"
      onConfirm={() => remove.mutate(user.id)}
      isPending={remove.isPending}
      error={remove.error}
    >
      <p>Sessions of this person end within 5 seconds. The audit log keeps the name.</p>
    </Confirm>
  );
}
