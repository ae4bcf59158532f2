import { findCampaignCarrierRef } from '../compliance/index.ts';
import { findAttachable } from './e911-addresses/get-address.ts';
import type { NumberReferences } from './phone-numbers/references.ts';
import { findToReferTo } from './routing-configs/queries.ts';

/** What the fields of a number may name: each slice that numbers refer to has its finder here. */
export const NUMBER_REFERENCES: NumberReferences = {
  routing_config_id: findToReferTo,
  campaign_id: findCampaignCarrierRef,
  e911_address_id: findAttachable,
};
