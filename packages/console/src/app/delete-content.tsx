import { texts } from '../texts/parts.ts';
import { AskedButton, type AskedButtonProps } from './asked-button.tsx';

const t = texts.deleteContent;

/** A button that deletes content permanently, after a confirmation. */
export function DeleteContent({ label, children, ...options }: Omit<AskedButtonProps, 'title' | 'kind' | 'small'>) {
  return (
    <AskedButton small kind="danger" label={label} title={`${label}?`} {...options}>
      <p>{children}</p>
      <p>{t.cannotUndoneAudit}</p>
    </AskedButton>
  );
}
