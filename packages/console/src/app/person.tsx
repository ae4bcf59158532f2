import { useContactOf } from '../api/contact-names.ts';
import { formatNumber } from '../lib/numbers.ts';
import css from './person.module.css';

type PersonProps = {
  tenantId: string | null;
  number: string;
  /** The caller's name in the network, for a caller without a contact. */
  callerName?: string | null;
};

/** Shows a person by the contact's name and the number, or by the number alone. */
export function Person({ tenantId, number, callerName = null }: PersonProps) {
  const name = useContactOf(tenantId, number)?.name ?? callerName;
  const shown = formatNumber(number);
  if (name === null) return <span>{shown}</span>;
  return (
    <span>
      <bdi>{name}</bdi> <span className={css.number}>{shown}</span>
    </span>
  );
}

/** Returns a person as a text, such as "Sam Ortiz (602) 555-0143". */
export function usePersonText(tenantId: string | null, number: string, callerName: string | null = null): string {
  const name = useContactOf(tenantId, number)?.name ?? callerName;
  return name === null ? formatNumber(number) : `${name} ${formatNumber(number)}`;
}
