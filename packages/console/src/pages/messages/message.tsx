import { usePageId } from '../../app/ledger.ts';
import { texts } from '../../texts/messages.ts';
import { Card, Page } from '../../ui/page.tsx';
import { MessageDetails } from './message-details.tsx';

const t = texts.message;

/** One text, with its status history. */
export function MessagePage() {
  const id = usePageId();
  return (
    <Page title={t.text}>
      <Card label={t.text}>
        <MessageDetails id={id} />
      </Card>
    </Page>
  );
}
