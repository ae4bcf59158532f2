export { createCallLanes } from './calls/commands/command-lanes.ts';
export { hasWaitingCommands } from './calls/commands/lane-queries.ts';
export { listenRoutes } from './calls/control/listen-routes.ts';
export { talkRoutes } from './calls/control/talk-routes.ts';
export { type OwnTransfer, transferOwnCall } from './calls/control/transfer-own-call.ts';
export { type CallAudioState, listAudioStates } from './calls/execution/audio-state-queries.ts';
export { callCountOf } from './calls/execution/call-signal.ts';
export { applyVoiceEvents } from './calls/inputs/call-inputs.ts';
export { createTimerHandler } from './calls/inputs/call-timers.ts';
export { keepCutUtterance } from './calls/inputs/cut-utterance.ts';
export { callSweeps } from './calls/inputs/heal-calls.ts';
export { reportFinding } from './calls/inputs/heard-answer.ts';
export { createReportTaker } from './calls/inputs/take-reports.ts';
export { RUNNING_STATES } from './calls/list-queries.ts';
export { announcementText } from './calls/machine/announcements.ts';
export { placeWebClientCall } from './calls/place/place-own-call.ts';
export { findCall, findCallConnection, isWithoutVoicemail, STATE_KEY } from './calls/queries.ts';
export { callRoutes, callTimeline } from './calls/routes.ts';
export { Call } from './calls/schema.ts';
export type { ListenerHearers } from './calls/state/call-listener.ts';
export type { TransferFailure } from './calls/state/call-transfer.ts';
export { deleteAudio } from './deletion/delete-audio.ts';
export { deleteTranscripts } from './deletion/delete-transcript.ts';
export { voiceEventData } from './event-data.ts';
export { audioSweeps } from './media-streams/audio-sweeps.ts';
export {
  type ClaimedDial,
  type ClaimedStream,
  claimDial,
  findOverStreams,
  listDials,
} from './media-streams/connection-queries.ts';
export {
  claimStream,
  closeStream,
  connectStream,
  sendStreamDigits,
  untilStreamRequested,
} from './media-streams/connections.ts';
export { type AgentDigits, agentDigitsOf } from './media-streams/digit-signal.ts';
export { openIngestToken } from './media-streams/ingest-token.ts';
export { streamJobs, streamSweeps } from './media-streams/jobs.ts';
export { claimAudio, endAudio } from './media-streams/leg-audio.ts';
export {
  chooseNode,
  chooseNodeNow,
  findLeftCalls,
  findNodeUrl,
  removeNode,
  seeNode,
} from './media-streams/node-queries.ts';
export { mediaStreamRoutes } from './media-streams/routes.ts';
export {
  type AudioLeft,
  audioLeftOf,
  type StreamDial,
  type StreamEnd,
  streamDialOf,
  streamEndOf,
} from './media-streams/stream-signal.ts';
export { audioJobs } from './post-call/jobs.ts';
export { deleteTenantQueues } from './queues/change-queues.ts';
export { createQueueDecider } from './queues/decide-queue.ts';
export { queueSweep } from './queues/lost-legs.ts';
export { setOwnAvailability } from './queues/own-availability.ts';
export { type OwnQueue, type QueueOfCall, readOwnQueues, readQueueOfCall } from './queues/own-queries.ts';
export { findQueueTenants } from './queues/queries.ts';
export { callQueueRoutes } from './queues/routes.ts';
export { dropLedgerAudio } from './recordings/drop-audio.ts';
export { recordingRoutes } from './recordings/routes.ts';
export { relayRoutes } from './relays/routes.ts';
export { sweepVoice, voiceRetention } from './retention/voice-retention.ts';
export { sipPhoneRoutes } from './telephones/routes.ts';
export { transcriptRoutes } from './transcripts/routes.ts';
export { voicemailRoutes, voicemailTimeline } from './voicemails/routes.ts';
export { endAgentSpeech, onAgentSpeech } from './web-clients/agent-speech.ts';
export { type CopiesOf, webClientLegJob } from './web-clients/change-leg.ts';
export { requireWebClient, revokeTenantWebClients } from './web-clients/change-web-clients.ts';
export { findPlacedCall, namePlacedCall, type PlacedCall } from './web-clients/dial-queries.ts';
export { actAtWebClient, createWebClientExchange, type WebClientExchange } from './web-clients/exchange.ts';
export {
  type ConsultingAgent,
  listLiveLegs,
  type ShownTransfer,
  type WebClientLeg,
} from './web-clients/leg-queries.ts';
export { type LoginGrant, ledgerOfLoginToken, openLoginToken } from './web-clients/login-token.ts';
export { listActiveWebClients } from './web-clients/queries.ts';
export { webClientReleaseJob } from './web-clients/release-web-client.ts';
export type { WebClientRoutes } from './web-clients/route-commands.ts';
export { webClientRoutes } from './web-clients/routes.ts';

export {
  closeSession,
  lockWebClient,
  openSession,
  readSessionState,
  renewSessions,
  type WebClientSession,
} from './web-clients/session-queries.ts';
export { type AgentSpeech, claimSpeeches, releaseSpeech } from './web-clients/speech-queries.ts';
export { type WebClientName, wakeWebClient, webClientOfSignal } from './web-clients/web-client-signal.ts';
