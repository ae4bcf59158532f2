import type { Brand, Campaign } from '@dialplane/sdk/resources';
import type { Option } from '../../ui/field.tsx';

export const ENTITY_TYPES: Readonly<Record<Brand['entity_type'], string>> = {
  private_company: 'Private company',
  public_company: 'Public company',
  non_profit: 'Non-profit',
  sole_proprietor: 'Sole proprietor',
};

export const USE_CASES: Readonly<Record<Campaign['use_case'], string>> = {
  customer_care: 'Customer care',
  appointment_reminders: 'Appointment reminders',
  marketing: 'Marketing',
  two_factor: 'Two-factor codes',
  mixed: 'Mixed',
};

/** Returns the options of a field from the words for its values. */
export function optionsOf(words: Readonly<Record<string, string>>): Option[] {
  return Object.entries(words).map(([id, text]) => ({ id, text }));
}

/** The name of a brand in lists: the name that recipients know. */
export const nameOf = ({ dba, legal_name }: Pick<Brand, 'dba' | 'legal_name'>): string => dba ?? legal_name;

export const EXAMPLE_BRAND = {
  legal_name: 'Desert Paws LLC',
  dba: 'Desert Paws',
  ein: '12-3456789',
  entity_type: 'private_company',
  website: 'https://desertpaws.example',
  contact_email: 'office@desertpaws.example',
  phone: '+16025550100',
  street: '100 N Central Ave',
  city: 'Phoenix',
  state: 'AZ',
  postal_code: '85004',
};

export const EXAMPLE_CAMPAIGN = {
  tenant_id: 'tnt_…',
  brand_id: 'brd_…',
  use_case: 'appointment_reminders',
  description: 'Desert Paws reminds its patients of the appointments that they have made.',
  sample_messages: [
    'Desert Paws: your appointment is on [date] at [time]. Reply STOP to opt out.',
    'Desert Paws: please confirm your visit tomorrow with C, or call us to move it.',
  ],
  opt_in_description: 'Patients tick an empty box on the form at https://desertpaws.example/book: …',
  draft: true,
};
