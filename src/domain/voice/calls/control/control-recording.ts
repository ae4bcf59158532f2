/** The recording of a call that is in progress, as the API controls it. */
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../db/database.ts';
import type { Api } from '../../../../http/edge/types.ts';
import { Closed, Id } from '../../../../http/schemas/schemas.ts';
import { write } from '../../../../http/writes/write.ts';
import { ApiError } from '../../../../lib/errors/errors.ts';
import { newId } from '../../../../lib/ids.ts';
import type { Scope } from '../../../../lib/scope.ts';
import { Type } from '../../../../lib/type.ts';
import type { Speech } from '../../../../speech/port.ts';
import { findRouting } from '../../../numbers/index.ts';
import { RECORDING_ANNOUNCEMENT } from '../machine/announcements.ts';
import { isPaused, mayPause, requestedId } from '../machine/recording.ts';
import { findCall, markRecorded } from '../queries.ts';
import { speakingPhases } from '../request-speech.ts';
import type { Call as CallState } from '../state/call.ts';
import { RECORDING_ACTIONS, type RecordingControl } from '../state/call-recording.ts';
import { controlCall, getCall } from './control-call.ts';

const ControlRecording = Closed({
  action: Type.Enum([...RECORDING_ACTIONS], {
    description: 'A paused recording has silence, and what is said meanwhile is in no transcript',
  }),
});

const RecordingControlled = Type.Object({
  call_id: Type.String(),
  recording_id: Type.String({ description: 'The recording exists once it has ended and its audio is kept' }),
  status: Type.Enum(['recording', 'paused', 'stopped'], {
    description: 'recording: also while it is being announced',
  }),
});

const schema = {
  tags: ['Calls'],
  summary: 'Start, pause, resume or stop the recording of a call',
  params: Type.Object({ call_id: Id }),
  body: ControlRecording,
  response: { 200: RecordingControlled },
};

export function recordingControlRoute(api: Api, context: Context, speech: Pick<Speech, 'voice'>): void {
  api.post('/calls/:call_id/recording', { schema }, async (request, reply) => {
    const { scope, params, body } = request;
    const phases = speakingPhases(speech, scope, {
      text: RECORDING_ANNOUNCEMENT,
      isNeeded: async () =>
        body.action === 'start' && (await findCall(context.db, scope, params.call_id))?.status === 'in_progress',
      commit: async (tx, requireSpeech) => {
        const { announce, after } = await controlRecording(tx, { scope, callId: params.call_id, context }, body);
        if (announce) requireSpeech();
        return { call_id: params.call_id, ...shownRecording(after) };
      },
    });
    return await write(context, { request, reply, status: 200 }, phases);
  });
}

type Controlled = { readonly scope: Scope; readonly callId: string; readonly context: Pick<Context, 'carriers'> };

async function controlRecording(
  tx: Tx,
  { scope, callId, context: { carriers } }: Controlled,
  { action }: Pick<RecordingControl, 'action'>,
): Promise<{ readonly announce: boolean; readonly after: CallState }> {
  const announce = action === 'start' && (await announces(tx, scope, callId));
  const input = { type: 'control_recording', action, recordingId: newId('recording'), announce } as const;
  const { after, connection_id: connectionId } = await controlCall(tx, scope, callId, input);
  const needsPause = action === 'pause' || action === 'resume';
  if (needsPause && !carriers.declares('recording_pause', scope, connectionId)) {
    throw new ApiError('recording_not_active', { message: 'The carrier of this call cannot pause a recording.' });
  }
  if (action === 'start') await markRecorded(tx, scope, callId);
  return { announce, after };
}

/**
 * Returns whether a recording is announced: always for an outbound call, otherwise according to the number's config.
 */
async function announces(tx: Tx, scope: Scope, callId: string): Promise<boolean> {
  const { direction, phone_number_id } = await getCall(tx, scope, callId);
  const routing = direction === 'inbound' ? await findRouting(tx, scope, phone_number_id) : undefined;
  return routing?.config?.recording.consent_announcement ?? true;
}

function shownRecording(call: CallState) {
  const running = isPaused(call) ? ('paused' as const) : ('recording' as const);
  return { recording_id: requestedId(call), status: mayPause(call.recording) ? running : ('stopped' as const) };
}
