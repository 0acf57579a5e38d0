/** Converts events between the core group and `events.k8s.io`. */

import type { Event, EventSeries } from '@tributary/api/core-v1';
import type { Event as NewEvent } from '@tributary/api/events-v1';
import type { KubeObject } from '@tributary/apimachinery';
import type { Content, Conversion } from '@tributary/server';

/** Untyped, because a definition takes conversions of any object. */
export const eventConversion: Conversion = {
  toStorage: (object) => toCoreEvent(object as KubeObject & NewEvent) as Content<KubeObject>,
  fromStorage: (object) => toNewEvent(object as KubeObject & Event) as Content<KubeObject>,
};

/** Has every field that the Go struct always writes, and no other empty one. */
export function toCoreEvent(event: NewEvent): Content<Event> {
  const { reason, note, deprecatedCount, type, series, action, related } = event;
  return {
    metadata: event.metadata,
    involvedObject: event.regarding ?? {},
    ...(reason && { reason }),
    ...(note && { message: note }),
    source: event.deprecatedSource ?? {},
    firstTimestamp: event.deprecatedFirstTimestamp ?? null,
    lastTimestamp: event.deprecatedLastTimestamp ?? null,
    ...(deprecatedCount && { count: deprecatedCount }),
    ...(type && { type }),
    eventTime: event.eventTime ?? null,
    ...(series && { series: coreSeries(series) }),
    ...(action && { action }),
    ...(related && { related }),
    reportingComponent: event.reportingController ?? '',
    reportingInstance: event.reportingInstance ?? '',
  };
}

export function toNewEvent(event: Event): Content<NewEvent> {
  const { series, reportingComponent, reportingInstance, action, reason } = event;
  const { related, message, type, count } = event;
  return {
    metadata: event.metadata,
    eventTime: event.eventTime ?? null,
    ...(series && {
      series: { count: series.count ?? 0, lastObservedTime: series.lastObservedTime ?? null },
    }),
    ...(reportingComponent && { reportingController: reportingComponent }),
    ...(reportingInstance && { reportingInstance }),
    ...(action && { action }),
    ...(reason && { reason }),
    regarding: event.involvedObject ?? {},
    ...(related && { related }),
    ...(message && { note: message }),
    ...(type && { type }),
    deprecatedSource: event.source ?? {},
    deprecatedFirstTimestamp: event.firstTimestamp ?? null,
    deprecatedLastTimestamp: event.lastTimestamp ?? null,
    ...(count && { deprecatedCount: count }),
  };
}

function coreSeries({ count, lastObservedTime }: EventSeries): EventSeries {
  return { ...(count && { count }), lastObservedTime: lastObservedTime ?? null };
}
