/** The messages that show a web client its calls. They are read from the database when they are due. */
import type { WebClientLegIds } from '../../carriers/ports/web-client.ts';
import type { Context } from '../../context.ts';
import { findContactName } from '../../domain/contacts/index.ts';
import {
  findCall,
  listAudioStates,
  readQueueOfCall,
  type TransferFailure,
  type WebClientName,
} from '../../domain/voice/index.ts';
import { isId } from '../../lib/ids.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { AudioAuthorizer } from './audio-authorizer.ts';
import type { ServerMessage, WebClientCallView } from './protocol.ts';
import type { Update } from './sent-state.ts';

export type CallMessagesOptions = {
  readonly webClient: WebClientName;
  readonly ledger: Ledger;
  /** The tenant whose contacts' names are shown; absent if the login may not read contacts. */
  readonly contactsOf?: string | undefined;
  /** Undefined if no gateway serves the audio of web clients. */
  readonly audio: AudioAuthorizer | undefined;
};

export type CallMessages = {
  /** Returns the message of an update; undefined for `media` while no gateway can take the audio. */
  ofUpdate(update: Update, ref: string | undefined): Promise<ServerMessage | undefined>;
  /** Returns `media`; undefined while no gateway can take the audio. */
  media(leg: WebClientLegIds): Promise<ServerMessage | undefined>;
  /** Returns `dialing`, with the `ref` of the client's `place` if it had one. */
  dialing(callId: string, ref: string | undefined): Promise<ServerMessage>;
};

export function createCallMessages(
  { db }: Pick<Context, 'db'>,
  { webClient, ledger, contactsOf, audio }: CallMessagesOptions,
): CallMessages {
  const nameOf = async (number: string): Promise<string | null> => {
    if (contactsOf === undefined) return null;
    return (await findContactName(db, { ledgerId: ledger.ledgerId, tenantId: contactsOf, number })) ?? null;
  };

  const summaryOf = async (callId: string): Promise<WebClientCallView> => {
    const call = await findCall(db, ledger, callId);
    const { direction = 'inbound', from = '', to = '', caller_name = null } = call ?? {};
    const contact_name = await nameOf(direction === 'inbound' ? from : to);
    const queue = direction === 'inbound' ? await readQueueOfCall(db, ledger, callId) : null;
    return { call_id: callId, direction, from, to, caller_name, contact_name, queue };
  };

  const media: CallMessages['media'] = async (leg) => {
    const address = await audio?.authorize(webClient, leg);
    return address && { type: 'media', call_id: leg.callId, ...address };
  };

  const dialing: CallMessages['dialing'] = async (callId, ref) => ({
    type: 'dialing',
    ...(await summaryOf(callId)),
    ...(ref !== undefined && { ref }),
  });

  /** Returns `dialing` for a call that the web client listens to. */
  const listening = async ({ callId, legId: id }: WebClientLegIds): Promise<ServerMessage> => {
    const call = (await listAudioStates(db, ledger, [callId])).get(callId);
    const speaksTo = call?.listeners.find((listener) => listener.id === id)?.speaksTo ?? 'none';
    return { type: 'dialing', ...(await summaryOf(callId)), listener: { id, speaks_to: speaksTo } };
  };

  return {
    media,
    dialing,
    ofUpdate: async ({ leg, ...update }, ref) => {
      const { callId: call_id } = leg;
      switch (update.type) {
        case 'incoming':
          return { type: 'incoming', ...(await summaryOf(call_id)), consulted_by: leg.consultedBy };
        case 'dialing':
          return isId('listener', leg.legId) ? listening(leg) : dialing(call_id, ref);
        case 'media':
          return media(leg);
        case 'transfer':
          return { type: 'transfer', call_id, transfer: leg.transfer, ...failureOf(update) };
        case 'consult':
          return { type: 'consult', call_id, consulted_by: leg.consultedBy };
        case 'ended': {
          const outcome = (await findCall(db, ledger, call_id))?.outcome ?? null;
          return { type: 'ended', call_id, reason: update.reason, outcome };
        }
        default:
          return { type: update.type, call_id };
      }
    },
  };
}

function failureOf({ failure }: { readonly failure?: TransferFailure | undefined }) {
  return failure === undefined ? {} : { failure };
}
