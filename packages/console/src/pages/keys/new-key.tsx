import { texts } from '../../texts/keys.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Row } from '../../ui/page.tsx';

const t = texts.newKey;

/** Shows a new key, once. */
export function NewKey({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog title={t.yourNewKey} isOpen onClose={onClose} isShownOnce>
      <Notice tone="warn" title={t.copyNowNot}>
        <p>{t.serverKeepsOnly}</p>
      </Notice>
      <Code label={t.theNewKey} text={secret} />
      <Row>
        <Button kind="primary" onPress={onClose}>
          {t.iHaveStored}
        </Button>
      </Row>
    </Dialog>
  );
}
