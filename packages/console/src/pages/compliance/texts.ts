import type { Brand, Campaign } from '@dialplane/sdk/resources';
import { texts } from '../../texts/compliance.ts';
import type { Option } from '../../ui/field.tsx';

const t = texts.texts;

export const ENTITY_TYPES: Readonly<Record<Brand['entity_type'], string>> = {
  private_company: t.privateCompany,
  public_company: t.publicCompany,
  non_profit: t.nonProfit,
  sole_proprietor: t.soleProprietor,
};

export const USE_CASES: Readonly<Record<Campaign['use_case'], string>> = {
  customer_care: t.customerCare,
  appointment_reminders: t.appointmentReminders,
  marketing: t.marketing,
  two_factor: t.twoFactorCodes,
  mixed: t.mixed,
};

/** Returns the options of a field from the words for its values. */
export function optionsOf(words: Readonly<Record<string, string>>): Option[] {
  return Object.entries(words).map(([id, text]) => ({ id, text }));
}

/** The name of a brand in lists: the name that recipients know. */
export const nameOf = ({ dba, legal_name }: Pick<Brand, 'dba' | 'legal_name'>): string => dba ?? legal_name;

export const EXAMPLE_BRAND = {
  legal_name: t.desertPawsLlc,
  dba: t.desertPaws,
  ein: '12-3456789',
  entity_type: 'private_company',
  website: 'https://desertpaws.example',
  contact_email: 'office@desertpaws.example',
  phone: '+16025550100',
  street: t.n100NCentral,
  city: t.phoenix,
  state: 'AZ',
  postal_code: '85004',
};

export const EXAMPLE_CAMPAIGN = {
  tenant_id: 'tnt_…',
  brand_id: 'brd_…',
  use_case: 'appointment_reminders',
  description: t.desertPawsReminds,
  sample_messages: [t.desertPawsYour, t.desertPawsPlease],
  opt_in_description: t.patientsTickEmpty,
  draft: true,
};
