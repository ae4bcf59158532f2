import { HearIt } from '../../app/hear-it.tsx';
import { Checkbox, TextField } from '../../ui/field.tsx';
import type { Voicemail } from './draft.ts';

type VoicemailFieldsProps = { path: string; value: Voicemail; onChange: (value: Voicemail) => void };

/** Edits the announcement before the tone. */
export function VoicemailFields({ path, value, onChange }: VoicemailFieldsProps) {
  return (
    <>
      <TextField
        name={`${path}.greeting_text`}
        label="Greeting"
        hint="Spoken to the caller before the tone"
        rows={2}
        maxLength={1000}
        isRequired
        value={value.greeting_text}
        onChange={(greeting_text) => onChange({ ...value, greeting_text })}
      />
      <HearIt what="greeting" text={value.greeting_text} />
      <Checkbox isSelected={value.transcribe} onChange={(transcribe) => onChange({ ...value, transcribe })}>
        Transcribe the message
      </Checkbox>
    </>
  );
}
