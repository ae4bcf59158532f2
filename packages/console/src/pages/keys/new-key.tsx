import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Row } from '../../ui/page.tsx';

/** Shows a new key, once. */
export function NewKey({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog title="Your new key" isOpen onClose={onClose} isShownOnce>
      <Notice tone="warn" title="Copy it now: it is not shown again">
        <p>The server keeps only a hash of the key. Store it where your server reads its secrets.</p>
      </Notice>
      <Code label="The new key" text={secret} />
      <Row>
        <Button kind="primary" onPress={onClose}>
          I have stored it
        </Button>
      </Row>
    </Dialog>
  );
}
