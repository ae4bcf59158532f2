import { Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useList, useRead } from '../../api/queries.ts';
import { TenantField } from '../../app/tenant-field.tsx';
import { texts } from '../../texts/compliance.ts';
import { Advice, type AdviceEntry } from '../../ui/advice.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Columns } from '../../ui/page.tsx';
import { PickField } from '../../ui/pick-field.tsx';
import { type CampaignDraft, SAMPLES_MAX, SAMPLES_MIN, useFindings } from './campaign-draft.ts';
import css from './compliance.module.css';
import { nameOf, optionsOf, USE_CASES } from './texts.ts';

const t = texts.campaignForm;

type CampaignFormProps = {
  initial: CampaignDraft;
  /** True for an existing campaign, whose tenant does not change. */
  isTenantFixed: boolean;
  submit: string;
  onSubmit: (draft: CampaignDraft) => void;
  onCancel: () => void;
  error: unknown;
  isPending: boolean;
};

const SAMPLE_FIELDS = Array.from({ length: SAMPLES_MAX }, (_, index) => `sample_messages[${index}]`);
const FIELDS = [
  'tenant_id',
  'brand_id',
  'use_case',
  'description',
  'sample_messages',
  'opt_in_description',
  ...SAMPLE_FIELDS,
];

/** Writes a campaign. While the person types, the fields show the objections that a reviewer is likely to have. */
export function CampaignForm({ initial, isTenantFixed, onSubmit, ...form }: CampaignFormProps) {
  const [draft, setDraft] = useState(initial);
  const findings = useFindings(draft);
  const change = (changed: Partial<CampaignDraft>) => setDraft((before) => ({ ...before, ...changed }));
  const below = (field: string, hint: ReactNode) => (
    <>
      {hint}
      <Advice entries={findings.get(field) ?? []} />
    </>
  );
  return (
    <Form {...form} fields={FIELDS} onSubmit={() => onSubmit(draft)}>
      <Columns>
        <TenantField
          isRequired
          isDisabled={isTenantFixed}
          value={draft.tenant_id}
          onChange={(tenant_id) => change({ tenant_id, brand_id: null })}
        />
        <BrandField tenantId={draft.tenant_id} value={draft.brand_id} onChange={(brand_id) => change({ brand_id })} />
        <Select
          name="use_case"
          label={t.useCase}
          isRequired
          options={optionsOf(USE_CASES)}
          value={draft.use_case}
          onChange={(use_case) => change({ use_case: use_case as CampaignDraft['use_case'] })}
          hint={below('use_case', undefined)}
        />
      </Columns>
      <TextField
        name="description"
        label={t.whatIsSent}
        isRequired
        rows={3}
        value={draft.description}
        onChange={(description) => change({ description })}
        hint={below('description', t.whatTenantSends)}
      />
      <Samples
        samples={draft.sample_messages}
        findings={findings}
        onChange={(sample_messages) => change({ sample_messages })}
      />
      <TextField
        name="opt_in_description"
        label={t.howRecipientsAgree}
        isRequired
        rows={4}
        value={draft.opt_in_description}
        onChange={(opt_in_description) => change({ opt_in_description })}
        hint={below('opt_in_description', t.whereTheyAgree)}
      />
    </Form>
  );
}

type SamplesProps = {
  samples: readonly string[];
  findings: ReadonlyMap<string, AdviceEntry[]>;
  onChange: (samples: readonly string[]) => void;
};

function Samples({ samples, findings, onChange }: SamplesProps) {
  return (
    <fieldset className={css.samples}>
      <legend>{t.sampleMessages}</legend>
      <p className={css.hint}>
        {t.twoFiveRecipients}
        <Advice entries={findings.get('sample_messages') ?? []} />
      </p>
      {samples.map((sample, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a sample has no other name, and its text changes with each key
        <div key={index} className={css.sample}>
          <TextField
            name={`sample_messages[${index}]`}
            label={t.sample(index + 1)}
            rows={2}
            value={sample}
            onChange={(text) => onChange(samples.with(index, text))}
            hint={<Advice entries={findings.get(`sample_messages[${index}]`) ?? []} />}
          />
          {samples.length > SAMPLES_MIN && (
            <IconButton label={t.removeSample(index + 1)} onPress={() => onChange(samples.toSpliced(index, 1))}>
              <Trash2 />
            </IconButton>
          )}
        </div>
      ))}
      {samples.length < SAMPLES_MAX && (
        <div>
          <Button small onPress={() => onChange([...samples, ''])}>
            <Plus aria-hidden /> {t.anotherSample}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

type BrandFieldProps = { tenantId: string | null; value: string | null; onChange: (id: string | null) => void };

/** Asks for a brand of the tenant, or of the platform. */
function BrandField({ tenantId, value, onChange }: BrandFieldProps) {
  const brands = useList(['brands'], (api, page) => api.brands.list(page));
  const { data } = useRead(['brands', value], (api) => api.brands.get(value as string), { enabled: value !== null });
  const its = {
    ...brands,
    rows: brands.rows.filter(({ tenant_id }) => tenant_id === null || tenantId === null || tenant_id === tenantId),
  };
  return (
    <PickField
      name="brand_id"
      label={t.brand}
      isRequired
      value={value}
      onChange={onChange}
      list={its}
      optionOf={(brand) => ({
        id: brand.id,
        text: brand.status === 'vetted' ? nameOf(brand) : t.notVetted(nameOf(brand)),
      })}
      extra={data === undefined ? undefined : { id: data.id, text: nameOf(data) }}
    />
  );
}
