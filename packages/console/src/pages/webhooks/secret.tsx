import { texts } from '../../texts/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Row } from '../../ui/page.tsx';

const t = texts.secret;

/** The secret of an endpoint, which is shown once. */
export function Secret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <>
      <p>{t.yourServerVerifies}</p>
      <Code label={t.theSecret} text={secret} />
      <Row>
        <Button kind="primary" onPress={onClose}>
          {t.iHaveStored}
        </Button>
      </Row>
    </>
  );
}
