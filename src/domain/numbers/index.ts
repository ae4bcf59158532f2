import { phoneNumberRoutes } from './phone-numbers/routes.ts';
import { NUMBER_REFERENCES } from './references.ts';

export { assignCampaignNumbers } from './campaign-assignments/assignment-job.ts';
export { applyPortingEvents } from './carrier-events.ts';
export { deleteTenantAddresses } from './e911-addresses/delete-address.ts';
export { e911Jobs } from './e911-addresses/jobs.ts';
export { e911AddressRoutes } from './e911-addresses/routes.ts';
export { getPhoneNumber } from './phone-numbers/get-number.ts';
export { numberJobs } from './phone-numbers/jobs.ts';
export { findLiveOwner, findNumber, findOwnedNumber, type OwnedNumber } from './phone-numbers/queries.ts';
export type { FindReferenced, NumberReferences, ReferenceField } from './phone-numbers/references.ts';
export { releaseTenantNumbers } from './phone-numbers/release-number.ts';
export type { PhoneNumber } from './phone-numbers/schema.ts';
export { cancelTenantPortIns } from './port-ins/cancel-port-in.ts';
export { portInJobs } from './port-ins/jobs.ts';
export { playPortInReport } from './port-ins/play-report.ts';
export { portInRoutes } from './port-ins/routes.ts';
export { PortIn } from './port-ins/schema.ts';

export const numberRoutes = phoneNumberRoutes(NUMBER_REFERENCES);
