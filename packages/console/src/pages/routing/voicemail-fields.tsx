import { HearIt } from '../../app/hear-it.tsx';
import { texts } from '../../texts/routing.ts';
import { Checkbox, TextField } from '../../ui/field.tsx';
import type { Voicemail } from './draft.ts';

const t = texts.voicemailFields;

type VoicemailFieldsProps = { path: string; value: Voicemail; onChange: (value: Voicemail) => void };

/** Edits the announcement before the tone. */
export function VoicemailFields({ path, value, onChange }: VoicemailFieldsProps) {
  return (
    <>
      <TextField
        name={`${path}.greeting_text`}
        label={t.greeting}
        hint={t.spokenCallerBefore}
        rows={2}
        maxLength={1000}
        isRequired
        value={value.greeting_text}
        onChange={(greeting_text) => onChange({ ...value, greeting_text })}
      />
      <HearIt what="greeting" text={value.greeting_text} />
      <Checkbox isSelected={value.transcribe} onChange={(transcribe) => onChange({ ...value, transcribe })}>
        {t.transcribeTheMessage}
      </Checkbox>
    </>
  );
}
