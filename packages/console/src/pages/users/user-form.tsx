import type { CreateUser, User } from '../../api/generated/operator-types.ts';
import { createUser, listAccounts, updateUser } from '../../api/operator.ts';
import { useOperatorList, useOperatorWrite } from '../../api/operator-queries.ts';
import { useSession } from '../../app/session.ts';
import { texts } from '../../texts/users.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { PickField } from '../../ui/pick-field.tsx';

const t = texts.userForm;

const ROLES = [
  { id: 'viewer', text: t.viewerReadsEverything },
  { id: 'support', text: t.supportAlsoWrites },
  { id: 'admin', text: t.adminEverythingAccount },
];
const OPERATOR = { id: 'operator', text: t.operatorEveryAccount };

/** The values of the form. If the account is absent, it is the account of the page, or none for an operator. */
type Values = { readonly email?: string; readonly role: User['role']; readonly account_id?: string };

type UserFormProps = {
  /** The account of the page; null on the operators' page. */
  accountId: string | null;
  /** The user to change; absent for a new one. */
  user?: User;
  onClose: () => void;
};

/** Adds a user, or changes the role or account of a user. */
export function UserForm({ accountId, user, onClose }: UserFormProps) {
  const { role } = useSession();
  const save = useOperatorWrite(
    ({ email = '', role: given, account_id = accountId ?? user?.account_id ?? undefined }: Values) => {
      const place = { role: given, account_id: given === 'operator' ? null : (account_id ?? null) };
      return user === undefined
        ? createUser({ email, ...place } satisfies CreateUser)
        : updateUser({ id: user.id, ...place });
    },
    { changes: ['users'], done: ({ email }) => t.isSaved(email), onDone: onClose },
  );
  const roles = role === 'operator' ? [...ROLES, OPERATOR] : ROLES;
  return (
    <Dialog title={user === undefined ? t.newUser : t.change(user.email)} isOpen onClose={onClose}>
      <Form
        submit={user === undefined ? t.addTheUser : t.save}
        fields={['email', 'role', 'account_id']}
        error={save.error}
        isPending={save.isPending}
        onCancel={onClose}
        onSubmit={(values) => save.mutate(values as unknown as Values)}
      >
        {user === undefined && (
          <TextField
            name="email"
            label={t.eMail}
            isRequired
            autoFocus
            placeholder={t.danaExampleCom}
            hint={t.addressYourIdentity}
          />
        )}
        <Select name="role" label={t.role} options={roles} defaultValue={user?.role ?? 'viewer'} />
        {accountId === null && <AccountField value={user?.account_id ?? undefined} />}
      </Form>
    </Dialog>
  );
}

function AccountField({ value }: { value: string | undefined }) {
  const accounts = useOperatorList(['accounts'], listAccounts);
  return (
    <PickField
      name="account_id"
      label={t.account}
      list={accounts}
      optionOf={({ id, name }) => ({ id, text: name })}
      placeholder={t.noneOperatorUses}
      {...(value !== undefined && { defaultValue: value })}
    />
  );
}
