import type { Brand, CreateBrand } from '@dialplane/sdk/resources';
import { useNavigate } from '@tanstack/react-router';
import { useRead, useWrite } from '../../api/queries.ts';
import { Loading } from '../../app/failure.tsx';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { TenantField } from '../../app/tenant-field.tsx';
import { e164Of, formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/compliance.ts';
import { Select, TextField } from '../../ui/field.tsx';
import { Form, type FormValues } from '../../ui/form.tsx';
import { Card, Columns, Page } from '../../ui/page.tsx';
import { ENTITY_TYPES, nameOf, optionsOf } from './texts.ts';

const t = texts.newBrand;

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

/** Asks for the facts of a company that the registry needs. `?from=` fills in the fields of a rejected brand. */
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
    done: (brand) => t.isRegistered(nameOf(brand)),
    onDone: ({ id }) => navigate({ to: ledgerPath(ledger, `brands/${id}`) }),
  });
  return (
    <Page
      title={before === undefined ? t.newBrand : t.correctedBrand}
      about={t.registryComparesPublic(ledger.mode === 'live' ? t.registrationCosts4 : '')}
    >
      <Card>
        <Form
          submit={t.registerTheBrand}
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

/** The fields, filled in from an earlier registration. The EIN is never shown again, so the person types it again. */
function BrandFields({ before }: { before: Brand | undefined }) {
  return (
    <Columns>
      <TextField name="legal_name" label={t.legalName} isRequired autoFocus defaultValue={before?.legal_name ?? ''} />
      <TextField name="dba" label={t.doingBusinessAs} hint={t.nameRecipientsKnow} defaultValue={before?.dba ?? ''} />
      <TextField name="ein" label={t.ein} hint={t.usTaxId} placeholder="12-3456789" />
      <Select
        name="entity_type"
        label={t.kindOfCompany}
        isRequired
        options={optionsOf(ENTITY_TYPES)}
        placeholder={t.choose}
        {...(before !== undefined && { defaultValue: before.entity_type })}
      />
      <TextField
        name="website"
        label={t.website}
        placeholder={t.httpsDesertpawsExample}
        defaultValue={before?.website ?? ''}
      />
      <TextField name="contact_email" label={t.contactEmail} isRequired defaultValue={before?.contact_email ?? ''} />
      <TextField
        name="phone"
        label={t.phone}
        isRequired
        placeholder="(602) 555-0100"
        defaultValue={formatNumber(before?.phone ?? '')}
      />
      <TextField name="street" label={t.street} isRequired defaultValue={before?.street ?? ''} />
      <TextField name="city" label={t.city} isRequired defaultValue={before?.city ?? ''} />
      <TextField name="state" label={t.state} isRequired hint={t.twoLettersSuch} defaultValue={before?.state ?? ''} />
      <TextField name="postal_code" label={t.zipCode} isRequired defaultValue={before?.postal_code ?? ''} />
      <TenantField
        hint={t.onlyIfTenant}
        placeholder={t.nonePlatformsBrand}
        {...(typeof before?.tenant_id === 'string' && { defaultValue: before.tenant_id })}
      />
    </Columns>
  );
}
