import { fixedList } from '../api/queries.ts';
import { texts } from '../texts/parts.ts';
import { PickField, type PickFieldProps } from './pick-field.tsx';

const t = texts.zoneField;

const ZONES = fixedList(['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]);

/** Asks for a time zone of the IANA database. */
export function ZoneField(props: Omit<PickFieldProps, 'label'> & { label?: string }) {
  const chosen = props.value ?? props.defaultValue;
  return (
    <PickField
      label={t.timeZone}
      name="timezone"
      {...props}
      list={ZONES}
      optionOf={(zone) => ({ id: zone, text: zone })}
      extra={typeof chosen === 'string' ? { id: chosen, text: chosen } : undefined}
    />
  );
}
