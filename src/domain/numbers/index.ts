import { findCampaignCarrierRef } from '../compliance/index.ts';
import { findAttachable } from './e911-addresses/queries.ts';
import { phoneNumberRoutes } from './phone-numbers/routes.ts';
import { findToReferTo } from './routing-configs/queries.ts';

export { assignCampaignNumbers } from './campaign-assignments/new-jobs.ts';
export { applyNumberEvents } from './carrier-events.ts';
export {
  checkDestination,
  createDestinationRules,
  isReachable,
  readDestinationRules,
} from './destinations/destinations.ts';
export { deleteTenantAddresses } from './e911-addresses/delete-address.ts';
export { e911Jobs } from './e911-addresses/jobs.ts';
export { findAddress as findE911Address, lockAttachable as lockE911Address } from './e911-addresses/queries.ts';
export { e911AddressRoutes } from './e911-addresses/routes.ts';
export type { E911Address } from './e911-addresses/schema.ts';
export { numberEventData } from './event-data.ts';
export { createAudioFetcher, fetchAudio } from './hold-audio/fetch-audio.ts';
export { holdAudioJob } from './hold-audio/fetch-hold-audio.ts';
export { createHoldAudioReader } from './hold-audio/read-hold-audio.ts';
export { URL_CHARS_MAX as AUDIO_URL_CHARS_MAX } from './hold-audio/rules.ts';
export { dropLedgerHoldAudio } from './hold-audio/use-hold-audio.ts';
export { type Caller, type CallParties, lockCaller } from './phone-numbers/caller-queries.ts';
export { type CallingNumber, findCallingNumber, isAddressConfirmed } from './phone-numbers/calling-number-queries.ts';
export { type ImportedNumbers, importNumbers } from './phone-numbers/import-numbers.ts';
export { adoptNumbers } from './phone-numbers/import-queries.ts';
export { numberJobs } from './phone-numbers/jobs.ts';
export {
  findOwnedNumber,
  numberFilter,
  type OwnedNumber,
} from './phone-numbers/queries.ts';

export { simulatePortOut } from './phone-numbers/record-port-out.ts';
export { releaseTenantNumbers } from './phone-numbers/release-number.ts';
export { PhoneNumber } from './phone-numbers/schema.ts';
export { deleteTenantDocuments, dropLedgerDocuments } from './port-in-documents/delete-documents.ts';
export { portInDocumentRoutes } from './port-in-documents/routes.ts';
export { cancelTenantPortIns } from './port-ins/cancel-port-in.ts';
export { portInSweeps } from './port-ins/heal-port-ins.ts';
export { portInJobs } from './port-ins/jobs.ts';
export { pinContext } from './port-ins/pin.ts';
export { simulatePortInReport } from './port-ins/record-report.ts';
export { portInRoutes } from './port-ins/routes.ts';
export { PortIn } from './port-ins/schema.ts';

export { writeQueueUses } from './queue-uses/queries.ts';
export type { MenuBehavior, RelayBehavior } from './routing-configs/behavior-schema.ts';
export { CallBehavior, RingBehavior, VoicemailBehavior, WantedBehavior } from './routing-configs/behavior-schema.ts';
export { checkBehavior } from './routing-configs/check-routing.ts';
export { checkTargets, requireTelephone } from './routing-configs/check-targets.ts';
export { deleteTenantRoutingConfigs } from './routing-configs/delete-routing-config.ts';
export { DEFAULT_VOICEMAIL, fillBehavior } from './routing-configs/fill-defaults.ts';
export { decideBehavior } from './routing-configs/hours.ts';
export { ListeningAnnouncement } from './routing-configs/listening-announcement.ts';
export { findRouting } from './routing-configs/queries.ts';
export {
  fillRelay,
  RELAY,
  RELAY_SETTINGS,
  type RelaySettings,
  WantedRelaySettings,
  wrongRelayUrl,
} from './routing-configs/relay-settings.ts';
export { routingConfigRoutes } from './routing-configs/routes.ts';
export { APPLICATION, WEB_CLIENT_ID } from './routing-configs/rules.ts';
export { voicemailOf } from './routing-configs/voicemail-of.ts';
export { queuesOf, targetsOfBehavior, walkBehavior } from './routing-configs/walk-behaviors.ts';

/** The number routes, with the finder of each resource that a number may refer to. */
export const numberRoutes = phoneNumberRoutes({
  routing_config_id: findToReferTo,
  campaign_id: findCampaignCarrierRef,
  e911_address_id: findAttachable,
});
