import type { Message, TestOutboxText } from '@dialplane/sdk/resources';
import { useLayoutEffect, useRef } from 'react';
import { useRead } from '../../api/queries.ts';
import { webAddress } from '../../lib/addresses.ts';
import { texts } from '../../texts/phones.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import css from './phones.module.css';

const t = texts.thread;

const SHOWN = 50;

type Text = {
  readonly id: string;
  readonly isOwn: boolean;
  readonly body: string;
  readonly media: readonly string[];
  readonly at: string;
};

type ThreadProps = {
  number: string;
  contact: string;
  tenantId: string | undefined;
};

/** The texts between a phone and a number of a tenant. */
export function Thread({ number, contact, tenantId }: ThreadProps) {
  const received = useRead(['messages', 'outbox', number], (api) => api.test.listOutbox({ to: number }));
  const sent = useRead(['messages', 'from', number, contact], (api) =>
    api.messages.list({ from: number, to: contact, direction: 'inbound', limit: SHOWN }),
  );
  const texts = join(received.data?.data ?? [], sent.data?.data ?? [], contact);
  const end = useRef<HTMLOListElement>(null);
  const ids = texts.map(({ id }) => id).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it scrolls when there are more texts, also older ones
  useLayoutEffect(() => {
    end.current?.scrollTo({ top: end.current.scrollHeight });
  }, [ids]);
  return (
    <>
      <ErrorNote error={received.error ?? sent.error} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls it */}
      <ol className={css.thread} ref={end} tabIndex={0} aria-label={t.texts} aria-live="polite">
        {texts.length === 0 && <li className={css.none}>{t.noTextsYet}</li>}
        {texts.map(({ id, isOwn, body, media, at }) => (
          <li key={id} className={isOwn ? css.own : css.theirs}>
            <span className="visually-hidden">{isOwn ? t.sent : t.received}</span>
            {body !== '' && <p dir="auto">{body}</p>}
            {media.map((address) => (
              <Picture key={address} address={address} />
            ))}
            <small>
              <Moment at={at} tenantId={tenantId} format="time" />
            </small>
          </li>
        ))}
      </ol>
    </>
  );
}

/** A link, or the plain text of an address that a browser should not open. */
function Picture({ address }: { address: string }) {
  const href = webAddress(address);
  if (href === undefined) return <span>{address}</span>;
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {t.picture}
    </a>
  );
}

function join(received: readonly TestOutboxText[], sent: readonly Message[], contact: string): Text[] {
  const theirs = received
    .filter(({ from }) => from === contact)
    .map(({ message_id: id, body, media_urls: media, at }) => ({ id, isOwn: false, body, media, at }));
  const own = sent.map(({ id, body, media, created_at: at }) => {
    return { id, isOwn: true, body, media: media.flatMap(({ url }) => url ?? []), at };
  });
  return [...theirs, ...own].sort((a, b) => a.at.localeCompare(b.at)).slice(-SHOWN);
}
