import css from './advice.module.css';

export type AdviceEntry = { readonly rule: string; readonly message: string; readonly remedy: string };

/**
 * Suggestions for the value of a field. They forbid nothing. They are in the hint of the field, so a screen reader
 * reads them.
 */
export function Advice({ entries }: { entries: readonly AdviceEntry[] }) {
  return entries.map(({ rule, message, remedy }) => (
    <span key={rule} className={css.advice} title={rule}>
      <strong>{message}</strong> {remedy}
    </span>
  ));
}
