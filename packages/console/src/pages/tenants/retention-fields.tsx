import type { Tenant } from '@dialplane/sdk/resources';
import { texts } from '../../texts/tenants.ts';
import { TextField } from '../../ui/field.tsx';
import type { FormValues } from '../../ui/form.tsx';
import { Columns, Section } from '../../ui/page.tsx';

const t = texts.retentionFields;

type Retention = Tenant['retention'];

const LABELS: Readonly<Record<keyof Retention, string>> = {
  message_days: t.texts,
  recording_days: t.recordings,
  voicemail_days: t.voicemails,
  transcript_days: t.transcripts,
};
const KINDS = Object.keys(LABELS) as (keyof Retention)[];

/** The fields for the days that each kind of content is kept. With an empty field, the content is kept forever. */
export function RetentionFields({ tenant: { retention } }: { tenant: Tenant }) {
  return (
    <Section title={t.retentionInDays}>
      <p>{t.contentOlderDeleted}</p>
      <Columns>
        {KINDS.map((kind) => (
          <TextField
            key={kind}
            name={`retention.${kind}`}
            label={LABELS[kind]}
            type="number"
            defaultValue={String(retention[kind] ?? '')}
          />
        ))}
      </Columns>
    </Section>
  );
}

/** Returns the limits in the form. A text that is not a number is sent unchanged, so that the API names its field. */
export function retentionOf(values: FormValues): Retention {
  const days = (kind: keyof Retention) => {
    const text = values[`retention.${kind}`] ?? '';
    return text === '' ? null : Number(text);
  };
  return {
    message_days: days('message_days'),
    recording_days: days('recording_days'),
    voicemail_days: days('voicemail_days'),
    transcript_days: days('transcript_days'),
  };
}
