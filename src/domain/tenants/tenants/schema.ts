import { E164, type Form } from '../../../http/schemas/forms.ts';
import { Closed, Metadata, Nullable, PageQuery, Text, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';

const NAME_CHARS_MAX = 200;
const EXTERNAL_REF_CHARS_MAX = 200;
const SUPPORT_CONTACT_CHARS_MAX = 100;
/** A name of this length leaves room in one segment for the text of a reply to a keyword. */
export const SENDER_NAME_CHARS_MAX = 40;
export const DEFAULT_TIMEZONE = 'America/Phoenix';

const TIME_OF_DAY: Form = { pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', form: 'a time of day, 00:00 to 23:59' };
const TimeOfDay = Type.String({ maxLength: 5, ...TIME_OF_DAY });

const END_OF_DAY: Form = { pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$', form: 'a time of day, 00:00 to 24:00' };
const EndOfWindow = Type.String({
  maxLength: 5,
  ...END_OF_DAY,
  description: 'On the next day if it is before `start`',
});
const QuietZone = Type.Enum(['recipient', 'tenant'] as const, {
  description: `recipient: the zone of the recipient's area code, and the tenant's where it has none`,
});

export const QUIET_DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
/** Three windows a day. */
const QUIET_WINDOWS_MAX = 21;

const QuietSchedule = Type.Array(
  Closed({
    days: Type.Array(Type.Enum(QUIET_DAYS), {
      minItems: 1,
      maxItems: QUIET_DAYS.length,
      uniqueItems: true,
      description: 'The days when the hours begin',
    }),
    start: TimeOfDay,
    end: EndOfWindow,
  }),
  { minItems: 1, maxItems: QUIET_WINDOWS_MAX },
);
const AppliesTo = Type.Enum(['requested', 'marketing', 'all'] as const, {
  description:
    'requested: texts with `respect_quiet_hours`. marketing: also every text under a campaign of use_case marketing or mixed. all: every text',
});

/** The hours when texts wait: one object with the fields of both forms, so that its errors name the wrong field. */
const WantedQuietHours = Closed({
  start: Type.Optional(TimeOfDay),
  end: Type.Optional(TimeOfDay),
  zone: QuietZone,
  schedule: Type.Optional(QuietSchedule),
  applies_to: Type.Optional(AppliesTo),
});
export type WantedQuietHours = Static<typeof WantedQuietHours>;

/** Quiet hours as stored: the same hours each day, or the hours of a schedule. */
export type QuietHours =
  | { readonly start: string; readonly end: string; readonly zone: WantedQuietHours['zone'] }
  | (Pick<Required<WantedQuietHours>, 'schedule' | 'applies_to'> & { readonly zone: WantedQuietHours['zone'] });
const QuietHours = Type.Unsafe<QuietHours>(WantedQuietHours);

const RETENTION_DAYS_MAX = 3650;
const Days = (what: string) =>
  Nullable(
    Type.Integer({ minimum: 1, maximum: RETENTION_DAYS_MAX, description: `Days for which ${what}; null: kept` }),
  );

const RETENTION = {
  message_days: Days('texts are kept'),
  recording_days: Days('recordings of calls are kept'),
  voicemail_days: Days('voicemails are kept, with their audio and transcript'),
  transcript_days: Days('transcripts and summaries of calls are kept'),
} as const;

/** How long content is kept, by the ledger's clock. */
export const Retention = Type.Object(RETENTION);
export type Retention = Static<typeof Retention>;

const ChangedRetention = Closed({
  message_days: Type.Optional(RETENTION.message_days),
  recording_days: Type.Optional(RETENTION.recording_days),
  voicemail_days: Type.Optional(RETENTION.voicemail_days),
  transcript_days: Type.Optional(RETENTION.transcript_days),
});

const EMERGENCY_CONTACTS_MAX = 10;
const EmergencyContacts = Type.Array(Type.String({ ...E164, errorCode: 'invalid_phone' }), {
  maxItems: EMERGENCY_CONTACTS_MAX,
  uniqueItems: true,
  description: 'Numbers that are texted when 911 is dialled, E.164',
});

const REPLY_CHARS_MAX = 320;
/** The maximum period between two automatic replies to a person: a week. */
export const REPLY_HOURS_MAX = 168;
const ReplyText = (when: string) =>
  Nullable(Text({ maxLength: REPLY_CHARS_MAX, description: `Texted to a person ${when}; null: nothing is` }));

const AUTO_REPLIES = {
  missed_call: ReplyText('whose call nobody answered'),
  after_hours: ReplyText('who texts, or whose call nobody answers, outside of the hours of the number'),
  once_every_hours: Type.Integer({
    minimum: 1,
    maximum: REPLY_HOURS_MAX,
    description: 'A person gets one of these texts at most in this many hours',
  }),
} as const;

/** The automatic replies to people. */
export const AutoReplies = Type.Object(AUTO_REPLIES);
export type AutoReplies = Static<typeof AutoReplies>;

const ChangedAutoReplies = Closed({
  missed_call: Type.Optional(AUTO_REPLIES.missed_call),
  after_hours: Type.Optional(AUTO_REPLIES.after_hours),
  once_every_hours: Type.Optional(AUTO_REPLIES.once_every_hours),
});

export const Tenant = Type.Object({
  id: Type.String(),
  object: Type.Literal('tenant'),
  name: Type.String(),
  external_ref: Type.Union([Type.String(), Type.Null()]),
  timezone: Type.String(),
  sender_name: Type.String({ description: 'The name in replies to STOP, START and HELP' }),
  support_contact: Type.Union([Type.String(), Type.Null()], { description: 'The contact in replies to HELP' }),
  quiet_hours: Nullable(QuietHours),
  retention: Retention,
  emergency_contacts: EmergencyContacts,
  auto_replies: AutoReplies,
  metadata: Metadata,
  created_at: Timestamp,
});
export type Tenant = Static<typeof Tenant>;

const Name = Text({ maxLength: NAME_CHARS_MAX, missingCode: 'name_required' });
const ExternalRef = Nullable(Type.String({ minLength: 1, maxLength: EXTERNAL_REF_CHARS_MAX }));
const Timezone = Type.String({
  maxLength: 100,
  format: 'time-zone',
  errorCode: 'invalid_timezone',
  description: 'IANA name',
});

const SenderName = Nullable(
  Text({
    maxLength: SENDER_NAME_CHARS_MAX,
    description: `Names the sender in replies to STOP, START and HELP; the first ${SENDER_NAME_CHARS_MAX} characters of the name where none is given.`,
  }),
);

/** ASCII without the backtick, so that it reads the same in GSM-7. */
const CONTACT: Form = {
  pattern:
    '^(\\+?[0-9(][0-9 ().-]{4,28}[0-9]' +
    '|[!-?A-_a-~]+@[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+' +
    '|https?://[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+(:[0-9]+)?([/?#][!-_a-~]*)?)$',
  form: 'a phone number, an email address, or a web address that begins with https:// or http://',
};

const SupportContact = Nullable(
  Type.String({ maxLength: SUPPORT_CONTACT_CHARS_MAX, ...CONTACT, description: 'Named in replies to HELP.' }),
);

export const CreateTenant = Closed({
  name: Name,
  external_ref: Type.Optional(ExternalRef),
  timezone: Type.Optional(Type.String({ ...Timezone, default: DEFAULT_TIMEZONE })),
  sender_name: Type.Optional(SenderName),
  support_contact: Type.Optional(SupportContact),
  quiet_hours: Type.Optional(Nullable(WantedQuietHours)),
  retention: Type.Optional(ChangedRetention),
  emergency_contacts: Type.Optional(EmergencyContacts),
  auto_replies: Type.Optional(ChangedAutoReplies),
  metadata: Type.Optional(Metadata),
});
export type CreateTenant = Static<typeof CreateTenant>;

export const UpdateTenant = Closed({
  name: Type.Optional(Name),
  external_ref: Type.Optional(ExternalRef),
  timezone: Type.Optional(Timezone),
  sender_name: Type.Optional(SenderName),
  support_contact: Type.Optional(SupportContact),
  quiet_hours: Type.Optional(Nullable(WantedQuietHours)),
  retention: Type.Optional(ChangedRetention),
  emergency_contacts: Type.Optional(EmergencyContacts),
  auto_replies: Type.Optional(ChangedAutoReplies),
  metadata: Type.Optional(Metadata),
});
export type UpdateTenant = Static<typeof UpdateTenant>;

export const TenantList = Closed({
  ...PageQuery,
  external_ref: Type.Optional(Type.String({ maxLength: EXTERNAL_REF_CHARS_MAX })),
  q: Type.Optional(Text({ maxLength: NAME_CHARS_MAX, description: 'The start of each word of the name.' })),
});
export type TenantList = Static<typeof TenantList>;
