import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { SignInLink, User } from '../../api/generated/operator-types.ts';
import { createSignInLink, listUsers, removeUser } from '../../api/operator.ts';
import { useOperatorList, useOperatorWrite } from '../../api/operator-queries.ts';
import { useLedger } from '../../app/ledger.ts';
import { texts } from '../../texts/users.ts';
import { words } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page, Row } from '../../ui/page.tsx';
import { UserForm } from './user-form.tsx';

const t = texts.users;

type Doing =
  | { readonly what: 'add' }
  | { readonly what: 'change' | 'remove'; readonly user: User }
  | { readonly what: 'link'; readonly user: User; readonly link: SignInLink };

/** The people who use the console for one account. */
export function UsersPage() {
  const { accountId } = useLedger();
  return <Users accountId={accountId} about={t.peopleWhoUse} />;
}

/** The people who use the console, in every account. */
export function AllUsersPage() {
  return <Users accountId={null} about={t.peopleWhoUseConsole} />;
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
      <Plus aria-hidden /> {t.newUser}
    </Button>
  );
  return (
    <Page title={t.users} about={about} actions={add}>
      <DataList
        label={t.users}
        list={users}
        rowId={({ id }) => id}
        columns={[
          { title: t.eMail, cell: ({ email }) => email, width: '1.5fr' },
          { title: t.role, cell: ({ role }) => words(role) },
          ...(accountId === null ? [{ title: t.account, cell: accountOf, width: '1.5fr' }] : []),
          {
            title: t.lastSignedIn,
            cell: ({ last_signed_in_at: at }) => (at === null ? t.never : <Moment at={at} />),
          },
          {
            title: t.actions,
            width: '17rem',
            align: 'end',
            cell: (user) => (
              <Row>
                <Button
                  small
                  isPending={link.isPending && link.variables?.id === user.id}
                  onPress={() => link.mutate(user)}
                >
                  {t.signInLink}
                </Button>
                <Button small onPress={() => setDoing({ what: 'change', user })}>
                  {t.change}
                </Button>
                <Button small kind="danger" onPress={() => setDoing({ what: 'remove', user })}>
                  {t.remove}
                </Button>
              </Row>
            ),
          },
        ]}
        empty={
          <EmptyState title={t.noUsers}>
            <p>{t.eachPersonGets}</p>
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
  return accountId === null ? <span>{t.everyAccount}</span> : <code>{accountId}</code>;
}

function Link({ user, link, onClose }: { user: User; link: SignInLink; onClose: () => void }) {
  return (
    <Dialog title={t.aLinkFor(user.email)} isOpen onClose={onClose} isShownOnce>
      <Notice tone="warn" title={t.givePersonAlone}>
        <p>{t.whoeverOpensLink(user.email)}</p>
      </Notice>
      <Code label={t.signLink} text={link.url} />
      <Row>
        <Button kind="primary" onPress={onClose}>
          {t.done}
        </Button>
      </Row>
    </Dialog>
  );
}

function Remove({ user, onClose }: { user: User; onClose: () => void }) {
  const remove = useOperatorWrite(removeUser, {
    changes: ['users', 'sessions'],
    done: t.isRemoved(user.email),
    onDone: onClose,
  });
  return (
    <Confirm
      title={t.removeOf(user.email)}
      isOpen
      onClose={onClose}
      confirm={t.remove}
      onConfirm={() => remove.mutate(user.id)}
      isPending={remove.isPending}
      error={remove.error}
    >
      <p>{t.sessionsPersonEnd}</p>
    </Confirm>
  );
}
