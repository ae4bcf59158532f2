/** What each request may have, from Telnyx's published types. A field that is not here is refused. */
import { Ajv, type ValidateFunction } from 'ajv';
import { Refusal } from './replies.ts';

const TEXT = { type: 'string' };
const TEXT_OR_NULL = { type: ['string', 'null'] };
const FLAG = { type: 'boolean' };
const TEXTS = { type: 'array', items: TEXT };

const PROFILE = {
  name: TEXT,
  enabled: FLAG,
  whitelisted_destinations: TEXTS,
  webhook_url: TEXT_OR_NULL,
  webhook_failover_url: TEXT_OR_NULL,
  webhook_api_version: { enum: ['1', '2', '2010-04-01'] },
  smart_encoding: FLAG,
  mms_transcoding: FLAG,
  mms_fall_back_to_sms: FLAG,
  mobile_only: FLAG,
  alpha_sender: TEXT_OR_NULL,
  daily_spend_limit: TEXT,
  daily_spend_limit_enabled: FLAG,
};

const PLACE = {
  street_address: TEXT,
  extended_address: TEXT,
  locality: TEXT,
  administrative_area: TEXT,
  postal_code: TEXT,
  country_code: TEXT,
};

const fields = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, TEXT]));

const BRAND = {
  ...fields('country displayName email businessContactEmail city companyName ein firstName lastName mobilePhone phone'),
  ...fields(
    'postalCode state stockExchange stockSymbol street vertical webhookFailoverURL webhookURL website ipAddress',
  ),
  entityType: { enum: ['PRIVATE_PROFIT', 'PUBLIC_PROFIT', 'NON_PROFIT', 'GOVERNMENT', 'SOLE_PROPRIETOR'] },
  isReseller: FLAG,
  mock: FLAG,
};

const CAMPAIGN = {
  ...fields('brandId description usecase embeddedLinkSample helpKeywords helpMessage messageFlow optinKeywords'),
  ...fields(
    'optinMessage optoutKeywords optoutMessage privacyPolicyLink referenceId resellerId sample1 sample2 sample3',
  ),
  ...fields('sample4 sample5 termsAndConditionsLink webhookFailoverURL webhookURL'),
  ...Object.fromEntries(
    'ageGated autoRenewal directLending embeddedLink embeddedPhone numberPool subscriberHelp subscriberOptin'
      .split(' ')
      .map((name) => [name, FLAG]),
  ),
  subscriberOptout: FLAG,
  termsAndConditions: FLAG,
  subUsecases: TEXTS,
  tag: TEXTS,
  mnoIds: { type: 'array', items: { type: 'number' } },
};

const NUMBER_CAMPAIGN = object({ campaignId: TEXT, phoneNumber: TEXT }, ['campaignId', 'phoneNumber']);

const ORDERED = object({ phone_number: TEXT, requirement_group_id: TEXT, bundle_id: TEXT }, ['phone_number']);

const BODIES: Readonly<Record<string, object>> = {
  'POST /messaging_profiles': object(PROFILE, ['name', 'whitelisted_destinations']),
  'PATCH /messaging_profiles/{id}': object(PROFILE),
  'POST /number_orders': object({
    phone_numbers: { type: 'array', items: ORDERED },
    connection_id: TEXT,
    messaging_profile_id: TEXT,
    billing_group_id: TEXT,
    customer_reference: TEXT,
  }),
  'PATCH /phone_numbers/{id}': object({
    connection_id: TEXT,
    customer_reference: TEXT,
    tags: TEXTS,
    address_id: TEXT,
    billing_group_id: TEXT,
    external_pin: TEXT,
    hd_voice_enabled: FLAG,
  }),
  'PATCH /phone_numbers/{id}/messaging': object({
    messaging_profile_id: TEXT,
    messaging_product: TEXT,
    tags: TEXTS,
  }),
  'POST /addresses/actions/validate': object(PLACE, ['country_code', 'postal_code', 'street_address']),
  'POST /addresses': object(
    {
      ...PLACE,
      business_name: TEXT,
      first_name: TEXT,
      last_name: TEXT,
      phone_number: TEXT,
      address_book: FLAG,
      validate_address: FLAG,
      customer_reference: TEXT,
    },
    ['business_name', 'country_code', 'first_name', 'last_name', 'locality', 'street_address'],
  ),
  'POST /phone_numbers/{id}/actions/enable_emergency': object({ emergency_enabled: FLAG, emergency_address_id: TEXT }, [
    'emergency_enabled',
    'emergency_address_id',
  ]),
  'POST /10dlc/brand': object(BRAND, ['country', 'displayName', 'email', 'entityType', 'vertical']),
  'POST /10dlc/campaignBuilder': object(CAMPAIGN, ['brandId', 'description', 'usecase']),
  'POST /10dlc/phone_number_campaigns': NUMBER_CAMPAIGN,
  'PUT /10dlc/phone_number_campaigns/{phoneNumber}': NUMBER_CAMPAIGN,
  'POST /messages': object(
    {
      from: TEXT,
      to: TEXT,
      text: TEXT,
      subject: TEXT,
      media_urls: TEXTS,
      type: { enum: ['SMS', 'MMS'] },
      messaging_profile_id: TEXT,
      webhook_url: TEXT,
      webhook_failover_url: TEXT,
      use_profile_webhooks: FLAG,
      auto_detect: FLAG,
      encoding: { enum: ['auto', 'gsm7', 'ucs2'] },
    },
    ['to'],
  ),
};

function object(properties: object, required: readonly string[] = []): object {
  return { type: 'object', properties, required, additionalProperties: false };
}

const ajv = new Ajv({ strict: true, allowUnionTypes: true });
const CHECKS: ReadonlyMap<string, ValidateFunction> = new Map(
  Object.entries(BODIES).map(([operation, schema]) => [operation, ajv.compile(schema)]),
);

/** Refuses with 422 a body that the operation does not take; GET and DELETE take none. */
export function checkBody(operation: string, body: unknown): void {
  const check = CHECKS.get(operation);
  if (check === undefined) {
    if (body !== undefined) throw new Refusal('10015', 'the operation takes no body');
    return;
  }
  if (check(body)) return;
  const { instancePath = '', message, params } = check.errors?.[0] ?? {};
  const field = params?.additionalProperty ?? params?.missingProperty;
  const pointer = field === undefined ? instancePath : `${instancePath}/${field}`;
  throw new Refusal('10015', message ?? 'the body is not such', { pointer });
}
