import type { OperationTexts } from './operation-text.ts';

const PORT_IN = ['port_in_not_found', 'tenant_restricted_key'] as const;

const BRAND = ['brand_not_found', 'tenant_restricted_key', 'key_not_permitted'] as const;

/** Port-ins, brands, campaigns, opt-outs and opt-in forms. */
export const COMPLIANCE_TEXTS: OperationTexts = {
  checkPortability: {
    description: 'Returns for each number whether it can be ported in, and why not. It has no effect and is free.',
    errors: ['carrier_unavailable'],
  },
  listPortIns: { description: 'Returns the port-ins, newest first.', errors: ['tenant_restricted_key'] },
  createPortIn: {
    description:
      'Creates a port-in as a `draft`. Add the documents that the losing carrier asks for, then submit it. The PIN is ' +
      'stored encrypted and never returned.',
    errors: ['numbers_not_portable', 'tenant_not_found', 'tenant_restricted_key', 'carrier_unavailable'],
  },
  getPortIn: { description: 'Returns a port-in. `status_detail` says in words what is next.', errors: PORT_IN },
  updatePortIn: {
    description: 'Corrects a port-in that is a `draft` or `action_needed`. Then submit it again.',
    errors: [...PORT_IN, 'port_in_not_submittable', 'numbers_not_portable', 'carrier_unavailable'],
  },
  submitPortIn: {
    description:
      'Submits a `draft` or a corrected `action_needed` port-in to the losing carrier: it is `in_review`. The carrier ' +
      'confirms a date (`foc_confirmed`) or asks for a correction (`action_needed`). When it is `completed`, the ' +
      'numbers belong to the tenant.',
    errors: [...PORT_IN, 'port_in_not_submittable', 'numbers_not_portable', 'carrier_unavailable'],
    events: ['port_in.status_changed'],
  },
  cancelPortIn: {
    description: 'Cancels a port-in whose date is not confirmed yet.',
    errors: [...PORT_IN, 'port_in_not_cancellable', 'carrier_unavailable'],
    events: ['port_in.status_changed'],
  },
  listPortInDocuments: { description: 'Returns the documents of a port-in.', errors: PORT_IN },
  createPortInDocument: {
    description: 'Stores a document for a port-in. The body is the file itself, and `kind` says what it is.',
    errors: [
      ...PORT_IN,
      'port_in_not_submittable',
      'unsupported_document',
      'too_many_documents',
      'storage_unavailable',
    ],
  },
  deletePortInDocument: {
    description: 'Deletes a document of a port-in that is not under review.',
    errors: [...PORT_IN, 'document_not_found', 'port_in_not_submittable'],
  },
  listBrands: {
    description:
      'Returns the brands, newest first. The filter by a tenant shows those that the tenant has registered itself.',
    errors: ['tenant_restricted_key'],
  },
  createBrand: {
    description:
      'Registers a company with the carriers. It is `pending_vetting` until the registry has decided; in test mode ' +
      'that is at once. A rejected brand cannot be changed: create another. Leave `tenant_id` out for the brand of ' +
      'the platform, which the campaigns of all tenants can use.',
    errors: [
      'key_not_permitted',
      'tenant_not_found',
      'tenant_restricted_key',
      'insufficient_balance',
      'carrier_unavailable',
    ],
    events: ['brand.status_changed'],
  },
  getBrand: {
    description: 'Returns a brand. Of its EIN, the last four digits are shown.',
    errors: BRAND,
  },
  resendBrandVerification: {
    description:
      'Texts another code to the phone of a sole proprietor, whose brand is `pending_vetting` until the code is ' +
      'confirmed. The codes before it are void. At most one code a minute is sent (`rate_limited`). In test mode no ' +
      'text is sent, and the code is 123456.',
    errors: [...BRAND, 'review_not_pending', 'carrier_unavailable'],
  },
  confirmBrandVerification: {
    description:
      'Confirms the code that was texted to the phone of a sole proprietor. The registry then calls the brand ' +
      'verified: the reply shows it `vetted`, or `brand.status_changed` follows. After 10 wrong codes another one must ' +
      'be sent.',
    errors: [...BRAND, 'review_not_pending', 'verification_code_invalid', 'carrier_unavailable'],
    events: ['brand.status_changed'],
  },
  listCampaigns: { description: 'Returns the campaigns, newest first.', errors: ['tenant_restricted_key'] },
  createCampaign: {
    description:
      'Describes the texts of a tenant and submits them for review, or saves them with `draft`. The brand must be ' +
      '`vetted`. In test mode the campaign is approved at once; live reviews take days. Attach the approved campaign ' +
      'to numbers.',
    errors: [
      'brand_not_vetted',
      'brand_not_found',
      'tenant_not_found',
      'tenant_restricted_key',
      'insufficient_balance',
      'carrier_unavailable',
    ],
    events: ['campaign.status_changed'],
  },
  checkCampaign: {
    description: 'Returns what reviewers usually reject about these texts, with a remedy for each. It has no effect.',
    errors: ['tenant_not_found', 'brand_not_found', 'tenant_restricted_key', 'key_not_permitted'],
  },
  getCampaign: { description: 'Returns a campaign.', errors: ['campaign_not_found', 'tenant_restricted_key'] },
  updateCampaign: {
    description: 'Changes a `draft` or a `rejected` campaign. Then submit it.',
    errors: [
      'campaign_not_found',
      'tenant_restricted_key',
      'campaign_not_editable',
      'brand_not_found',
      'brand_not_vetted',
      'tenant_not_found',
    ],
  },
  submitCampaign: {
    description: 'Submits a draft for review, or a rejected campaign again: it is `pending_review`.',
    errors: [
      'campaign_not_found',
      'tenant_restricted_key',
      'review_not_pending',
      'insufficient_balance',
      'carrier_unavailable',
    ],
    events: ['campaign.status_changed'],
  },
  listOptOuts: {
    description: 'Returns who has opted out of the texts or calls of a tenant, newest first.',
    errors: ['tenant_restricted_key'],
  },
  createOptOut: {
    description:
      'Stops texts from a tenant to a number, and calls where software speaks. `channels` names one of the two; a later ' +
      'request adds the other. A repetition changes nothing.',
    errors: ['tenant_not_found', 'tenant_restricted_key'],
    events: ['opt_out.created'],
  },
  removeOptOut: {
    description:
      'Allows texts and calls again after an opt-out that the API or an import set. An opt-out by STOP ends only by START of ' +
      'the same person.',
    errors: ['missing_fields', 'tenant_not_found', 'not_found', 'opt_out_not_removable', 'tenant_restricted_key'],
    events: ['opt_out.removed'],
  },
  listOptOutCandidates: {
    description:
      'Returns inbound texts of the last 30 days that may be meant as opt-outs and were treated as ordinary, newest ' +
      'first. A person decides: `POST /v1/opt_outs` for the number takes all of its texts off the list, and so does a ' +
      'STOP or START of the person; a dismissal takes off one.',
    errors: ['tenant_restricted_key'],
  },
  dismissOptOutCandidate: {
    description: 'Takes a text off the list of candidates, because it is no opt-out. The text itself stays.',
    errors: ['not_found', 'tenant_restricted_key'],
  },
  listOptInForms: { description: 'Returns the opt-in forms, newest first.', errors: ['tenant_restricted_key'] },
  createOptInForm: {
    description:
      'Publishes a page at `url` on which people agree to receive texts. A reviewer of the campaign can open it. Each ' +
      'consent is kept with the text that was shown.',
    errors: ['tenant_not_found', 'campaign_not_found', 'tenant_restricted_key'],
    events: ['opt_in.submitted'],
  },
  updateOptInForm: {
    description: 'Changes the given fields of an opt-in form. Submissions keep the text that was shown to the person.',
    errors: ['opt_in_form_not_found', 'campaign_not_found', 'tenant_restricted_key'],
  },
  getOptInForm: { description: 'Returns an opt-in form.', errors: ['opt_in_form_not_found', 'tenant_restricted_key'] },
  deleteOptInForm: {
    description: 'Takes the page of an opt-in form offline.',
    errors: ['opt_in_form_not_found', 'tenant_restricted_key'],
  },
  listOptInFormSubmissions: {
    description: 'Returns the consents that people gave on a form, newest first: the evidence for a reviewer.',
    errors: ['opt_in_form_not_found', 'tenant_restricted_key'],
  },
};
