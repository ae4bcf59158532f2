import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CarrierEvent } from '../../src/carriers/ports/carrier.ts';
import type { BrandRegistration, CampaignRegistration, RegistryPort } from '../../src/carriers/ports/registry.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Ledger } from '../../src/lib/scope.ts';
import { useSubject } from './subject.ts';

/** A 10DLC registry under test, and the reviewers behind it. */
export type RegistrySubject = {
  readonly registry: RegistryPort;
  readonly ledger: Ledger;
  /** A number that can be assigned. */
  readonly phoneNumber: string;
  /** Suspends an approved campaign, as the carriers do after complaints. */
  suspend(campaign: { ref: string; carrierRef: string }): Promise<void>;
  /** Lets the reviews finish; all of them approve. Resolves with all events handed over since the last call. */
  settle(): Promise<readonly CarrierEvent[]>;
  /** Frees everything that the subject opened. */
  close(): Promise<void>;
};

/** Registrations that every reviewer approves. */
const BRAND: Omit<BrandRegistration, 'ref'> = {
  legalName: 'Desert Dental LLC',
  dba: null,
  ein: '123456789',
  entityType: 'private_company',
  website: 'https://desert-dental.example',
  contactEmail: 'office@desert-dental.example',
  phone: '+16025550100',
  street: '100 N Central Ave',
  city: 'Phoenix',
  state: 'AZ',
  postalCode: '85004',
};
const CAMPAIGN: Omit<CampaignRegistration, 'ref' | 'brandRef' | 'brandCarrierRef'> = {
  useCase: 'appointment_reminders',
  description: 'Desert Dental reminds its patients of the appointments that they have made.',
  sampleMessages: [
    'Desert Dental: your appointment is on [date]. Reply STOP to opt out.',
    'Desert Dental: please confirm your visit tomorrow with C.',
  ],
  optInDescription:
    'Patients tick an empty box on the form at https://desert-dental.example/book and are told of STOP.',
};

/** Checks a registry capability. */
export function describeRegistryConformance(name: string, makeSubject: () => Promise<RegistrySubject>): void {
  describe(`${name}: brands`, () => {
    const steps = useSteps(makeSubject);

    test('a brand registered again with its ref is the same brand', async () => {
      const { createBrand } = steps();
      const ref = newId('brand');
      const carrierRef = await createBrand(ref);
      assert.ok(carrierRef.length > 0);
      const again = await Promise.all([createBrand(ref), createBrand(ref)]);
      assert.deepEqual(again, [carrierRef, carrierRef]);
    });

    test('a brand whose answer was lost is found by its ref, one never sent is not', async () => {
      const { createBrand, findBrand } = steps();
      const ref = newId('brand');
      assert.equal((await findBrand(ref)).found, 'absent');
      const carrierRef = await createBrand(ref);
      const found = await findBrand(ref);
      assert.equal(found.found === 'accepted' && found.carrierRef, carrierRef);
    });

    test('a brand is found with its review, and every event that decides reports the same review', async () => {
      const { createBrand, findBrand, settle } = steps();
      const ref = newId('brand');
      await createBrand(ref);
      const verdicts = (await settle()).filter((event) => isDecision(event, ref));
      const found = await findBrand(ref);
      assert.deepEqual(found.found === 'accepted' && found.review, { status: 'approved' });
      for (const event of verdicts)
        assert.deepEqual(event, { type: 'brand.review', ref, review: { status: 'approved' } });
    });
  });

  describe(`${name}: campaigns`, () => {
    const steps = useSteps(makeSubject);

    test('a campaign registered again with its ref is the same campaign', async () => {
      const { makeCampaign, createCampaign } = steps();
      const { carrierRef, registration } = await makeCampaign();
      assert.ok(carrierRef.length > 0);
      for (const outcome of await Promise.all([createCampaign(registration), createCampaign(registration)])) {
        assert.deepEqual(outcome, { outcome: 'accepted', carrierRef });
      }
    });

    test('a campaign whose answer was lost is found by its ref, one never sent is not', async () => {
      const { makeCampaign, findCampaign } = steps();
      assert.equal((await findCampaign(newId('campaign'))).found, 'absent');
      const { carrierRef, registration } = await makeCampaign();
      const found = await findCampaign(registration.ref);
      assert.equal(found.found === 'accepted' && found.carrierRef, carrierRef);
    });

    test('a campaign of a brand that is not registered is refused with a reason, and not stored', async () => {
      const { createCampaign, findCampaign } = steps();
      const ref = newId('campaign');
      const outcome = await createCampaign({ ...CAMPAIGN, ref, brandRef: newId('brand'), brandCarrierRef: 'none' });
      assert.ok(outcome.outcome === 'rejected' && outcome.reason.length > 0, outcome.outcome);
      assert.equal((await findCampaign(ref)).found, 'absent');
    });

    test('an approved campaign is found with its throughput, and every event that decides reports it', async () => {
      const { makeCampaign, findCampaign, settle } = steps();
      const { ref } = (await makeCampaign()).registration;
      const verdicts = (await settle()).filter((event) => isDecision(event, ref));
      const found = await findCampaign(ref);
      if (found.found !== 'accepted' || found.review.status !== 'approved') assert.fail(JSON.stringify(found));
      const { messagesPerMinute, dailyCap } = found.review.throughput;
      for (const granted of [messagesPerMinute, dailyCap]) assert.ok(Number.isInteger(granted) && granted > 0);
      for (const event of verdicts) assert.deepEqual(event, { type: 'campaign.review', ref, review: found.review });
    });

    test('a campaign that is suspended later is found suspended, with the reason', async () => {
      const { makeCampaign, findCampaign, settle, suspend } = steps();
      const { carrierRef, registration } = await makeCampaign();
      await settle();
      await suspend({ ref: registration.ref, carrierRef });
      const found = await findCampaign(registration.ref);
      if (found.found !== 'accepted' || found.review.status !== 'suspended') assert.fail(JSON.stringify(found));
      assert.ok(found.review.reason.length > 0);
    });

    test('a campaign can be ended, and ended again', async () => {
      const { makeCampaign, endCampaign } = steps();
      const { carrierRef, registration } = await makeCampaign();
      for (let times = 0; times < 2; times++) {
        assert.deepEqual(await endCampaign({ ref: registration.ref, carrierRef }), { outcome: 'accepted' });
      }
    });
  });

  describe(`${name}: assignments`, () => {
    const steps = useSteps(makeSubject);

    test('a number is assigned, moved to another campaign and unassigned; each step can be repeated', async () => {
      const { makeCampaign, assign, unassign, settle } = steps();
      const campaigns = [await makeCampaign(), await makeCampaign()];
      await settle();
      for (const campaign of campaigns) {
        // The first answer may be that the assignment is pending, the next one has its state.
        assert.equal((await assign(campaign)).outcome, 'accepted');
        await settle();
        assert.deepEqual(await assign(campaign), { outcome: 'accepted' });
      }
      for (let times = 0; times < 2; times++) assert.deepEqual(await unassign(), { outcome: 'accepted' });
    });

    test('a number is refused to a campaign that is not registered, or that has ended', async () => {
      const { makeCampaign, assign, endCampaign, settle } = steps();
      const ended = await makeCampaign();
      await settle();
      await endCampaign({ ref: ended.registration.ref, carrierRef: ended.carrierRef });
      const unknown = { carrierRef: 'none', registration: { ref: newId('campaign') } };
      for (const campaign of [unknown, ended]) {
        assert.deepEqual(await assign(campaign), { outcome: 'rejected', reason: 'assign_failed' });
      }
    });
  });
}

/** True if the event reports a decision about the registration. A carrier may also report that it is pending. */
function isDecision(event: CarrierEvent, ref: string): boolean {
  const isReview = event.type === 'brand.review' || event.type === 'campaign.review';
  return isReview && event.ref === ref && event.review.status !== 'pending';
}

type Registered = { readonly carrierRef: string; readonly registration: { readonly ref: string } };

/** Uses a subject as useSubject does. Returns a function that returns the subject's steps of a test. */
function useSteps(makeSubject: () => Promise<RegistrySubject>) {
  const subject = useSubject(makeSubject);
  return () => {
    const { registry, ledger, phoneNumber, suspend, settle } = subject();
    const createBrand = async (ref: string) => {
      const outcome = await registry.createBrand(ledger, { ...BRAND, ref });
      if (outcome.outcome !== 'accepted') assert.fail(`the brand was ${outcome.outcome}`);
      return outcome.carrierRef;
    };
    const createCampaign = (registration: CampaignRegistration) => registry.createCampaign(ledger, registration);
    return {
      suspend,
      settle,
      createBrand,
      createCampaign,
      findBrand: (ref: string) => registry.findBrand(ledger, ref),
      findCampaign: (ref: string) => registry.findCampaign(ledger, ref),
      endCampaign: (campaign: { ref: string; carrierRef: string }) => registry.endCampaign(ledger, campaign),
      /** Registers a campaign under a new approved brand. */
      makeCampaign: async () => {
        const brandRef = newId('brand');
        const brandCarrierRef = await createBrand(brandRef);
        await settle();
        const registration = { ...CAMPAIGN, ref: newId('campaign'), brandRef, brandCarrierRef };
        const outcome = await createCampaign(registration);
        if (outcome.outcome !== 'accepted') assert.fail(`the campaign was ${outcome.outcome}`);
        return { registration, carrierRef: outcome.carrierRef };
      },
      assign: ({ carrierRef: campaignCarrierRef, registration: { ref: campaignRef } }: Registered) =>
        registry.assignNumber(ledger, { phoneNumber, campaignRef, campaignCarrierRef }),
      unassign: () => registry.unassignNumber(ledger, phoneNumber),
    };
  };
}
