import { texts } from '../texts/parts.ts';
import type { PickFieldProps } from './pick-field.tsx';
import { fixedList, TextPickField } from './text-pick-field.tsx';

const t = texts.zoneField;

const ZONES = fixedList(['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]);

/** Asks for a time zone of the IANA database. */
export function ZoneField(props: Omit<PickFieldProps, 'label'> & { label?: string }) {
  return <TextPickField label={t.timeZone} name="timezone" {...props} list={ZONES} />;
}
