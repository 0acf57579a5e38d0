/** Words for `kubectl explain`, by type and by field. */
export const descriptions = (): Readonly<Record<string, string>> => ({
  Event: 'A report of something that happened to an object. Events are forgotten after a while.',
  'Event.eventTime': 'When it was first seen.',
  'Event.series': 'How it goes on, when it happens again and again.',
  'Event.reportingController': 'The controller that reports it.',
  'Event.reportingInstance': 'Which instance of the controller it was.',
  'Event.action': 'What was done or failed.',
  'Event.reason': 'Why it was done, as one word for programs.',
  'Event.regarding': 'What it happened to.',
  'Event.related': 'A second object that has to do with it.',
  'Event.note': 'What happened, as a sentence for people, up to one kilobyte.',
  'Event.type': 'Normal or Warning.',
  'Event.deprecatedSource': 'Who reported it, for readers of the older kind.',
  'Event.deprecatedFirstTimestamp': 'When it was first seen, for readers of the older kind.',
  'Event.deprecatedLastTimestamp': 'When it was last seen, for readers of the older kind.',
  'Event.deprecatedCount': 'How often it was seen, for readers of the older kind.',

  EventSeries: 'An event that happens again and again.',
  'EventSeries.count': 'How often, up to the last time.',
  'EventSeries.lastObservedTime': 'When it was last seen.',
});
