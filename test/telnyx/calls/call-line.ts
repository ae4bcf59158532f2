/** A call control application, a number of it, and what a test sees of calls. */
import assert from 'node:assert/strict';
import { beforeEach } from 'node:test';
import type { Received } from '../../support/receiver.ts';
import { useTelnyxApi } from '../telnyx-api.ts';

export const PERSON = '+13035550142';
export const OTHER = '+13035550143';

export type CallEvent = {
  readonly id: string;
  readonly event_type: string;
  readonly occurred_at: string;
  readonly payload: Readonly<Record<string, string | boolean | undefined>> & { readonly call_control_id: string };
};

type Dialed = { readonly call_control_id: string; readonly call_session_id: string; readonly is_alive: boolean };

/** Starts the emulator for the tests of the file. Each test has an application with a number, and quick speeches. */
export async function useCallLine() {
  const api = await useTelnyxApi();
  const { call, control, receiver } = api;
  const line = { connectionId: '', number: '', profileId: '' };
  const setUp = async () => {
    await control.set({ characterMs: 10 });
    const profile = (await call('POST', '/outbound_voice_profiles', { name: 'voice' })).data as { id: string };
    line.profileId = profile.id;
    const application = await call('POST', '/call_control_applications', {
      application_name: 'desk',
      webhook_event_url: `${receiver.url}/application`,
      webhook_api_version: '2',
      outbound: { outbound_voice_profile_id: profile.id },
    });
    line.connectionId = (application.data as { id: string }).id;
    const found = await call('GET', '/available_phone_numbers?filter[national_destination_code]=303');
    line.number = (found.data as { phone_number: string }[])[0]?.phone_number ?? '';
    const phone_numbers = [{ phone_number: line.number }];
    await call('POST', '/number_orders', { phone_numbers, connection_id: line.connectionId });
  };
  beforeEach(setUp);
  /** Sends `POST /calls` from the number to a person. */
  const requestDial = (more: object = {}) =>
    call('POST', '/calls', { connection_id: line.connectionId, from: line.number, to: PERSON, ...more });
  const dial = async (more: object = {}): Promise<Dialed> => {
    const reply = await requestDial(more);
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    return reply.data as Dialed;
  };
  const act = (id: string, action: string, body: object = {}) => call('POST', `/calls/${id}/actions/${action}`, body);
  /** Carries out a command that must succeed. */
  const done = async (id: string, action: string, body: object = {}): Promise<void> => {
    const reply = await act(id, action, body);
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
  };
  /** Waits until no person is about to act, and returns the events that arrived, oldest first. */
  const events = async (): Promise<CallEvent[]> => {
    await control.callsQuiet({});
    return receiver.received.map(eventOf);
  };
  /** Returns the types of the events about a leg, in the order they arrived, without `call.`. */
  const typesOf = async (id: string): Promise<string[]> =>
    (await events())
      .filter(({ payload }) => payload.call_control_id === id)
      .map(({ event_type }) => event_type.replace('call.', ''));
  /** Returns the payload of the newest event of a type about a leg. */
  const payloadOf = async (id: string, type: string): Promise<CallEvent['payload']> =>
    (await events()).findLast((each) => each.event_type === type && each.payload.call_control_id === id)?.payload ??
    assert.fail(`no ${type}`);
  /** Dials and waits for the answer. Returns the `call_control_id`. */
  const dialUp = async (more: object = {}): Promise<string> => {
    const { call_control_id } = await dial(more);
    await control.callsQuiet({});
    return call_control_id;
  };
  const legOf = async (id: string) =>
    (await control.calls({})).find((leg) => leg.call_control_id === id) ?? assert.fail(`no leg ${id}`);
  return { ...api, line, setUp, requestDial, dial, dialUp, act, done, events, typesOf, payloadOf, legOf };
}

function eventOf({ body }: Received): CallEvent {
  return JSON.parse(body).data;
}
