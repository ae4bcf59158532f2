import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { TenantField } from '../../app/tenant-field.tsx';
import { e164Of } from '../../lib/numbers.ts';
import { texts } from '../../texts/exports.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';

const t = texts.exportPerson;

/** Asks whom to export. */
export function ExportPerson({ tenantId, onClose }: { tenantId: string | undefined; onClose: () => void }) {
  const [owner, setOwner] = useState<string | null>(tenantId ?? null);
  const begin = useWrite(
    (api, external_number: string) => api.personExports.create({ tenant_id: owner ?? '', external_number }),
    { changes: ['person_exports'], done: t.exportBeingMade, onDone: onClose },
  );
  return (
    <Dialog title={t.exportAPerson} isOpen onClose={onClose}>
      <Form
        submit={t.export}
        fields={['tenant_id', 'external_number']}
        error={begin.error}
        isPending={begin.isPending}
        onCancel={onClose}
        onSubmit={({ external_number = '' }) => begin.mutate(e164Of(external_number))}
      >
        <TenantField isRequired value={owner} onChange={setOwner} />
        <TextField name="external_number" label={t.theirNumber} isRequired placeholder="(602) 555-0143" />
      </Form>
    </Dialog>
  );
}
