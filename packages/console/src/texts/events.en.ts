/** The texts in English. */
export const en = () => ({
  event: {
    eventWayAgain: 'The event is on its way again.',
    event: 'Event',
    sendAgain: 'Send again',
    resource: 'Resource',
    at: 'At',
    sequenceResource: 'Sequence of the resource',
    id: 'Id',
    envelope: 'Envelope',
    eventJson: 'The event as JSON',
    sendEventAgain: 'Send the event again',
    everyEndpointRegistered: 'Every endpoint that is registered for it gets it once more, with the same id.',
  },
  list: {
    events: 'Events',
    everythingHappenedLast: 'Everything that happened in the last 30 days. Webhook endpoints get the same envelopes.',
    type: 'Type',
    messageDelivered: 'message.delivered',
    resource: 'Resource',
    call: 'call_…',
    tenant: 'Tenant',
    at: 'At',
    noEvents: 'No events',
    eventsAppearSomething:
      'Events appear as something happens: a text arrives, a call ends. If a filter is set above, none matches it.',
  },
});
