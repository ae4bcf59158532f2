import type { CreateUser, User } from '../../api/generated/operator-types.ts';
import { createUser, listAccounts, updateUser } from '../../api/operator.ts';
import { useOperatorList, useOperatorWrite } from '../../api/operator-queries.ts';
import { useSession } from '../../app/session.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { PickField } from '../../ui/pick-field.tsx';

const ROLES = [
  { id: 'viewer', text: 'Viewer: reads everything of the account' },
  { id: 'support', text: 'Support: also writes conversations, texts and calls' },
  { id: 'admin', text: 'Admin: everything in the account' },
];
const OPERATOR = { id: 'operator', text: 'Operator: every account, and the installation' };

/** Values as the form has them: an absent account is the account of the page, or none for an operator. */
type Values = { readonly email?: string; readonly role: User['role']; readonly account_id?: string };

type UserFormProps = {
  /** The account of the page; null on the operators' page. */
  accountId: string | null;
  /** The user to change; absent for a new one. */
  user?: User;
  onClose: () => void;
};

/** Adds a user, or gives one another role or account. */
export function UserForm({ accountId, user, onClose }: UserFormProps) {
  const { role } = useSession();
  const save = useOperatorWrite(
    ({ email = '', role: given, account_id = accountId ?? user?.account_id ?? undefined }: Values) => {
      const place = { role: given, account_id: given === 'operator' ? null : (account_id ?? null) };
      return user === undefined
        ? createUser({ email, ...place } satisfies CreateUser)
        : updateUser({ id: user.id, ...place });
    },
    { changes: ['users'], done: ({ email }) => `${email} is saved.`, onDone: onClose },
  );
  const roles = role === 'operator' ? [...ROLES, OPERATOR] : ROLES;
  return (
    <Dialog title={user === undefined ? 'New user' : `Change ${user.email}`} isOpen onClose={onClose}>
      <Form
        submit={user === undefined ? 'Add the user' : 'Save'}
        fields={['email', 'role', 'account_id']}
        error={save.error}
        isPending={save.isPending}
        onCancel={onClose}
        onSubmit={(values) => save.mutate(values as unknown as Values)}
      >
        {user === undefined && (
          <TextField
            name="email"
            label="E-mail"
            isRequired
            autoFocus
            placeholder="dana@example.com"
            hint="The address at your identity provider, or that you send the link to"
          />
        )}
        <Select name="role" label="Role" options={roles} defaultValue={user?.role ?? 'viewer'} />
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
      label="Account"
      list={accounts}
      optionOf={({ id, name }) => ({ id, text: name })}
      placeholder="None: an operator uses every account"
      {...(value !== undefined && { defaultValue: value })}
    />
  );
}
