import css from './advice.module.css';

export type AdviceEntry = { readonly rule: string; readonly message: string; readonly remedy: string };

/** What should be better in a field. It forbids nothing. Stands in the hint of a field, which a screen reader says. */
export function Advice({ entries }: { entries: readonly AdviceEntry[] }) {
  return entries.map(({ rule, message, remedy }) => (
    <span key={rule} className={css.advice} title={rule}>
      <strong>{message}</strong> {remedy}
    </span>
  ));
}
