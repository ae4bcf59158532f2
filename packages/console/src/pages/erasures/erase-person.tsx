import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { TenantField } from '../../app/tenant-field.tsx';
import { e164Of, formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/erasures.ts';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';

const t = texts.erasePerson;

const FIELDS = ['tenant_id', 'external_number'];
const CHANGES = ['person_erasures', 'messages', 'conversations', 'timeline', 'calls', 'recordings', 'voicemails'];

type Person = { tenant_id: string; external_number: string };

/** Asks whom to erase, and then for a confirmation. */
export function ErasePerson({ tenantId, onClose }: { tenantId: string | undefined; onClose: () => void }) {
  const [owner, setOwner] = useState<string | null>(tenantId ?? null);
  const [person, setPerson] = useState<Person>();
  const erase = useWrite((api, chosen: Person) => api.personErasures.create(chosen), {
    changes: CHANGES,
    done: t.erasureBegun,
    onDone: onClose,
  });
  if (person !== undefined) {
    return (
      <Confirm
        title={t.erase(formatNumber(person.external_number))}
        isOpen
        onClose={() => setPerson(undefined)}
        confirm={t.eraseThePerson}
        onConfirm={() => erase.mutate(person)}
        isPending={erase.isPending}
        error={erase.error}
      >
        <p>{t.textsConversationsNotes}</p>
        <p>{t.optOutsUsage}</p>
      </Confirm>
    );
  }
  return (
    <Dialog title={t.eraseAPerson} isOpen onClose={onClose}>
      <Form
        submit={t.continue}
        fields={FIELDS}
        error={null}
        isPending={false}
        onCancel={onClose}
        onSubmit={({ tenant_id = '', external_number = '' }) =>
          setPerson({ tenant_id, external_number: e164Of(external_number) })
        }
      >
        <TenantField isRequired value={owner} onChange={setOwner} />
        <TextField name="external_number" label={t.theirNumber} isRequired placeholder="(602) 555-0143" />
      </Form>
    </Dialog>
  );
}
