import { X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { texts } from '../texts/ui.ts';
import { IconButton } from './button.tsx';
import css from './toast.module.css';

const t = texts.toast;

type Said = { readonly id: number; readonly sentence: string };

const SHOWN_MS = 6_000;
const SHOWN_MAX = 3;

let said: readonly Said[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Said[]): void {
  said = next;
  for (const listener of listeners) listener();
}

const unsay = (id: number) => change(said.filter((each) => each.id !== id));

/** Shows a message about a finished action for some seconds, also to screen readers. */
export function say(sentence: string): void {
  lastId += 1;
  const id = lastId;
  change([...said, { id, sentence }].slice(-SHOWN_MAX));
  setTimeout(() => unsay(id), SHOWN_MS);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * The region for short messages. Each page has it once from the start, because a screen reader announces changes only
 * in a region that exists.
 */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => said);
  return (
    <div role="status" aria-live="polite" className={css.region}>
      {shown.map(({ id, sentence }) => (
        <div key={id} className={css.toast}>
          <span>{sentence}</span>
          <IconButton label={t.close} small onPress={() => unsay(id)}>
            <X />
          </IconButton>
        </div>
      ))}
    </div>
  );
}
