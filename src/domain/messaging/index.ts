export { forgetReplies } from './auto-replies/queries.ts';
export { AUTO_REPLY, type AutoReply, answersCalls, createAutoReplier, replyJobId } from './auto-replies/reply-job.ts';
export { applyMessagingEvents } from './carrier-events.ts';
export {
  type ExistingActivity,
  recordActivities,
  recordActivitySql,
  touchConversationSql,
} from './conversations/activity-queries.ts';
export { announceReopened } from './conversations/announce.ts';
export { conversationRoutes } from './conversations/routes.ts';
export type { ConversationField } from './conversations/schema.ts';
export { createSnoozeHandler } from './conversations/snooze-job.ts';
export type { TimelineSource } from './conversations/timeline.ts';
export { createCampaignLanes } from './dispatch/lane-handler.ts';
export { countPacedMessages } from './dispatch/queries.ts';
export { sendEmergencyTexts } from './emergency-texts/send-emergency-texts.ts';
export { messagingEventData } from './event-data.ts';
export { createMediaKeeper, dropLedgerMedia } from './media/keep-media.ts';
export { mediaRoutes } from './media/routes.ts';
export { isBodyTooLong } from './messages/draft.ts';
export { findInboundByCarrierRef } from './messages/inbound-queries.ts';
export { findMessage } from './messages/queries.ts';
export { messageRoutes } from './messages/routes.ts';
export { BODY_CHARS_MAX } from './messages/rules.ts';
export { Message } from './messages/schema.ts';
export { createSubmitBatchHandler, createSubmitHandler } from './messages/submit-message.ts';
export { deleteNotesOf, sweepNotes } from './notes/queries.ts';
export { noteRoutes, noteTimeline } from './notes/routes.ts';
export { forgetCandidates } from './opt-out-candidates/queries.ts';
export { optOutCandidateRoutes } from './opt-out-candidates/routes.ts';
export { optOutByRequest, optOutOnForm } from './opt-outs/change-opt-out.ts';
export { isSpokenStop } from './opt-outs/keywords.ts';
export { isOptedOutOfCalls } from './opt-outs/queries.ts';
export { optOutRoutes } from './opt-outs/routes.ts';
export { OPTED_OUT } from './opt-outs/rules.ts';
export { OptOut } from './opt-outs/schema.ts';
export { createRedactionHandler } from './redaction/redaction-job.ts';
export { redactMessageRoutes } from './redaction/routes.ts';
export { deleteMessages, sweepMessages } from './retention/message-retention.ts';
export { readQuietEnd } from './scheduling/plan-send.ts';
export { createReleaseHandler } from './scheduling/release-texts.ts';
export { cancelMessageRoutes } from './scheduling/routes.ts';
export { messagingSweeps } from './sweeps.ts';
export { deleteTenantTemplates } from './templates/change-templates.ts';
export { messageTemplateRoutes } from './templates/routes.ts';
