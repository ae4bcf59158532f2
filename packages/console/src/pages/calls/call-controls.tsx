import type { Call, TransferCall } from '@dialplane/sdk/resources';
import { useState } from 'react';
import type { Api } from '../../api/client.ts';
import { useWrite } from '../../api/queries.ts';
import { e164Of } from '../../lib/numbers.ts';
import { texts } from '../../texts/calls.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, TextField } from '../../ui/field.tsx';
import { Form, type FormValues } from '../../ui/form.tsx';
import { refusalOf } from '../../ui/refusal.ts';
import { isHeld } from './lanes.ts';
import { ListenButton } from './listeners.tsx';
import { transferModeOf } from './progress.ts';

const t = texts.callControls;

const CHANGES = ['calls', 'timeline'];

type Asked = 'transfer' | 'speak' | 'gather' | 'dtmf';

/** The actions on a running call. */
export function CallControls({ call }: { call: Call }) {
  const { id, status, events } = call;
  const [asked, setAsked] = useState<Asked | null>(null);
  const isOnHold = isHeld(call);
  const isTranscribed = events.some(({ type }) => type === 'transcription_started');
  const isTalking = status === 'in_progress';
  return (
    <>
      {isTalking && (
        <>
          <ActButton
            text={isOnHold ? t.resume : t.hold}
            act={(api) => (isOnHold ? api.calls.resume(id) : api.calls.hold(id))}
          />
          <TransferButtons call={call} onAsk={() => setAsked('transfer')} />
          <ListenButton call={call} />
          <Button onPress={() => setAsked('speak')}>{t.speak}</Button>
          <Button onPress={() => setAsked('gather')}>{t.askForDigits}</Button>
          <Button onPress={() => setAsked('dtmf')}>{t.sendDigits}</Button>
          <RecordingButtons call={call} />
          {!isTranscribed && <ActButton text={t.transcribe} act={(api) => api.calls.startTranscription(id)} />}
        </>
      )}
      <ActButton text={t.hangUp} isDanger act={(api) => api.calls.hangUp(id)} />
      {asked !== null && <Ask key={asked} callId={id} asked={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

/** Starts a transfer; or completes or cancels a transfer whose agents are talking. */
function TransferButtons({ call, onAsk }: { call: Call; onAsk: () => void }) {
  if (transferModeOf(call) !== 'consult') return <Button onPress={onAsk}>{t.transfer}</Button>;
  return (
    <>
      <ActButton text={t.completeTransfer} act={(api) => api.calls.completeTransfer(call.id)} />
      <ActButton text={t.cancelTransfer} act={(api) => api.calls.cancelTransfer(call.id)} />
    </>
  );
}

/** Starts, pauses and stops the recording. */
function RecordingButtons({ call: { id, events } }: { call: Call }) {
  const last = events.findLast(({ type }) => RECORDING_EVENTS.has(type))?.type;
  const isRecorded = last !== undefined && last !== 'recording_stopped';
  const isPaused = last === 'recording_paused';
  const act = (action: 'start' | 'pause' | 'resume' | 'stop') => (api: Api) =>
    api.calls.controlRecording(id, { action });
  if (!isRecorded) return <ActButton text={t.record} act={act('start')} />;
  return (
    <>
      <ActButton text={isPaused ? t.resumeRecording : t.pauseRecording} act={act(isPaused ? 'resume' : 'pause')} />
      <ActButton text={t.stopRecording} act={act('stop')} />
    </>
  );
}

const RECORDING_EVENTS: ReadonlySet<Call['events'][number]['type']> = new Set([
  ...(['recording_started', 'recording_paused', 'recording_resumed', 'recording_stopped'] as const),
]);

type ActButtonProps = { text: string; isDanger?: boolean; act: (api: Api) => Promise<unknown> };

function ActButton({ text, isDanger = false, act }: ActButtonProps) {
  const done = useWrite((api) => act(api), { changes: CHANGES });
  return (
    <>
      <Button kind={isDanger ? 'danger' : 'plain'} isPending={done.isPending} onPress={() => done.mutate(undefined)}>
        {text}
      </Button>
      {done.error !== null && <span role="alert">{refusalOf(done.error)}</span>}
    </>
  );
}

const FORMS: Readonly<
  Record<
    Asked,
    {
      title: string;
      submit: string;
      name: string;
      label: string;
      hint?: string;
      /** A choice below the field: its name, which gets the value "on", and its text. */
      choice?: readonly [name: string, text: string];
      send: (api: Api, id: string, values: FormValues) => Promise<unknown>;
    }
  >
> = {
  transfer: {
    title: t.transferTheCall,
    submit: t.transfer,
    name: 'to',
    label: t.to,
    hint: t.numberWebClient,
    choice: ['consult', t.agentTalksNew],
    send: (api, id, { to = '', consult }) =>
      api.calls.transfer(id, { to: e164Of(to), ...(consult !== undefined && { mode: 'consult' }) } as TransferCall),
  },
  speak: {
    title: t.saySomethingCustomer,
    submit: t.speak,
    name: 'text',
    label: t.words,
    send: (api, id, { text = '' }) => api.calls.speak(id, { text }),
  },
  gather: {
    title: t.askCustomerDigits,
    submit: t.ask,
    name: 'prompt',
    label: t.whatCustomerHears,
    hint: t.examplePress1,
    send: (api, id, { prompt = '' }) => api.calls.startGather(id, { prompt }),
  },
  dtmf: {
    title: t.sendDigitsCustomer,
    submit: t.send,
    name: 'digits',
    label: t.digits,
    hint: t.n09D,
    send: (api, id, { digits = '' }) => api.calls.sendDtmf(id, { digits }),
  },
};

function Ask({ callId, asked, onClose }: { callId: string; asked: Asked; onClose: () => void }) {
  const { title, submit, name, label, hint, choice, send } = FORMS[asked];
  const sent = useWrite((api, values: FormValues) => send(api, callId, values), { changes: CHANGES, onDone: onClose });
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <Form
        submit={submit}
        fields={[name]}
        error={sent.error}
        isPending={sent.isPending}
        onCancel={onClose}
        onSubmit={(values) => sent.mutate(values)}
      >
        <TextField name={name} label={label} isRequired autoFocus {...(hint !== undefined && { hint })} />
        {choice !== undefined && (
          <Checkbox name={choice[0]} value="on">
            {choice[1]}
          </Checkbox>
        )}
      </Form>
    </Dialog>
  );
}
