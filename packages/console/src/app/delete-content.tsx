import { AskedButton, type AskedButtonProps } from './asked-button.tsx';

/** A button that deletes content for good, after a question. */
export function DeleteContent({ label, children, ...options }: Omit<AskedButtonProps, 'title' | 'kind' | 'small'>) {
  return (
    <AskedButton small kind="danger" label={label} title={`${label}?`} {...options}>
      <p>{children}</p>
      <p>This cannot be undone. The audit log says who did it.</p>
    </AskedButton>
  );
}
