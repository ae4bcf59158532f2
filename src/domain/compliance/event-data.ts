/** What events show of brands, campaigns and opt-in forms, by the names that their entries have for it. */
import { Type } from '../../lib/type.ts';
import { BRAND_STATES } from './brands/rules.ts';
import { Brand } from './brands/schema.ts';
import { CAMPAIGN_STATES } from './campaigns/rules.ts';
import { Campaign } from './campaigns/schema.ts';
import { OptInEntry } from './opt-in-forms/schema.ts';

export const complianceEventData = {
  opt_in_submission: OptInEntry,
  brand: Type.Object({ ...Brand.properties, previous_status: Type.Enum([...BRAND_STATES]) }),
  campaign: Type.Object({ ...Campaign.properties, previous_status: Type.Enum([...CAMPAIGN_STATES]) }),
};
