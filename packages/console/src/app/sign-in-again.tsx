import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { signIn } from '../api/operator.ts';
import { useSignInOptions } from '../api/sign-in-options.ts';
import { PREFIX } from '../lib/location.ts';
import { texts } from '../texts/parts.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextField } from '../ui/field.tsx';
import { Row } from '../ui/page.tsx';
import css from './sign-in-again.module.css';

const t = texts.signInAgain;

const SIGN_IN = `${PREFIX}/console/sign-in`;

/** Asks the person to sign in again above the page. The page is hidden but not closed, so its input is not lost. */
export function SignInAgain() {
  const [link, setLink] = useState('');
  const options = useSignInOptions();
  const use = useMutation({
    mutationFn: () => signIn(link.trim().split('#').at(-1) ?? ''),
    // When this window gets the focus, its bar reads the session.
    onSuccess: () => dispatchEvent(new Event('focus')),
  });
  return (
    <>
      <div className={css.cover} />
      <Dialog title={t.sessionHasEnded} isOpen onClose={() => undefined} isShownOnce>
        <p>{t.whatYouEntered}</p>
        <ErrorNote error={use.error} />
        {options?.has_provider && (
          <Button kind="primary" onPress={() => window.open(`${SIGN_IN}/oidc`, '_blank')}>
            {t.signInNewTab}
          </Button>
        )}
        <TextField
          label={t.signInLink}
          hint={t.openItOrPaste(options?.program ?? 'dialplane')}
          value={link}
          onChange={setLink}
        />
        <Row>
          <Button isDisabled={link.trim() === ''} isPending={use.isPending} onPress={() => use.mutate()}>
            {t.signIn}
          </Button>
          <Button kind="quiet" onPress={() => location.assign(SIGN_IN)}>
            {t.leaveThePage}
          </Button>
        </Row>
      </Dialog>
    </>
  );
}
