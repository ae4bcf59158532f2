import type { CreatePortIn, PortIn } from '@dialplane/sdk/resources';
import { useState } from 'react';
import { TenantField } from '../../app/tenant-field.tsx';
import { e164Of, formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/port-ins.ts';
import { TextField } from '../../ui/field.tsx';
import { Form, type FormValues } from '../../ui/form.tsx';
import { Columns } from '../../ui/page.tsx';
import { PortabilityCheck } from './portability-check.tsx';

const t = texts.portInForm;

/** The details of a port-in. If a correction has no PIN, the earlier PIN stays. */
export type PortInDetails = Omit<CreatePortIn, 'tenant_id'> & { readonly tenant_id?: string };

type PortInFormProps = {
  /** The port-in to correct; absent for a new one. */
  portIn?: PortIn;
  submit: string;
  onSubmit: (details: PortInDetails) => void;
  onCancel: () => void;
  error: unknown;
  isPending: boolean;
};

const FIELDS = [
  'tenant_id',
  'phone_numbers',
  'entity_name',
  'authorized_person',
  'billing_phone_number',
  'account_number',
  'pin',
  'service_address.street',
  'service_address.city',
  'service_address.state',
  'service_address.postal_code',
];

/** Asks for the numbers, and for the account data as the losing carrier has them. */
export function PortInForm({ portIn, onSubmit, ...form }: PortInFormProps) {
  const [numbers, setNumbers] = useState(portIn?.phone_numbers.map(formatNumber).join('\n') ?? '');
  return (
    <Form {...form} fields={FIELDS} onSubmit={(values) => onSubmit(detailsOf(values, numbersIn(numbers)))}>
      {portIn === undefined && <TenantField isRequired hint={t.getsNumbersWhen} />}
      <TextField
        name="phone_numbers"
        label={t.numbers}
        isRequired
        rows={3}
        value={numbers}
        onChange={setNumbers}
        placeholder="(602) 555-0170"
        hint={t.oneLineUp}
      />
      <PortabilityCheck numbers={numbersIn(numbers)} />
      <AccountFields portIn={portIn} />
    </Form>
  );
}

function AccountFields({ portIn }: { portIn: PortIn | undefined }) {
  const address = portIn?.service_address;
  return (
    <>
      <p>{t.accountLosingCarrier}</p>
      <Columns>
        <TextField name="entity_name" label={t.accountHolder} isRequired defaultValue={portIn?.entity_name ?? ''} />
        <TextField
          name="authorized_person"
          label={t.authorizedPerson}
          isRequired
          hint={t.whoMayOrder}
          defaultValue={portIn?.authorized_person ?? ''}
        />
        <TextField
          name="account_number"
          label={t.accountNumber}
          isRequired
          defaultValue={portIn?.account_number ?? ''}
        />
        <TextField name="pin" label={t.pin} hint={portIn === undefined ? t.ifAccountOne : t.emptyPinStays} />
        <TextField
          name="billing_phone_number"
          label={t.billingNumber}
          isRequired
          placeholder="(602) 555-0170"
          defaultValue={portIn === undefined ? '' : formatNumber(portIn.billing_phone_number)}
        />
        <TextField name="service_address.street" label={t.street} isRequired defaultValue={address?.street ?? ''} />
        <TextField name="service_address.city" label={t.city} isRequired defaultValue={address?.city ?? ''} />
        <TextField
          name="service_address.state"
          label={t.state}
          isRequired
          hint={t.twoLettersSuch}
          defaultValue={address?.state ?? ''}
        />
        <TextField
          name="service_address.postal_code"
          label={t.zipCode}
          isRequired
          defaultValue={address?.postal_code ?? ''}
        />
      </Columns>
    </>
  );
}

function numbersIn(text: string): string[] {
  const lines = text.split(/[\n,;]/).map(e164Of);
  return lines.filter((line) => line !== '');
}

/** All parts of the address are sent, so that the API names each missing part. */
function detailsOf(values: FormValues, phone_numbers: string[]): PortInDetails {
  const { tenant_id, entity_name = '', authorized_person = '', account_number = '', pin } = values;
  const part = (name: string) => values[`service_address.${name}`] ?? '';
  return {
    ...(tenant_id !== undefined && { tenant_id }),
    phone_numbers,
    entity_name,
    authorized_person,
    account_number,
    billing_phone_number: e164Of(values['billing_phone_number'] ?? ''),
    service_address: {
      street: part('street'),
      city: part('city'),
      state: part('state'),
      postal_code: part('postal_code'),
    },
    ...(pin !== undefined && { pin }),
  };
}
