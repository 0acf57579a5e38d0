import type { RequestInfo } from './request-info.ts';

/** Long-running requests have no deadline and do not count as in flight. */
export type LongRunningCheck = (info: RequestInfo) => boolean;

export const isWatch: LongRunningCheck = ({ verb }) => verb === 'watch';

/** Watches and streaming subresources; `streams` is called for each request, because resources come and go. */
export function longRunningCheck(streams: LongRunningCheck): LongRunningCheck {
  return (info) => isWatch(info) || (info.subresource !== '' && streams(info));
}
