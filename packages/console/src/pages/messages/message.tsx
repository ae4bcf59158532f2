import { usePageId } from '../../app/ledger.ts';
import { Card, Page } from '../../ui/page.tsx';
import { MessageDetails } from './message-details.tsx';

/** One text, with its status history. */
export function MessagePage() {
  const id = usePageId();
  return (
    <Page title="Text">
      <Card label="Text">
        <MessageDetails id={id} />
      </Card>
    </Page>
  );
}
