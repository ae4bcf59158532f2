import { type CreateE911Address, DialplaneError } from '@dialplane/sdk/resources';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { TenantField } from '../../app/tenant-field.tsx';
import { texts } from '../../texts/e911.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Columns } from '../../ui/page.tsx';

const t = texts.createAddress;

type Place = { street: string; unit: string; city: string; state: string; postal_code: string };

const FIELDS = ['tenant_id', 'street', 'unit', 'city', 'state', 'postal_code'];
const EMPTY: Place = { street: '', unit: '', city: '', state: '', postal_code: '' };

/** Asks for an address. If the carrier refuses it, the person can accept the carrier's suggestion. */
export function CreateAddress({ tenantId, onClose }: { tenantId: string | undefined; onClose: () => void }) {
  const [place, setPlace] = useState(EMPTY);
  const create = useWrite((api, address: CreateE911Address) => api.e911Addresses.create(address), {
    changes: ['e911_addresses', 'phone_numbers'],
    done: ({ status }) => (status === 'pending' ? t.carrierChecksAddress : t.addressValidSaved),
    onDone: onClose,
  });
  const field = (name: keyof Place) => ({
    name,
    value: place[name],
    onChange: (text: string) => setPlace((before) => ({ ...before, [name]: text })),
  });
  return (
    <Dialog title={t.newEmergencyAddress} isOpen onClose={onClose}>
      <Form
        submit={t.checkAndSave}
        fields={FIELDS}
        error={create.error}
        isPending={create.isPending}
        onCancel={onClose}
        onSubmit={(values) => create.mutate(values as unknown as CreateE911Address)}
      >
        <TenantField isRequired {...(tenantId !== undefined && { defaultValue: tenantId })} />
        <TextField {...field('street')} label={t.houseNumberStreet} isRequired placeholder={t.n100NCentral} />
        <Columns>
          <TextField {...field('unit')} label={t.unit} placeholder={t.suite4} />
          <TextField {...field('city')} label={t.city} isRequired placeholder={t.phoenix} />
          <TextField {...field('state')} label={t.state} isRequired placeholder={t.az} />
          <TextField {...field('postal_code')} label={t.zipCode} isRequired placeholder="85004" />
        </Columns>
        <Suggestions
          error={create.error}
          onTake={(taken) => {
            create.reset();
            setPlace(taken);
          }}
        />
      </Form>
    </Dialog>
  );
}

function Suggestions({ error, onTake }: { error: unknown; onTake: (place: Place) => void }) {
  const suggestions = DialplaneError.is(error) ? (error.body?.suggestions ?? []) : [];
  return suggestions.map(({ unit, ...place }) => {
    const text = [place.street, unit, place.city, `${place.state} ${place.postal_code}`].filter(Boolean).join(', ');
    return (
      <Notice
        key={text}
        title={t.carrierWouldAccept}
        action={<Button onPress={() => onTake({ ...place, unit: unit ?? '' })}>{t.useThisAddress}</Button>}
      >
        <p>{text}</p>
      </Notice>
    );
  });
}
