import { DialplaneError, type Message, type SendMessage } from '@dialplane/sdk/resources';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiOf } from '../../api/client.ts';
import { ledgerKey } from '../../api/ledger-key.ts';
import { useLedger } from '../../app/ledger.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/inbox.ts';
import { say } from '../../ui/toast.tsx';
import type { Ends } from './draft.ts';

const t = texts.outbox;

/** A text that the person has sent, until it is in the thread. */
export type Outgoing = {
  /** The key is also the Idempotency-Key: a repeat after a lost reply sends no second text. */
  readonly key: string;
  readonly send: SendMessage;
  /** The text that the person reads: the written text, or the template's text. */
  readonly shown: string;
  readonly error: DialplaneError | null;
  /** The id; null until the API has accepted the text. */
  readonly id: string | null;
};

export type Outbox = {
  of(ends: Ends): readonly Outgoing[];
  send(send: SendMessage, shown: string, onSent?: (message: Message) => void): void;
  retry(outgoing: Outgoing): void;
  discard(key: string): void;
};

const CHANGED = ['messages', 'conversations', 'timeline'];

/** Holds the texts of all conversations that are being sent or were refused. */
export function useOutbox(): Outbox {
  const ledger = useLedger();
  const client = useQueryClient();
  const [all, setAll] = useState<readonly Outgoing[]>([]);
  const change = (key: string, changed: Partial<Outgoing>) =>
    setAll((before) => before.map((each) => (each.key === key ? { ...each, ...changed } : each)));
  const discard = (key: string) => setAll((before) => before.filter((each) => each.key !== key));

  const deliver = async ({ key, send }: Outgoing, onSent?: (message: Message) => void) => {
    const shownAt = location.pathname;
    try {
      const message = await apiOf(ledger).messages.send(send, { idempotencyKey: key });
      change(key, { id: message.id });
      onSent?.(message);
      await Promise.all(CHANGED.map((name) => client.invalidateQueries({ queryKey: ledgerKey(ledger, name) })));
      discard(key);
    } catch (error) {
      const known = DialplaneError.is(error) ? error : new DialplaneError('connection_failed', String(error));
      change(key, { error: known });
      // The conversation shows the refusal, but the person may have left it.
      if (location.pathname !== shownAt) {
        say(t.textWasNot(formatNumber(send.to), known.body?.message ?? known.message));
      }
    }
  };

  const start = (outgoing: Outgoing, onSent?: (message: Message) => void) => {
    setAll((before) => [...before.filter(({ key }) => key !== outgoing.key), outgoing]);
    void deliver(outgoing, onSent);
  };
  return {
    of: ({ from, to }) => all.filter(({ send }) => send.from === from && send.to === to),
    send: (send, shown, onSent) => start({ key: crypto.randomUUID(), send, shown, error: null, id: null }, onSent),
    retry: (outgoing) => {
      // A repeat with the same key would get the same refusal. Without a reply, the API may have accepted the text.
      const wasRefused = outgoing.error?.status !== undefined;
      if (wasRefused) discard(outgoing.key);
      start({ ...outgoing, key: wasRefused ? crypto.randomUUID() : outgoing.key, error: null });
    },
    discard,
  };
}
