import type { CreateOptInForm, OptInForm, UpdateOptInForm } from '@dialplane/sdk/resources';

/** An opt-in form during its design. An empty text stands for the API's text, or for none. */
export type Design = {
  readonly tenant_id: string | null;
  readonly campaign_id: string | null;
  readonly name: string;
  readonly consent_text: string;
  readonly terms_url: string;
  readonly privacy_url: string;
  readonly logo_url: string;
  readonly color: string;
};

/** The colour of a form without a chosen colour. */
const DEFAULT_COLOUR = '#0b57a4';

export const EMPTY: Design = {
  tenant_id: null,
  campaign_id: null,
  name: '',
  consent_text: '',
  terms_url: '',
  privacy_url: '',
  logo_url: '',
  color: DEFAULT_COLOUR,
};

export function designOf(form: OptInForm): Design {
  return {
    tenant_id: form.tenant_id,
    campaign_id: form.campaign_id,
    name: form.name,
    consent_text: form.consent_text,
    terms_url: form.terms_url ?? '',
    privacy_url: form.privacy_url ?? '',
    logo_url: form.logo_url ?? '',
    color: form.color,
  };
}

/** Returns the body of a change. Null sets a field to its default. */
export function changeOf({ tenant_id: _, campaign_id, name, ...texts }: Design): UpdateOptInForm {
  const given = Object.entries(texts).map(([field, text]) => [field, text.trim() === '' ? null : text]);
  return { name, campaign_id, ...Object.fromEntries(given) };
}

/** Returns the body of a new form. Without a tenant the API says that it is missing. */
export function creationOf(design: Design): CreateOptInForm {
  const { tenant_id } = design;
  return { ...(changeOf(design) as CreateOptInForm), ...(tenant_id !== null && { tenant_id }) };
}
