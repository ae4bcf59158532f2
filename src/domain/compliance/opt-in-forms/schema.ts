import { FORM_CHARS_MAX } from '../../../http/schemas/forms.ts';
import { Closed, Id, Nullable, PageQuery, TenantQuery, Text, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { COLOR_FORM, CONSENT_CHARS_MAX, DEFAULT_COLOR, NAME_CHARS_MAX, URL_CHARS_MAX } from './rules.ts';

const NullableText = Type.Union([Type.String(), Type.Null()]);

export const OptInForm = Type.Object({
  id: Type.String(),
  object: Type.Literal('opt_in_form'),
  tenant_id: Type.String(),
  campaign_id: NullableText,
  name: Type.String(),
  slug: Type.String(),
  url: Type.String({ description: 'The public page; open to everybody.' }),
  opt_out_url: Type.String({ description: 'The public page where people opt out; it stays after the form.' }),
  consent_text: Type.String(),
  terms_url: NullableText,
  privacy_url: NullableText,
  logo_url: NullableText,
  color: Type.String(),
  created_at: Timestamp,
});
export type OptInForm = Static<typeof OptInForm>;

const WebAddress = Nullable(Type.String({ maxLength: URL_CHARS_MAX, description: 'An https address.' }), {
  errorCode: 'invalid_url',
});

const Name = Text({ maxLength: NAME_CHARS_MAX, description: 'Heading of the page.' });

/** The fields that may be left out, and changed later. */
const CHANGEABLE = {
  campaign_id: Type.Optional(Nullable(Id)),
  consent_text: Type.Optional(
    Nullable(
      Text({
        maxLength: CONSENT_CHARS_MAX,
        description:
          'What the person agrees to, shown beside the box. One is made from the tenant where none is given.',
      }),
    ),
  ),
  terms_url: Type.Optional(WebAddress),
  privacy_url: Type.Optional(WebAddress),
  logo_url: Type.Optional(WebAddress),
  color: Type.Optional(
    Nullable(
      Type.String({
        maxLength: FORM_CHARS_MAX,
        pattern: COLOR_FORM,
        form: '#rrggbb',
        description: `${DEFAULT_COLOR} where none is given.`,
      }),
    ),
  ),
};

export const CreateOptInForm = Closed({ tenant_id: Id, name: Name, ...CHANGEABLE });
export type CreateOptInForm = Static<typeof CreateOptInForm>;

export const UpdateOptInForm = Closed({ name: Type.Optional(Name), ...CHANGEABLE });
export type UpdateOptInForm = Static<typeof UpdateOptInForm>;

export const OptInFormList = Closed({ ...PageQuery, ...TenantQuery });

export const OptInSubmission = Type.Object({
  id: Type.String(),
  object: Type.Literal('opt_in_submission'),
  opt_in_form_id: Type.String(),
  tenant_id: Type.String(),
  campaign_id: Nullable(Type.String({ description: 'The campaign that the form has now' })),
  phone_number: Type.String(),
  consent_text: Type.String({ description: 'What was shown beside the box at the first entry.' }),
  submitted_at: Timestamp,
  ip_address: Type.String(),
  user_agent: NullableText,
  created_at: Timestamp,
  times_submitted: Type.Integer({ description: 'How often this number has been entered.' }),
  last_consent_text: Type.String({ description: 'What was shown at the latest entry.' }),
  last_ip_address: Type.String(),
  last_user_agent: NullableText,
  last_submitted_at: Timestamp,
});
export type OptInSubmission = Static<typeof OptInSubmission>;

/** One entry of a number, as its event reports it. */
export const OptInEntry = Type.Object({
  id: Type.String({ description: 'The submission of this number on this form' }),
  object: Type.Literal('opt_in_submission'),
  opt_in_form_id: Type.String(),
  tenant_id: Type.String(),
  campaign_id: NullableText,
  phone_number: Type.String(),
  consent_text: Type.String({ description: 'What was shown beside the box.' }),
  submitted_at: Timestamp,
});
export type OptInEntry = Static<typeof OptInEntry>;

export const OptInSubmissionList = Closed({
  ...PageQuery,
  phone_number: Type.Optional(Type.String({ maxLength: 20, description: 'Only what this number agreed to.' })),
});
