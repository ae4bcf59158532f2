import { Plus, Trash2 } from 'lucide-react';
import { HearIt } from '../../app/hear-it.tsx';
import { QueueField } from '../../app/option-fields.tsx';
import { texts } from '../../texts/routing.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import {
  type Behavior,
  type BehaviorType,
  type EditorProps,
  KEYS,
  type Menu,
  newBehavior,
  numberOf,
  numberText,
  type Relay,
} from './draft.ts';
import { RingEditor } from './ring-editor.tsx';
import css from './routing.module.css';
import { VoicemailFields } from './voicemail-fields.tsx';

const t = texts.behaviorEditor;

const TYPES: Readonly<Record<BehaviorType, string>> = {
  ring: t.ringsTelephonesSoftware,
  voicemail: t.goesVoicemail,
  menu: t.getsAMenu,
  relay: t.talksAgentText,
  queue: t.waitsQueue,
};
const MENUS_DEEP_MAX = 3;

type Props = EditorProps & { label: string; types?: readonly BehaviorType[] };

/** Edits the behavior for a caller. */
export function BehaviorEditor({ label, types = ['ring', 'voicemail', 'menu', 'queue', 'relay'], ...props }: Props) {
  const { value, onChange, depth } = props;
  // The API does not accept an agent of text in a menu of the last level.
  const offered = types.filter((type) => (type !== 'menu' && type !== 'relay') || depth < MENUS_DEEP_MAX);
  return (
    <div className={css.behavior} role="group" aria-label={label}>
      <Select
        label={label}
        options={offered.map((id) => ({ id, text: TYPES[id] }))}
        value={value.type}
        onChange={(type) => type !== value.type && onChange(newBehavior(type as BehaviorType))}
      />
      {value.type === 'ring' && <RingEditor {...props} value={value} />}
      {value.type === 'voicemail' && <VoicemailFields path={props.path} value={value} onChange={onChange} />}
      {value.type === 'menu' && <MenuEditor {...props} value={value} />}
      {value.type === 'queue' && (
        <QueueField
          name={`${props.path}.queue_id`}
          tenantId={props.tenantId}
          value={value.queue_id === '' ? null : value.queue_id}
          onChange={(id) => onChange({ type: 'queue', queue_id: id ?? '' })}
        />
      )}
      {value.type === 'relay' && <RelayEditor {...props} value={value} />}
    </div>
  );
}

/** Edits an agent of text: its address, the first spoken text, and the step after a failure. */
function RelayEditor({ path, value, onChange, tenantId, depth }: EditorProps<Relay>) {
  return (
    <>
      <TextField
        name={`${path}.url`}
        label={t.addressAgent}
        hint={t.wssAddressWhich}
        isRequired
        maxLength={2048}
        value={value.url}
        onChange={(url) => onChange({ ...value, url })}
      />
      <TextField
        name={`${path}.welcome_text`}
        label={t.welcome}
        hint={t.spokenCallerFirst}
        rows={2}
        maxLength={1000}
        value={value.welcome_text ?? ''}
        onChange={(text) => onChange({ ...value, welcome_text: text === '' ? null : text })}
      />
      <BehaviorEditor
        label={t.ifAgentFails}
        types={['ring', 'voicemail']}
        path={`${path}.fallback`}
        value={value.fallback}
        onChange={(fallback) => onChange({ ...value, fallback })}
        tenantId={tenantId}
        depth={depth}
      />
    </>
  );
}

/** Edits a menu: the spoken text, the target of each key, and the step if the caller chooses nothing. */
function MenuEditor({ path, value, onChange, tenantId, depth }: EditorProps<Menu>) {
  const { prompt, options, timeout_seconds, tries, otherwise } = value;
  const used = KEYS.filter((key) => options[key] !== undefined);
  const free = KEYS.filter((key) => options[key] === undefined);
  const setOptions = (next: Readonly<Record<string, Behavior>>) => onChange({ ...value, options: next });
  const rename = (key: string, to: string) =>
    setOptions(Object.fromEntries(Object.entries(options).map(([each, option]) => [each === key ? to : each, option])));
  const remove = (key: string) =>
    setOptions(Object.fromEntries(Object.entries(options).filter(([each]) => each !== key)));
  return (
    <>
      <TextField
        name={`${path}.prompt`}
        label={t.prompt}
        hint={t.spokenCallerSuch}
        rows={2}
        maxLength={500}
        isRequired
        value={prompt}
        onChange={(next) => onChange({ ...value, prompt: next })}
      />
      <HearIt what="prompt" text={prompt} />
      {used.map((key) => (
        <div key={key} className={css.option}>
          <div className={css.key}>
            <Select
              label={t.key}
              options={[key, ...free].map((id) => ({ id, text: id }))}
              value={key}
              onChange={(to) => to !== key && rename(key, to)}
            />
            <IconButton small label={t.removeKey(key)} isDisabled={used.length === 1} onPress={() => remove(key)}>
              <Trash2 />
            </IconButton>
          </div>
          <BehaviorEditor
            label={t.keyCaller(key)}
            path={`${path}.options[${key}]`}
            value={options[key] as Behavior}
            onChange={(next) => setOptions({ ...options, [key]: next })}
            tenantId={tenantId}
            depth={depth + 1}
          />
        </div>
      ))}
      <div>
        <Button
          small
          isDisabled={free.length === 0}
          onPress={() => setOptions({ ...options, [free[0] as string]: newBehavior('ring') })}
        >
          <Plus aria-hidden /> {t.addAKey}
        </Button>
      </div>
      <div className={css.pair}>
        <TextField
          name={`${path}.timeout_seconds`}
          label={t.secondsToChoose}
          type="number"
          isRequired
          value={numberText(timeout_seconds)}
          onChange={(text) => onChange({ ...value, timeout_seconds: numberOf(text) })}
        />
        <TextField
          name={`${path}.tries`}
          label={t.timesPromptSpoken}
          type="number"
          isRequired
          value={numberText(tries)}
          onChange={(text) => onChange({ ...value, tries: numberOf(text) })}
        />
      </div>
      <BehaviorEditor
        label={t.withoutKeyCaller}
        path={`${path}.otherwise`}
        value={otherwise}
        onChange={(next) => onChange({ ...value, otherwise: next })}
        tenantId={tenantId}
        depth={depth + 1}
      />
    </>
  );
}
