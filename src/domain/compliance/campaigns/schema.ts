import type { Form } from '../../../http/schemas/forms.ts';
import { Closed, Id, PageQuery, TenantQuery, Text, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { FINDINGS_MAX } from './lint.ts';
import {
  CAMPAIGN_STATES,
  DESCRIPTION_CHARS_MAX,
  OPT_IN_CHARS_MAX,
  OPT_IN_CHARS_MIN,
  SAMPLE_CHARS_MAX,
  SAMPLES_MAX,
  SAMPLES_MIN,
  USE_CASES,
} from './rules.ts';

const Granted = Type.Object({
  messages_per_minute: Type.Integer(),
  daily_cap: Type.Integer({ description: 'Segments a day, in Pacific time' }),
});

export const Campaign = Type.Object({
  id: Type.String(),
  object: Type.Literal('campaign'),
  tenant_id: Type.String(),
  brand_id: Type.String(),
  use_case: Type.Enum([...USE_CASES]),
  description: Type.String(),
  sample_messages: Type.Array(Type.String(), { maxItems: SAMPLES_MAX }),
  opt_in_description: Type.String(),
  status: Type.Enum([...CAMPAIGN_STATES]),
  rejection_reason: Type.Union([Type.String(), Type.Null()]),
  throughput: Type.Union([Granted, Type.Null()], { description: 'Null until granted.' }),
  created_at: Timestamp,
});
export type Campaign = Static<typeof Campaign>;

/** White space at the ends does not count towards the minimum length. */
const OPT_IN_FORM: Form = {
  pattern: `^\\s*\\S[^]{${OPT_IN_CHARS_MIN - 2},}\\S\\s*$`,
  form: `a text of at least ${OPT_IN_CHARS_MIN} characters, without white space at its ends`,
};

const UseCase = Type.Enum([...USE_CASES], { errorCode: 'invalid_use_case' });
const Description = Text({
  maxLength: DESCRIPTION_CHARS_MAX,
  missingCode: 'description_required',
  description: 'What the tenant sends, and why recipients expect it',
});

const Samples = Type.Array(Text({ maxLength: SAMPLE_CHARS_MAX, errorCode: 'invalid_sample_messages' }), {
  minItems: SAMPLES_MIN,
  maxItems: SAMPLES_MAX,
  errorCode: 'invalid_sample_messages',
});
const OptInDescription = Type.String({
  minLength: OPT_IN_CHARS_MIN,
  maxLength: OPT_IN_CHARS_MAX,
  ...OPT_IN_FORM,
  description: 'How recipients give their consent',
});

export const CreateCampaign = Closed({
  tenant_id: Id,
  brand_id: Id,
  use_case: UseCase,
  description: Description,
  sample_messages: Samples,
  opt_in_description: OptInDescription,
  draft: Type.Optional(Type.Boolean({ default: false, description: 'Store it without submitting it' })),
});
export type CreateCampaign = Static<typeof CreateCampaign>;

/** The fields of a creation, each optional. */
export const UpdateCampaign = Closed({
  tenant_id: Type.Optional(Type.String({ ...Id, description: "The campaign's own tenant: it cannot change" })),
  brand_id: Type.Optional(Id),
  use_case: Type.Optional(UseCase),
  description: Type.Optional(Description),
  sample_messages: Type.Optional(Samples),
  opt_in_description: Type.Optional(OptInDescription),
  draft: Type.Optional(
    Type.Unsafe<true>({
      type: 'boolean',
      enum: [true],
      description: 'A change submits nothing, so it can only be true',
    }),
  ),
});
export type UpdateCampaign = Static<typeof UpdateCampaign>;

/** The fields of a creation, with weaker rules for the texts: the check reports missing parts. */
export const CheckCampaign = Closed({
  tenant_id: Type.Optional(Id),
  brand_id: Type.Optional(Id),
  use_case: UseCase,
  description: Description,
  sample_messages: Type.Array(Type.String({ maxLength: SAMPLE_CHARS_MAX, errorCode: 'invalid_sample_messages' }), {
    maxItems: SAMPLES_MAX,
    errorCode: 'invalid_sample_messages',
  }),
  opt_in_description: Text({ maxLength: OPT_IN_CHARS_MAX }),
  draft: Type.Optional(Type.Boolean()),
});
export type CheckCampaign = Static<typeof CheckCampaign>;

export const Finding = Type.Object({
  field: Type.String({ description: 'Path of the field, such as sample_messages[1]' }),
  rule: Type.String({ description: 'Stable name of the rule' }),
  message: Type.String(),
  remedy: Type.String(),
});
export type Finding = Static<typeof Finding>;

export const CampaignCheck = Type.Object({ findings: Type.Array(Finding, { maxItems: FINDINGS_MAX }) });

export const CampaignList = Closed({
  ...PageQuery,
  ...TenantQuery,
  status: Type.Optional(Type.Enum([...CAMPAIGN_STATES], { description: 'Only those in this state.' })),
});
