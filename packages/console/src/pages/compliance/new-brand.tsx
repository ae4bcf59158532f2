import type { Brand, CreateBrand } from '@dialplane/sdk/resources';
import { useNavigate } from '@tanstack/react-router';
import { useRead, useWrite } from '../../api/queries.ts';
import { Loading } from '../../app/failure.tsx';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { TenantField } from '../../app/tenant-field.tsx';
import { e164Of, formatNumber } from '../../lib/numbers.ts';
import { Select, TextField } from '../../ui/field.tsx';
import { Form, type FormValues } from '../../ui/form.tsx';
import { Card, Columns, Page } from '../../ui/page.tsx';
import { ENTITY_TYPES, nameOf, optionsOf } from './texts.ts';

const FIELDS = [
  'tenant_id',
  'legal_name',
  'dba',
  'ein',
  'entity_type',
  'website',
  'contact_email',
  'phone',
  'street',
  'city',
  'state',
  'postal_code',
];

/** Asks for the registry's facts of a company. `?from=` starts with the fields of a rejected brand. */
export function NewBrandPage() {
  const [{ from }] = useFilters();
  const rejected = useRead(['brands', from], (api) => api.brands.get(from as string), { enabled: from !== undefined });
  if (from !== undefined && rejected.isLoading) return <Loading />;
  return <NewBrand before={rejected.data} />;
}

function NewBrand({ before }: { before: Brand | undefined }) {
  const ledger = useLedger();
  const navigate = useNavigate();
  const create = useWrite((api, brand: CreateBrand) => api.brands.create(brand), {
    changes: ['brands'],
    done: (brand) => `${nameOf(brand)} is registered.`,
    onDone: ({ id }) => navigate({ to: ledgerPath(ledger, `brands/${id}`) }),
  });
  return (
    <Page
      title={before === undefined ? 'New brand' : 'Corrected brand'}
      about={`The registry compares this with public records. Give it exactly as on the tax documents.${
        ledger.mode === 'live' ? ' The registration costs 4 USD, also if it is rejected.' : ''
      }`}
    >
      <Card>
        <Form
          submit="Register the brand"
          fields={FIELDS}
          error={create.error}
          isPending={create.isPending}
          onCancel={() => void navigate({ to: ledgerPath(ledger, 'brands') })}
          onSubmit={(values) => create.mutate(brandOf(values))}
        >
          <BrandFields before={before} />
        </Form>
      </Card>
    </Page>
  );
}

function brandOf({ phone, ...values }: FormValues): CreateBrand {
  return { ...values, ...(phone !== undefined && { phone: e164Of(phone) }) } as unknown as CreateBrand;
}

/** The fields, with what an earlier registration said. The EIN is never shown again, so it is typed again. */
function BrandFields({ before }: { before: Brand | undefined }) {
  return (
    <Columns>
      <TextField name="legal_name" label="Legal name" isRequired autoFocus defaultValue={before?.legal_name ?? ''} />
      <TextField
        name="dba"
        label="Doing business as"
        hint="The name that recipients know, if it is another"
        defaultValue={before?.dba ?? ''}
      />
      <TextField
        name="ein"
        label="EIN"
        hint="US tax id; a sole proprietor need not have one. It is stored encrypted, and shown masked."
        placeholder="12-3456789"
      />
      <Select
        name="entity_type"
        label="Kind of company"
        isRequired
        options={optionsOf(ENTITY_TYPES)}
        placeholder="Choose"
        {...(before !== undefined && { defaultValue: before.entity_type })}
      />
      <TextField
        name="website"
        label="Website"
        placeholder="https://desertpaws.example"
        defaultValue={before?.website ?? ''}
      />
      <TextField name="contact_email" label="Contact email" isRequired defaultValue={before?.contact_email ?? ''} />
      <TextField
        name="phone"
        label="Phone"
        isRequired
        placeholder="(602) 555-0100"
        defaultValue={formatNumber(before?.phone ?? '')}
      />
      <TextField name="street" label="Street" isRequired defaultValue={before?.street ?? ''} />
      <TextField name="city" label="City" isRequired defaultValue={before?.city ?? ''} />
      <TextField
        name="state"
        label="State"
        isRequired
        hint="Two letters, such as AZ"
        defaultValue={before?.state ?? ''}
      />
      <TextField name="postal_code" label="ZIP code" isRequired defaultValue={before?.postal_code ?? ''} />
      <TenantField
        hint="Only if the tenant registers under its own EIN. Without one the brand is the platform's, and every tenant's campaigns may use it."
        placeholder="None: the platform’s brand"
        {...(typeof before?.tenant_id === 'string' && { defaultValue: before.tenant_id })}
      />
    </Columns>
  );
}
