/** The extensions of a telephone: the dialled digits, and their targets. */
export function Extensions({
  extensions,
}: {
  extensions: readonly { readonly digits: string; readonly to: string }[];
}) {
  if (extensions.length === 0) return '–';
  return extensions.map(({ digits, to }) => (
    <div key={digits}>
      <code>{digits}</code> → <code>{to}</code>
    </div>
  ));
}
