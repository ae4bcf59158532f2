import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Row } from '../../ui/page.tsx';

/** The secret of an endpoint, which is shown once. */
export function Secret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <>
      <p>Your server verifies signatures with this secret. It is not shown again.</p>
      <Code label="The secret" text={secret} />
      <Row>
        <Button kind="primary" onPress={onClose}>
          I have stored it
        </Button>
      </Row>
    </>
  );
}
