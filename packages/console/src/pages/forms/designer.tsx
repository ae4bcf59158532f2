import { useState } from 'react';
import { useList, useRead } from '../../api/queries.ts';
import { TenantField } from '../../app/tenant-field.tsx';
import { contrastOf, isColour, textColourOn } from '../../lib/contrast.ts';
import { texts } from '../../texts/forms.ts';
import { TextField } from '../../ui/field.tsx';
import { useFieldError } from '../../ui/field-errors.ts';
import { Form } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import { PickField } from '../../ui/pick-field.tsx';
import type { Design } from './design.ts';
import css from './forms.module.css';
import { Preview } from './preview.tsx';

const t = texts.designer;

type DesignerProps = {
  initial: Design;
  /** True for an existing form, whose tenant does not change. */
  isTenantFixed: boolean;
  submit: string;
  onSubmit: (design: Design) => void;
  onCancel?: () => void;
  /** True if the form stays on the page after it is saved. */
  stays?: boolean;
  error: unknown;
  isPending: boolean;
};

const FIELDS = ['tenant_id', 'campaign_id', 'name', 'consent_text', 'terms_url', 'privacy_url', 'logo_url', 'color'];

/** The fields of an opt-in form, with a preview of its page next to them. */
export function Designer({ initial, isTenantFixed, onSubmit, ...form }: DesignerProps) {
  const [design, setDesign] = useState(initial);
  const change = (changed: Partial<Design>) => setDesign((before) => ({ ...before, ...changed }));
  const text = (name: Exclude<keyof Design, 'tenant_id' | 'campaign_id'>) => ({
    name,
    value: design[name],
    onChange: (value: string) => change({ [name]: value }),
  });
  return (
    <div className={css.designer}>
      <Card label={t.design}>
        <Form {...form} fields={FIELDS} onSubmit={() => onSubmit(design)}>
          {!isTenantFixed && (
            <TenantField
              isRequired
              value={design.tenant_id}
              onChange={(tenant_id) => change({ tenant_id, campaign_id: null })}
            />
          )}
          <TextField {...text('name')} label={t.name} isRequired hint={t.headingPage} />
          <CampaignField
            tenantId={design.tenant_id}
            value={design.campaign_id}
            onChange={(campaign_id) => change({ campaign_id })}
          />
          <TextField {...text('consent_text')} label={t.consentText} rows={5} hint={t.whatPeopleAgree} />
          <TextField {...text('terms_url')} label={t.terms} placeholder={t.https} />
          <TextField {...text('privacy_url')} label={t.privacyPolicy} placeholder={t.https} />
          <TextField {...text('logo_url')} label={t.logo} placeholder={t.https} hint={t.imageVisitorsBrowser} />
          <ColourField value={design.color} onChange={(color) => change({ color })} />
        </Form>
      </Card>
      <Preview design={design} />
    </div>
  );
}

function ColourField({ value, onChange }: { value: string; onChange: (colour: string) => void }) {
  const { change } = useFieldError('color');
  return (
    <div className={css.colour}>
      <TextField
        name="color"
        label={t.colour}
        value={value}
        onChange={onChange}
        hint={<ContrastHint colour={value} />}
      />
      <input
        type="color"
        aria-label={t.chooseAColour}
        value={isColour(value) ? value : '#000000'}
        onChange={({ currentTarget }) => {
          change();
          onChange(currentTarget.value);
        }}
      />
    </div>
  );
}

/** Shows how well the button can be read. The page chooses black or white text, whichever is easier to read. */
function ContrastHint({ colour }: { colour: string }) {
  if (!isColour(colour)) return t.colourSuch00695c;
  const text = textColourOn(colour);
  const ratio = contrastOf(colour, text).toFixed(1);
  return t.textContrast1(text === '#000000' ? t.black : t.white, ratio);
}

type CampaignFieldProps = { tenantId: string | null; value: string | null; onChange: (id: string | null) => void };

function CampaignField({ tenantId, value, onChange }: CampaignFieldProps) {
  const filter = tenantId === null ? {} : { tenant_id: tenantId };
  const campaigns = useList(['campaigns', filter], (api, page) => api.campaigns.list({ ...filter, ...page }));
  const { data } = useRead(['campaigns', value], (api) => api.campaigns.get(value as string), {
    enabled: value !== null,
  });
  return (
    <PickField
      name="campaign_id"
      label={t.campaign}
      placeholder={t.none}
      isDisabled={tenantId === null}
      value={value}
      onChange={onChange}
      list={campaigns}
      optionOf={({ id, description }) => ({ id, text: description })}
      extra={data === undefined ? undefined : { id: data.id, text: data.description }}
      hint={t.formMayCome}
    />
  );
}
