import { Link } from '@tanstack/react-router';
import { Mic, MicOff, Phone, PhoneOff } from 'lucide-react';
import { ledgerUrl } from '../../api/client.ts';
import { useWrite } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/phones.ts';
import { words } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import type { Desk, PhoneCall } from './desk.ts';
import { Keypad } from './keypad.tsx';
import css from './phones.module.css';
import { SpeakPanel } from './speak-panel.tsx';

const t = texts.callPanel;

type PanelProps = { desk: Desk; number: string; contact: string | undefined; onUse: (contact: string) => void };

/** The calls of one phone: ringing and answered calls, or a button that places a call. */
export function CallPanel({ desk, number, contact, onUse }: PanelProps) {
  const calls = desk.callsOf(number);
  const current = calls.filter(({ state }) => state !== 'over');
  const last = calls.findLast(({ state }) => state === 'over');
  const place = useWrite(
    async (api, to: string) => {
      const call = await api.test.createInboundCall({ from: number, to });
      desk.lines.goTo(number);
      await desk.follow(call.id);
    },
    { changes: ['calls'] },
  );
  if (current.length > 0) {
    return current.map((call, index) => (
      <CurrentCall
        key={call.id}
        desk={desk}
        number={number}
        call={call}
        position={current.length > 1 ? t.callOf(index + 1, current.length) : undefined}
      />
    ));
  }
  const press = () => {
    if (contact === undefined) return;
    onUse(contact);
    place.mutate(contact);
  };
  return (
    <div className={css.call}>
      {last !== undefined && <LastCall call={last} />}
      <Button kind="primary" isDisabled={contact === undefined || place.isPending} onPress={press}>
        <Phone aria-hidden /> {t.call(contact === undefined ? '' : formatNumber(contact))}
      </Button>
      <ErrorNote error={place.error} />
    </div>
  );
}

const SAID = {
  none: '',
  calling: t.calling,
  ringing: t.incomingCallFrom,
  talking: t.callText,
  over: '',
} as const;

type CurrentProps = { desk: Desk; number: string; call: PhoneCall; position: string | undefined };

/** A call of a phone. `position` distinguishes it from the phone's other calls. */
function CurrentCall({ desk, number, call, position }: CurrentProps) {
  const { id, state, party, other, isAtVoicemail } = call;
  const answer = useWrite(
    async (api) => {
      desk.lines.goTo(number);
      await api.test.answerCall(id, { target: number });
      await desk.look(id);
    },
    { changes: ['calls'] },
  );
  // A separate write, so that the person can decline a call while an answer is being sent.
  const hangUp = useWrite(
    async (api) => {
      await api.test.hangupCall(id, party === 'agent' ? { party, target: number } : { party });
      await desk.look(id);
    },
    { changes: ['calls'] },
  );
  return (
    <div
      className={css.call}
      data-state={state}
      {...(position !== undefined && { role: 'group', 'aria-label': position })}
    >
      {position !== undefined && <span className={css.dim}>{position}</span>}
      <p className={css.callState} role="status">
        <strong>{SAID[state]}</strong> {other === call.call.from && call.call.caller_name} {formatNumber(other)}
        {isAtVoicemail && <span className={css.dim}> {t.theVoicemail}</span>}
      </p>
      {state === 'ringing' ? (
        <div className={css.buttons}>
          <Button kind="primary" isDisabled={answer.isPending} onPress={() => answer.mutate()}>
            <Phone aria-hidden /> {t.answer}
          </Button>
          <Button kind="danger" onPress={() => hangUp.mutate()}>
            <PhoneOff aria-hidden /> {t.decline}
          </Button>
        </div>
      ) : (
        <>
          <Talk desk={desk} number={number} call={call} />
          <Button kind="danger" isDisabled={hangUp.isPending} onPress={() => hangUp.mutate()}>
            <PhoneOff aria-hidden /> {t.hangUp}
          </Button>
        </>
      )}
      <ErrorNote error={hangUp.error ?? answer.error} />
    </div>
  );
}

/** The audio and the actions of a phone on a call. */
function Talk({ desk, number, call }: { desk: Desk; number: string; call: PhoneCall }) {
  const isHere = desk.lines.here === number;
  const isMuted = desk.lines.isMuted(call.id, number);
  return (
    <>
      <Hearing call={call} />
      <div className={css.buttons}>
        {isHere ? (
          <Button small onPress={() => desk.lines.setMuted(call.id, number, !isMuted)}>
            {isMuted ? <MicOff aria-hidden /> : <Mic aria-hidden />} {isMuted ? t.unmute : t.mute}
          </Button>
        ) : (
          <Button small onPress={() => desk.lines.goTo(number)}>
            <Mic aria-hidden /> {t.speakListenHere}
          </Button>
        )}
        <Keypad call={call} />
      </div>
      <SpeakPanel desk={desk} call={call} />
    </>
  );
}

/** A louder level is a sound. The noise of mu-law is far below it. */
const SOUND_LEVEL = 0.004;
/** The level of the loudest voices. */
const FULL_LEVEL = 0.35;

/** Shows how loud the call is at this phone, even if the speaker is at another phone. */
function Hearing({ call: { line } }: { call: PhoneCall }) {
  if (line === undefined) return null;
  const { state, level, noMicrophone, problem } = line.state;
  const share = Math.min(1, Math.sqrt(level / FULL_LEVEL));
  const text = state === 'connected' ? (level > SOUND_LEVEL ? t.sound : t.silence) : t.states[state];
  return (
    <>
      <div className={css.hearing}>
        <span>{t.hears}</span>
        <div
          role="meter"
          aria-label={t.hears}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(share * 100)}
          aria-valuetext={text}
          className={css.meter}
        >
          <div style={{ inlineSize: `${share * 100}%` }} />
        </div>
        <span className={css.dim}>{text}</span>
      </div>
      {noMicrophone !== null && <p className={css.note}>{t.noMicrophonePhone(noMicrophone)}</p>}
      {problem !== null && <p className={css.note}>{t.audioNotConnected(problem)}</p>}
    </>
  );
}

/** The result of the last call, with the message on the voicemail. */
function LastCall({ call: { id, call, other } }: { call: PhoneCall }) {
  const ledger = useLedger();
  const { outcome, voicemail_id: voicemail } = call;
  return (
    <div className={css.last}>
      <p>
        <Link to={ledgerPath(ledger, `calls/${id}`)}>{t.callWith(formatNumber(other))}</Link>:{' '}
        {outcome === null ? t.over : words(outcome)}
      </p>
      {voicemail !== null && (
        // biome-ignore lint/a11y/useMediaCaption: the message has a transcript on the page of the call
        <audio controls aria-label={t.theMessage} src={`${ledgerUrl(ledger)}/v1/voicemails/${voicemail}/audio`} />
      )}
    </div>
  );
}
