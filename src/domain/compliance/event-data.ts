/** The data of brands, campaigns and opt-in forms in events, by the names in the event catalogue's entries. */
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
