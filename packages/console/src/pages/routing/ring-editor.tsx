import { texts } from '../../texts/routing.ts';
import { Checkbox, Select, TextField } from '../../ui/field.tsx';
import { type EditorProps, NEW_VOICEMAIL, numberOf, numberText, type Ring } from './draft.ts';
import css from './routing.module.css';
import { TargetList } from './target-list.tsx';
import { VoicemailFields } from './voicemail-fields.tsx';

const t = texts.ringEditor;

const STRATEGIES = [
  { id: 'simultaneous', text: t.allAtOnce },
  { id: 'sequential', text: t.oneAfterOther },
];

/** Edits who rings, how long, and what follows if no target answers. */
export function RingEditor({ path, value, onChange, tenantId }: EditorProps<Ring>) {
  const { targets, strategy, timeout_seconds, no_answer } = value;
  return (
    <>
      <TargetList
        path={path}
        targets={targets}
        tenantId={tenantId}
        onChange={(next) => onChange({ ...value, targets: next })}
      />
      <div className={css.pair}>
        <Select
          label={t.theyRing}
          options={STRATEGIES}
          value={strategy}
          onChange={(id) => onChange({ ...value, strategy: id as Ring['strategy'] })}
        />
        <TextField
          name={`${path}.timeout_seconds`}
          label={strategy === 'sequential' ? t.secondsEach : t.seconds}
          type="number"
          isRequired
          value={numberText(timeout_seconds)}
          onChange={(text) => onChange({ ...value, timeout_seconds: numberOf(text) })}
        />
      </div>
      <Checkbox
        isSelected={no_answer !== null}
        onChange={(isTaken) => onChange({ ...value, no_answer: isTaken ? NEW_VOICEMAIL : null })}
      >
        {t.voicemailFollowsIf}
      </Checkbox>
      {no_answer !== null && (
        <VoicemailFields
          path={`${path}.no_answer`}
          value={no_answer}
          onChange={(next) => onChange({ ...value, no_answer: next })}
        />
      )}
    </>
  );
}
