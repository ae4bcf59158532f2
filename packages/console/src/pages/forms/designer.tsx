import { useState } from 'react';
import { useList, useRead } from '../../api/queries.ts';
import { TenantField } from '../../app/tenant-field.tsx';
import { contrastOf, isColour, textColourOn } from '../../lib/contrast.ts';
import { TextField } from '../../ui/field.tsx';
import { useFieldError } from '../../ui/field-errors.ts';
import { Form } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import { PickField } from '../../ui/pick-field.tsx';
import type { Design } from './design.ts';
import css from './forms.module.css';
import { Preview } from './preview.tsx';

type DesignerProps = {
  initial: Design;
  /** True for a form that exists: its tenant stays. */
  isTenantFixed: boolean;
  submit: string;
  onSubmit: (design: Design) => void;
  onCancel?: () => void;
  /** True if it stays after it is saved. */
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
      <Card label="Design">
        <Form {...form} fields={FIELDS} onSubmit={() => onSubmit(design)}>
          {!isTenantFixed && (
            <TenantField
              isRequired
              value={design.tenant_id}
              onChange={(tenant_id) => change({ tenant_id, campaign_id: null })}
            />
          )}
          <TextField {...text('name')} label="Name" isRequired hint="The heading of the page" />
          <CampaignField
            tenantId={design.tenant_id}
            value={design.campaign_id}
            onChange={(campaign_id) => change({ campaign_id })}
          />
          <TextField
            {...text('consent_text')}
            label="Consent text"
            rows={5}
            hint="What people agree to, beside the box. If it is empty, it is written for you: who sends what, how often, what it costs, STOP and HELP."
          />
          <TextField {...text('terms_url')} label="Terms" placeholder="https://" />
          <TextField {...text('privacy_url')} label="Privacy policy" placeholder="https://" />
          <TextField
            {...text('logo_url')}
            label="Logo"
            placeholder="https://"
            hint="An image. The visitor’s browser loads it."
          />
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
      <TextField name="color" label="Colour" value={value} onChange={onChange} hint={<ContrastHint colour={value} />} />
      <input
        type="color"
        aria-label="Choose a colour"
        value={isColour(value) ? value : '#000000'}
        onChange={({ currentTarget }) => {
          change();
          onChange(currentTarget.value);
        }}
      />
    </div>
  );
}

/** Says how well the button can be read. The page chooses black or white text, whichever is easier to read. */
function ContrastHint({ colour }: { colour: string }) {
  if (!isColour(colour)) return 'A colour such as #00695c, of the button and the edge of the page';
  const text = textColourOn(colour);
  const ratio = contrastOf(colour, text).toFixed(1);
  return `${text === '#000000' ? 'Black' : 'White'} text on it has a contrast of ${ratio} to 1 (4.5 is needed).`;
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
      label="Campaign"
      placeholder="None"
      isDisabled={tenantId === null}
      value={value}
      onChange={onChange}
      list={campaigns}
      optionOf={({ id, description }) => ({ id, text: description })}
      extra={data === undefined ? undefined : { id: data.id, text: data.description }}
      hint="The form may come before its campaign, as the campaign names the address of the form."
    />
  );
}
