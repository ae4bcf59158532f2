import type { Call, Message, TimelineItem, Voicemail } from '@dialplane/sdk/resources';
import { Link } from '@tanstack/react-router';
import { Info, Paperclip, PhoneIncoming, PhoneMissed, PhoneOutgoing, Voicemail as VoicemailIcon } from 'lucide-react';
import { ledgerUrl } from '../../api/client.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { classes } from '../../lib/classes.ts';
import { formatLength } from '../../lib/dates.ts';
import { failureOf } from '../../lib/failures.ts';
import { texts } from '../../texts/inbox.ts';
import { Badge, Status } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Moment } from '../../ui/moment.tsx';
import { rich } from '../../ui/rich.tsx';
import { callbackOf, calledBackAt } from './callback.ts';
import { NoteLine } from './note-line.tsx';
import type { Outgoing } from './outbox.ts';
import css from './thread.module.css';

const t = texts.timelineItem;

/** `items`: the items of the thread that were read, newest first. */
type ItemProps = { item: TimelineItem; items: readonly TimelineItem[]; onOpen: (messageId: string) => void };

/** A text, call, voicemail or note in the thread. */
export function Item({ item, items, onOpen }: ItemProps) {
  if (item.object === 'message') return <Text message={item} onOpen={onOpen} />;
  if (item.object === 'note') return <NoteLine note={item} />;
  return item.object === 'call' ? <CallLine call={item} items={items} /> : <VoicemailLine voicemail={item} />;
}

function Text({ message, onOpen }: { message: Message; onOpen: (messageId: string) => void }) {
  const {
    id,
    direction,
    body,
    media,
    status,
    error_code,
    error_detail,
    send_at,
    created_at,
    tenant_id,
    group,
    redacted_at,
  } = message;
  return (
    <article className={classes(css.text, css[direction])} aria-label={direction === 'inbound' ? t.received : t.sent}>
      {body !== '' && (
        <p dir="auto" className={css.body}>
          {body}
        </p>
      )}
      {redacted_at !== null && <p className={css.body}>{t.textWasDeleted}</p>}
      {media.map(({ url, content_type }, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the position is the name of a file in its text
        <Media key={position} messageId={id} position={position} url={url} type={content_type} />
      ))}
      {error_code !== null && (
        <p className={css.why} title={[error_code, error_detail?.title ?? ''].join(' ').trim()}>
          {failureOf(error_code).why}
        </p>
      )}
      <footer className={css.foot}>
        {status === 'scheduled' ? (
          <span>{rich(t.goesOut, <Moment at={send_at} tenantId={tenant_id} />)}</span>
        ) : (
          <Moment at={created_at} tenantId={tenant_id} />
        )}
        {group && <span>{t.groupText}</span>}
        {direction === 'outbound' && <Status status={status} />}
        <IconButton label={t.details} small onPress={() => onOpen(id)}>
          <Info />
        </IconButton>
      </footer>
    </article>
  );
}

/** Matches the address of a file that this API stores. Other files are only links. */
const OWN_FILE = /\/v1\/messages\/[^/]+\/media\/\d+$/;

type MediaProps = { messageId: string; position: number; url: string; type: string | null };

function Media({ messageId, position, url, type }: MediaProps) {
  const ledger = useLedger();
  const address = URL.parse(url, ledgerUrl(ledger));
  if (address === null || !/^https?:$/.test(address.protocol)) return <p className={css.body}>{url}</p>;
  const isOwn = OWN_FILE.test(address.pathname);
  const href = isOwn ? `${ledgerUrl(ledger)}/v1/messages/${messageId}/media/${position}` : address.href;
  const name = isOwn ? t.file(position + 1) : (address.pathname.split('/').at(-1) ?? address.host);
  return (
    <a href={href} target="_blank" rel="noreferrer" className={css.media}>
      {isOwn && type?.startsWith('image/') ? (
        <img src={href} alt={name} loading="lazy" />
      ) : (
        <>
          <Paperclip aria-hidden /> {name}
        </>
      )}
    </a>
  );
}

function CallLine({ call, items }: { call: Call; items: readonly TimelineItem[] }) {
  const ledger = useLedger();
  const callback = callbackOf(call);
  const { id, direction, status, outcome, duration_seconds, summary, started_at, tenant_id, caller_name } = call;
  const isMissed = status === 'missed' || outcome === 'missed';
  const Icon = isMissed ? PhoneMissed : direction === 'inbound' ? PhoneIncoming : PhoneOutgoing;
  return (
    <article className={css.event} aria-label={t.call}>
      <Icon aria-hidden />
      <div>
        <Link to={ledgerPath(ledger, `calls/${id}`)}>{titleOf(call, isMissed)}</Link>{' '}
        {caller_name !== null && t.of(caller_name)}
        {duration_seconds > 0 && formatLength(duration_seconds)}{' '}
        {callback === undefined && <Status status={outcome ?? status} />}
        {callback !== undefined && <CalledBack call={call} at={calledBackAt(items, call)} />}
        {summary !== null && (
          <p dir="auto" className={css.summary}>
            {summary}
          </p>
        )}
      </div>
      <Moment at={started_at} tenantId={tenant_id} />
    </article>
  );
}

function titleOf(call: Call, isMissed: boolean): string {
  const callback = callbackOf(call);
  if (callback !== undefined) {
    const queue = callback.detail['queue_name'];
    return typeof queue === 'string' ? t.callbackIn(queue) : t.callback;
  }
  if (call.direction === 'outbound') return t.outgoingCall;
  return isMissed ? t.missedCall : t.incomingCall;
}

/** Shows when a caller who requested a callback was called back. */
function CalledBack({ call, at }: { call: Call; at: string | undefined }) {
  if (at === undefined) return t.notCalledBack;
  return <span>{rich(t.calledBack, <Moment at={at} tenantId={call.tenant_id} />)}</span>;
}

function VoicemailLine({ voicemail }: { voicemail: Voicemail }) {
  const ledger = useLedger();
  const { id, duration_seconds, transcript, created_at, tenant_id } = voicemail;
  return (
    <article className={css.event} aria-label={t.voicemail}>
      <VoicemailIcon aria-hidden />
      <div className={css.voicemail}>
        <span>{t.voicemailOf(formatLength(duration_seconds))}</span>
        {/* biome-ignore lint/a11y/useMediaCaption: the transcript stands below it */}
        <audio
          controls
          preload="none"
          aria-label={t.voicemailOf(formatLength(duration_seconds))}
          src={`${ledgerUrl(ledger)}/v1/voicemails/${id}/audio`}
        />
        {transcript !== null && (
          <p dir="auto" className={css.summary}>
            {transcript}
          </p>
        )}
      </div>
      <Moment at={created_at} tenantId={tenant_id} />
    </article>
  );
}

type OutgoingProps = { outgoing: Outgoing; onRetry: () => void; onEdit: () => void; onDiscard: () => void };

/** A text that is being sent, or that the API refused. */
export function OutgoingText({ outgoing, onRetry, onEdit, onDiscard }: OutgoingProps) {
  const { shown, send, error } = outgoing;
  return (
    <article
      className={classes(css.text, css.outbound, error === null ? css.sending : css.refused)}
      aria-label={t.sent}
    >
      {shown !== '' && (
        <p dir="auto" className={css.body}>
          {shown}
        </p>
      )}
      {send.media_urls !== undefined && <p className={css.body}>{t.files(send.media_urls.length)}</p>}
      <footer className={css.foot}>
        {error === null ? (
          t.sending
        ) : (
          <>
            <Badge tone="bad">{t.notSent}</Badge>
            <span role="alert">{error.body?.message ?? error.message}</span>
            <code>{error.code}</code>
            <Button small onPress={onRetry}>
              {t.tryAgain}
            </Button>
            <Button small onPress={onEdit}>
              {t.edit}
            </Button>
            <Button small onPress={onDiscard}>
              {t.discard}
            </Button>
          </>
        )}
      </footer>
    </article>
  );
}
