import type { RequestInfo } from '../request-info.ts';

/** Requests that live as long as their client wants: no deadline, no place among those being served. */
export type LongRunningCheck = (info: RequestInfo) => boolean;

export const isWatch: LongRunningCheck = ({ verb }) => verb === 'watch';

/** Watches, and subresources that stream; those are given as `GROUP/VERSION/RESOURCE/SUBRESOURCE`. */
export function longRunningCheck(subresources: ReadonlySet<string>): LongRunningCheck {
  if (subresources.size === 0) return isWatch;
  return (info) =>
    isWatch(info) ||
    (info.subresource !== '' &&
      subresources.has(`${info.group}/${info.version}/${info.resource}/${info.subresource}`));
}
