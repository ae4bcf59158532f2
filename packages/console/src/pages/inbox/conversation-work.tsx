import type { Conversation, UpdateConversation } from '@dialplane/sdk/resources';
import { useEffect } from 'react';
import { useWrite } from '../../api/queries.ts';
import { useSession } from '../../app/session.ts';
import { useNow } from '../../lib/now.ts';
import { texts } from '../../texts/inbox.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Select } from '../../ui/field.tsx';
import { FilterText } from '../../ui/filter-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import { rich } from '../../ui/rich.tsx';
import css from './inbox.module.css';
import { useUserName } from './user-name.ts';

const t = texts.conversationWork;

const HOUR_MS = 3_600_000;
const SNOOZES: Readonly<Record<string, readonly [text: string, ms: number]>> = {
  hour: [t.forAnHour, HOUR_MS],
  hours: [t.for4Hours, 4 * HOUR_MS],
  day: [t.forADay, 24 * HOUR_MS],
  week: [t.forAWeek, 7 * 24 * HOUR_MS],
};
const AWAKE = 'awake';
const SNOOZED = 'snoozed';

/** The assigned user of a conversation, the time until which it can wait, its tags, and whether it is done. */
export function ConversationWork({ conversation }: { conversation: Conversation }) {
  const { id, state, assignee, tags } = conversation;
  const me = useUserName();
  const change = useWrite((api, changed: UpdateConversation) => api.conversations.update(id, changed), {
    changes: ['conversations'],
  });
  const isDone = state === 'done';
  return (
    <section aria-label={t.work} className={css.factList}>
      <Button onPress={() => change.mutate({ state: isDone ? 'open' : 'done' })}>
        {isDone ? t.openAgain : t.markAsDone}
      </Button>
      <FilterText
        label={t.assignee}
        placeholder={t.nobody}
        value={assignee ?? undefined}
        onChange={(user) => change.mutate({ assignee: user ?? null })}
      />
      {me !== null && assignee !== me && (
        <Button small onPress={() => change.mutate({ assignee: me })}>
          {t.assignToMe}
        </Button>
      )}
      <Snooze conversation={conversation} onChange={(snoozed_until) => change.mutate({ snoozed_until })} />
      <FilterText
        label={t.tagsCommasBetween}
        placeholder={t.none}
        value={tags.join(', ')}
        parse={(typed) => tagsOf(typed).join(', ')}
        onChange={(typed = '') => change.mutate({ tags: tagsOf(typed) })}
      />
      <ErrorNote error={change.error} />
    </section>
  );
}

function tagsOf(typed: string): string[] {
  const tags = typed.split(',').map((tag) => tag.trim());
  return [...new Set(tags.filter((tag) => tag !== ''))];
}

type SnoozeProps = { conversation: Conversation; onChange: (until: string | null) => void };

function Snooze({ conversation: { snoozed_until, tenant_id }, onChange }: SnoozeProps) {
  const now = useNow();
  const snoozes = Object.entries(SNOOZES).map(([id, [text]]) => ({ id, text }));
  const isSnoozed = snoozed_until !== null;
  const current = isSnoozed ? [{ id: SNOOZED, text: t.snoozed }] : [];
  return (
    <>
      <Select
        label={t.snooze}
        options={[{ id: AWAKE, text: t.notSnoozed }, ...current, ...snoozes]}
        value={isSnoozed ? SNOOZED : AWAKE}
        onChange={(chosen) => {
          const [, ms] = SNOOZES[chosen] ?? [];
          if (ms !== undefined && now !== undefined) onChange(new Date(now.getTime() + ms).toISOString());
          else if (chosen === AWAKE) onChange(null);
        }}
      />
      {isSnoozed && (
        <p className={css.hint}>
          {rich(t.untilUntilPerson, <Moment at={snoozed_until} tenantId={tenant_id} format="long" />)}
        </p>
      )}
    </>
  );
}

/** Records that the console's user has read the unread part of a conversation while the page shows it. */
export function useMarkRead({ id, unread_count = 0, last_activity_at }: Conversation): void {
  const { role } = useSession();
  const reader = useUserName();
  const { mutate } = useWrite((api, by: string) => api.conversations.markRead(id, { reader: by }), {
    changes: ['conversations'],
    isRepeatable: true,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another activity may have the same count
  useEffect(() => {
    if (unread_count > 0 && reader !== null && role !== 'viewer') mutate(reader);
  }, [id, unread_count, last_activity_at, reader, role]);
}
