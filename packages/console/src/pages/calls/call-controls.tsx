import type { Call, TransferCall } from '@dialplane/sdk/resources';
import { useState } from 'react';
import type { Api } from '../../api/client.ts';
import { useWrite } from '../../api/queries.ts';
import { e164Of } from '../../lib/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, TextField } from '../../ui/field.tsx';
import { Form, type FormValues } from '../../ui/form.tsx';
import { isHeld } from './lanes.ts';
import { ListenButton } from './listeners.tsx';
import { transferModeOf } from './progress.ts';

const CHANGES = ['calls', 'timeline'];

type Asked = 'transfer' | 'speak' | 'gather' | 'dtmf';

/** What can be done to a call while it lasts. */
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
            text={isOnHold ? 'Resume' : 'Hold'}
            act={(api) => (isOnHold ? api.calls.resume(id) : api.calls.hold(id))}
          />
          <TransferButtons call={call} onAsk={() => setAsked('transfer')} />
          <ListenButton call={call} />
          <Button onPress={() => setAsked('speak')}>Speak</Button>
          <Button onPress={() => setAsked('gather')}>Ask for digits</Button>
          <Button onPress={() => setAsked('dtmf')}>Send digits</Button>
          <RecordingButtons call={call} />
          {!isTranscribed && <ActButton text="Transcribe" act={(api) => api.calls.startTranscription(id)} />}
        </>
      )}
      <ActButton text="Hang up" isDanger act={(api) => api.calls.hangUp(id)} />
      {asked !== null && <Ask key={asked} callId={id} asked={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

/** Starts a transfer, or completes and cancels the one with a talk that is under way. */
function TransferButtons({ call, onAsk }: { call: Call; onAsk: () => void }) {
  if (transferModeOf(call) !== 'consult') return <Button onPress={onAsk}>Transfer</Button>;
  return (
    <>
      <ActButton text="Complete transfer" act={(api) => api.calls.completeTransfer(call.id)} />
      <ActButton text="Cancel transfer" act={(api) => api.calls.cancelTransfer(call.id)} />
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
  if (!isRecorded) return <ActButton text="Record" act={act('start')} />;
  return (
    <>
      <ActButton text={isPaused ? 'Resume recording' : 'Pause recording'} act={act(isPaused ? 'resume' : 'pause')} />
      <ActButton text="Stop recording" act={act('stop')} />
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
      {done.error !== null && <span role="alert">{done.error.body?.message ?? done.error.message}</span>}
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
      /** A choice below the field: its name, with the value "on", and its text. */
      choice?: readonly [name: string, text: string];
      send: (api: Api, id: string, values: FormValues) => Promise<unknown>;
    }
  >
> = {
  transfer: {
    title: 'Transfer the call',
    submit: 'Transfer',
    name: 'to',
    label: 'To',
    hint: 'A number, a web client (wcl_…) or "voicemail". The customer hears hold audio until the new agent answers.',
    choice: ['consult', 'The agent talks to the new one first'],
    send: (api, id, { to = '', consult }) =>
      api.calls.transfer(id, { to: e164Of(to), ...(consult !== undefined && { mode: 'consult' }) } as TransferCall),
  },
  speak: {
    title: 'Say something to the customer',
    submit: 'Speak',
    name: 'text',
    label: 'Words',
    send: (api, id, { text = '' }) => api.calls.speak(id, { text }),
  },
  gather: {
    title: 'Ask the customer for digits',
    submit: 'Ask',
    name: 'prompt',
    label: 'What the customer hears',
    hint: 'For example: Press 1 to keep your appointment. One digit ends it.',
    send: (api, id, { prompt = '' }) => api.calls.startGather(id, { prompt }),
  },
  dtmf: {
    title: 'Send digits to the customer',
    submit: 'Send',
    name: 'digits',
    label: 'Digits',
    hint: '0 to 9, *, # and A to D',
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
