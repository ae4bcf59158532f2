import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { useSipPhones, useWebClients } from '../../api/tenant-phones.ts';
import { useLedger } from '../../app/ledger.ts';
import { e164Of } from '../../lib/numbers.ts';
import { texts } from '../../texts/routing.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { PickField } from '../../ui/pick-field.tsx';
import css from './routing.module.css';

const t = texts.targetList;

type TargetListProps = {
  path: string;
  targets: readonly string[];
  tenantId: string;
  onChange: (targets: readonly string[]) => void;
};

type Kind = 'number' | 'web_client' | 'sip_phone' | 'application';

const KINDS = [
  { id: 'number', text: t.telephone },
  { id: 'web_client', text: t.webClient },
  { id: 'sip_phone', text: t.telephoneYourSip },
  { id: 'application', text: t.yourSoftware },
];
const TARGETS_MAX = 10;
const NEW: Readonly<Record<Kind, string>> = {
  number: '',
  web_client: 'wcl_',
  sip_phone: 'sip_phone:',
  application: 'application',
};

function kindOf(target: string): Kind {
  if (target === 'application') return 'application';
  if (target.startsWith(NEW.sip_phone)) return 'sip_phone';
  return target.startsWith(NEW.web_client) ? 'web_client' : 'number';
}

/** Edits the targets of a ring, in their order. */
export function TargetList({ path, targets, tenantId, onChange }: TargetListProps) {
  const set = (index: number, target: string) => onChange(targets.map((each, at) => (at === index ? target : each)));
  const swap = (index: number, other: number) => {
    const next = [...targets];
    [next[index], next[other]] = [targets[other] as string, targets[index] as string];
    onChange(next);
  };
  return (
    <fieldset className={css.targets}>
      <legend>{t.whoRings}</legend>
      {targets.map((target, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a target is its place, and two may be the same while one types
        <div key={index} className={css.target} role="group" aria-label={t.target(index + 1)}>
          <Select
            label={t.kindOfTarget(index + 1)}
            isLabelHidden
            options={KINDS}
            value={kindOf(target)}
            onChange={(kind) => kind !== kindOf(target) && set(index, NEW[kind as Kind])}
          />
          <TargetField
            name={`${path}.targets[${index}]`}
            place={index + 1}
            target={target}
            tenantId={tenantId}
            onChange={(next) => set(index, next)}
          />
          <div className={css.order}>
            <IconButton
              small
              label={t.moveTargetUp(index + 1)}
              isDisabled={index === 0}
              onPress={() => swap(index, index - 1)}
            >
              <ArrowUp />
            </IconButton>
            <IconButton
              small
              label={t.moveTargetDown(index + 1)}
              isDisabled={index === targets.length - 1}
              onPress={() => swap(index, index + 1)}
            >
              <ArrowDown />
            </IconButton>
            <IconButton
              small
              label={t.removeTarget(index + 1)}
              isDisabled={targets.length === 1}
              onPress={() => onChange(targets.filter((_, at) => at !== index))}
            >
              <Trash2 />
            </IconButton>
          </div>
        </div>
      ))}
      <div>
        <Button small isDisabled={targets.length >= TARGETS_MAX} onPress={() => onChange([...targets, ''])}>
          <Plus aria-hidden /> {t.addATarget}
        </Button>
      </div>
    </fieldset>
  );
}

type TargetFieldProps = {
  name: string;
  place: number;
  target: string;
  tenantId: string;
  onChange: (target: string) => void;
};

function TargetField({ name, place, target, tenantId, onChange }: TargetFieldProps) {
  const kind = kindOf(target);
  if (kind === 'application') return <p className={css.software}>{t.answersApiCalls}</p>;
  if (kind === 'web_client') return <WebClientField {...{ name, place, target, tenantId, onChange }} />;
  if (kind === 'sip_phone') return <SipPhoneField {...{ name, place, target, tenantId, onChange }} />;
  return (
    <TextField
      name={name}
      label={t.numberOfTarget(place)}
      isLabelHidden
      isRequired
      type="tel"
      placeholder="+16025550143"
      value={target}
      onChange={onChange}
      onBlur={() => e164Of(target) !== target && onChange(e164Of(target))}
    />
  );
}

/**
 * Offers the tenant's telephones. In test mode every name is a telephone and none are listed, so the field asks for a
 * name.
 */
function SipPhoneField({ name, place, target, tenantId, onChange }: TargetFieldProps) {
  const { mode } = useLedger();
  const phones = useSipPhones(tenantId, { isEnabled: mode === 'live' });
  const named = target.slice(NEW.sip_phone.length);
  if (mode === 'test') {
    return (
      <TextField
        name={name}
        label={t.nameTelephoneTarget(place)}
        isLabelHidden
        isRequired
        placeholder={t.front}
        value={named}
        onChange={(phone) => onChange(`${NEW.sip_phone}${phone.trim()}`)}
      />
    );
  }
  return (
    <PickField
      label={t.telephoneOfTarget(place)}
      isLabelHidden
      isRequired
      name={name}
      value={named === '' ? null : target}
      onChange={(id) => onChange(id ?? NEW.sip_phone)}
      list={phones}
      optionOf={({ id, name: called }) => ({ id, text: called })}
      extra={named === '' ? undefined : { id: target, text: named }}
    />
  );
}

function WebClientField({ name, place, target, tenantId, onChange }: TargetFieldProps) {
  const clients = useWebClients(tenantId);
  return (
    <PickField
      label={t.webClientTarget(place)}
      isLabelHidden
      isRequired
      name={name}
      value={target === NEW.web_client ? null : target}
      onChange={(id) => onChange(id ?? NEW.web_client)}
      list={clients}
      optionOf={({ id, name: called, status }) => ({
        id,
        text: status === 'active' ? (called ?? id) : t.revoked(called ?? id),
      })}
    />
  );
}
