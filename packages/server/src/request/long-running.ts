import type { RequestInfo } from './request-info.ts';

/** Requests that live as long as their client wants: no deadline, no place among those being served. */
export type LongRunningCheck = (info: RequestInfo) => boolean;

export const isWatch: LongRunningCheck = ({ verb }) => verb === 'watch';

/** Watches, and subresources that stream: which those are is asked for each request, because it may change. */
export function longRunningCheck(streams: LongRunningCheck): LongRunningCheck {
  return (info) => isWatch(info) || (info.subresource !== '' && streams(info));
}
