import type { HeaderList } from '@tributary/client';
import { connectionHeaderNames, isHopByHopHeader } from '@tributary/client/http';
import type { RequestHeaders } from '@tributary/server/request';

export interface ForwardedLineOptions {
  /** Lines of impersonation. */
  readonly subject: HeaderList;
  /** The connection leaves HTTP: what is said about it goes on, too. */
  readonly isUpgrade: boolean;
}

/** What the cluster is told as the client said it; without what is about the connection or about who asks. */
export function forwardedLines(
  headers: Pick<RequestHeaders, 'all' | 'lines'>,
  { subject, isUpgrade }: ForwardedLineOptions,
): HeaderList {
  const named = connectionHeaderNames(headers.all('connection'));
  const isOfConnection = (name: string) =>
    !isUpgrade && (isHopByHopHeader(name) || named.has(name));
  const lines: (readonly [string, string])[] = [];
  for (const line of headers.lines()) {
    if (!isOurs(line[0]) && !isOfConnection(line[0])) lines.push(line);
  }
  // Whether the client wants trailers is about the answer, which is passed on with them.
  if (!isUpgrade && headers.all('te').some((value) => /\btrailers\b/i.test(value))) {
    lines.push(['te', 'trailers']);
  }
  return [...lines, ...subject];
}

/** `Expect` was answered on the client's connection already; the rest says who asks, which is ours to say. */
function isOurs(name: string): boolean {
  return (
    name === 'host' ||
    name === 'expect' ||
    name === 'authorization' ||
    name.startsWith(':') ||
    name.startsWith('impersonate-') ||
    name.startsWith('x-remote-')
  );
}
