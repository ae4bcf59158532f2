import { phoneNumberRoutes } from './phone-numbers/routes.ts';
import { NUMBER_REFERENCES } from './references.ts';

export { getPhoneNumber } from './phone-numbers/get-number.ts';
export { numberJobs } from './phone-numbers/jobs.ts';
export { findLiveOwner, findNumber, findOwnedNumber, type OwnedNumber } from './phone-numbers/queries.ts';
export type { FindReferenced, NumberReferences, ReferenceField } from './phone-numbers/references.ts';
export { releaseTenantNumbers } from './phone-numbers/release-number.ts';
export type { PhoneNumber } from './phone-numbers/schema.ts';

export const numberRoutes = phoneNumberRoutes(NUMBER_REFERENCES);
