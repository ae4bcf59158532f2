import { DialplaneError } from '@dialplane/sdk/resources';
import { PREFIX } from '../lib/location.ts';
import { texts } from '../texts/ui.ts';
import css from './note.module.css';
import { refusalOf } from './refusal.ts';
import { rich } from './rich.tsx';

const t = texts.errorNote;

/** An error with its code, message and request id, and a link to the page about the code. */
export function ErrorNote({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  const { code, message, requestId } = describe(error);
  return (
    <div role="alert" className={css.error}>
      <p>{message}</p>
      <p className={css.detail}>
        {code !== undefined && (
          <a href={`${PREFIX}/docs/errors/${code}`} target="_blank" rel="noreferrer">
            <code>{code}</code>
          </a>
        )}
        {requestId !== undefined && <span>{rich(t.request, <code>{requestId}</code>)}</span>}
      </p>
    </div>
  );
}

function describe(error: unknown): { message: string; code?: string; requestId?: string } {
  const message = refusalOf(error);
  if (!DialplaneError.is(error)) return { message };
  const { code, requestId } = error;
  return {
    message,
    code,
    ...(requestId !== undefined && { requestId }),
  };
}
