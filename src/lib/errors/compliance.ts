import type { ErrorEntry } from './entry.ts';

/** Codes of brands, campaigns and opt-in forms, a part of `ERRORS`. */
export const COMPLIANCE_ERRORS = {
  brand_not_found: {
    status: 404,
    group: 'compliance',
    message: 'There is no such brand.',
    remedy: "Check the id; a campaign takes a brand of its own tenant or the platform's.",
  },
  campaign_not_found: {
    status: 404,
    group: 'compliance',
    message: 'There is no such campaign.',
    remedy: 'Check the id; a number takes only a campaign of its own tenant.',
  },
  brand_not_vetted: {
    status: 422,
    group: 'compliance',
    message: 'The brand has not been vetted.',
    remedy:
      'Wait for brand.status_changed with status vetted. A rejected brand cannot be vetted again: create a new one.',
  },
  campaign_not_approved: {
    status: 422,
    group: 'compliance',
    message: 'The number has no approved campaign, so it cannot send texts.',
    remedy:
      'Attach an approved campaign to the number, or wait until messaging_ready of the number is true: campaign.status_changed and number.status_changed report it.',
  },
  carrier_assign_failed: {
    status: 502,
    group: 'compliance',
    message: 'The carrier could not register the number to the campaign.',
    remedy:
      'Attach the campaign again in a moment. A number that was just purchased stays yours, without a campaign: `phone_number_id` names it.',
  },
  campaign_not_editable: {
    status: 409,
    group: 'compliance',
    message: 'Only a draft or a rejected campaign can be changed.',
    remedy:
      'Get the campaign and look at its status. The texts of a submitted campaign cannot change: for other texts, create another campaign.',
  },
  review_not_pending: {
    status: 409,
    group: 'compliance',
    message: 'The current status does not allow this step.',
    remedy: 'Get the resource and look at its status: it may have been decided already.',
  },
  verification_code_invalid: {
    status: 422,
    group: 'compliance',
    message: 'This is not the code that was texted to the phone of the brand, or it has expired.',
    remedy:
      'Compare it with the newest text: a code is valid for 24 hours. POST /v1/brands/{brand_id}/verification/resend sends another one, and is needed after 10 wrong codes.',
  },
  legal_name_required: {
    status: 400,
    group: 'compliance',
    message: 'A brand needs its legal name.',
    remedy: 'Give the name of the company as it is registered with the IRS, 1 to 200 characters.',
  },
  invalid_ein: {
    status: 400,
    group: 'compliance',
    message: 'An EIN has nine digits.',
    remedy: 'Write it as 123456789 or 12-3456789.',
  },
  invalid_entity_type: {
    status: 400,
    group: 'compliance',
    message: 'This is not a known kind of company.',
    remedy: 'Use private_company, public_company, non_profit or sole_proprietor.',
  },
  invalid_billing_phone_number: {
    status: 400,
    group: 'compliance',
    message: 'This is not a US phone number in E.164 form.',
    remedy: 'Write it as +1 and ten digits, such as +16025550143; "param" names the field.',
  },
  invalid_contact_email: {
    status: 400,
    group: 'compliance',
    message: 'This is not an email address.',
    remedy: 'Give an address that reaches a person, such as compliance@example.com.',
  },
  invalid_use_case: {
    status: 400,
    group: 'compliance',
    message: 'This is not a known use case.',
    remedy: 'Use customer_care, appointment_reminders, marketing, two_factor or mixed.',
  },
  description_required: {
    status: 400,
    group: 'compliance',
    message: 'A campaign needs a description.',
    remedy: 'Say who sends what to whom, and why the recipients expect it.',
  },
  invalid_sample_messages: {
    status: 400,
    group: 'compliance',
    message: 'A campaign has 2 to 5 sample messages, each with text.',
    remedy: 'Give texts of up to 1024 characters as they will be sent; "param" names a text that is wrong.',
  },
  opt_in_form_not_found: {
    status: 404,
    group: 'compliance',
    message: 'There is no such opt-in form.',
    remedy: 'Check the id. A deleted form and its page are not found.',
  },
  missing_consent: {
    status: 422,
    group: 'compliance',
    message: 'The opt-in form was sent without consent.',
    remedy: 'The person has to tick the box themselves; send consent as "yes" only if they did.',
  },
} as const satisfies Record<string, ErrorEntry>;
