/** Calls of the emulated Telnyx whose persons talk only when a test says so. */
import assert from 'node:assert/strict';
import { until } from '../../support/jobs.ts';
import type { Received } from '../../support/receiver.ts';
import { type Answer, useTelnyxApi } from '../telnyx-api.ts';

export const ANN = '+13035550142';
export const BOB = '+13035550143';

export type AudioLeg = {
  readonly call_control_id: string;
  readonly call_leg_id: string;
  readonly call_session_id: string;
};

type CallEvent = {
  readonly event_type: string;
  readonly payload: AudioLeg & { readonly [name: string]: unknown };
};

const eventOf = ({ body }: Received): CallEvent => JSON.parse(body).data;

/** Starts the emulator for the tests of the file. Each test has an empty account. */
export async function useCallAudio() {
  const { receiver, control, call } = await useTelnyxApi();
  const comes = async (type: string, isWanted: (event: CallEvent) => boolean = () => true): Promise<CallEvent> => {
    let found: CallEvent | undefined;
    await until(`${type} comes`, async () => {
      found = receiver.received.map(eventOf).find((event) => event.event_type === type && isWanted(event));
      return found !== undefined;
    });
    return found as CallEvent;
  };
  const make = async (path: string, body: object): Promise<{ id: string }> => {
    const reply = await call('POST', path, body);
    assert.equal(reply.status < 300, true, JSON.stringify(reply.body));
    return reply.data;
  };
  const command = (leg: AudioLeg, action: string, body: object): Promise<Answer> =>
    call('POST', `/calls/${encodeURIComponent(leg.call_control_id)}/actions/${action}`, body);
  const legOf = async (id: string): Promise<AudioLeg> =>
    (await comes('call.answered', ({ payload }) => payload.call_control_id === id)).payload;

  /** Ann calls a new number of the account, and is answered. */
  const callIn = async () => {
    const { id: outbound_voice_profile_id } = await make('/outbound_voice_profiles', { name: 'out' });
    const application = { application_name: 'desk', webhook_event_url: receiver.url, webhook_api_version: '2' };
    const connection = await make('/call_control_applications', {
      ...application,
      outbound: { outbound_voice_profile_id },
    });
    const offered = await call('GET', '/available_phone_numbers?filter[national_destination_code]=303');
    const [{ phone_number: number = '' } = {}] = offered.data as { phone_number: string }[];
    await make('/number_orders', { phone_numbers: [{ phone_number: number }], connection_id: connection.id });
    for (const phoneNumber of [ANN, BOB]) await control.person({ phoneNumber, saysMs: 0, hangsUpAfterMs: null });
    const id = await control.callIn({ from: ANN, to: number });
    await command({ call_control_id: id, call_leg_id: '', call_session_id: '' }, 'answer', {});
    return { ...(await legOf(id)), number, connectionId: connection.id };
  };

  /** Ann and Bob hear each other. */
  const bridged = async (): Promise<{ ann: AudioLeg; bob: AudioLeg }> => {
    const ann = await callIn();
    const { data } = await call('POST', '/calls', { connection_id: ann.connectionId, to: BOB, from: ann.number });
    const bob = await legOf((data as AudioLeg).call_control_id);
    const reply = await command(ann, 'bridge', { call_control_id: bob.call_control_id });
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    return { ann, bob };
  };
  /** A person talks, for the first time. Resolves once it has begun. */
  const talks = async (phoneNumber: string, ms: number): Promise<void> => {
    await control.say({ phoneNumber, ms });
    const isHeard = async () => (await control.said({ phoneNumber, lastMs: 2_000 })).level > 0;
    await until(`${phoneNumber} talks`, isHeard);
  };
  /** Waits until nothing is under way, and returns the reports that arrived. */
  const events = async (): Promise<CallEvent[]> => {
    await control.settled({});
    return receiver.received.map(eventOf);
  };
  return { receiver, control, call, command, callIn, bridged, talks, comes, events };
}
