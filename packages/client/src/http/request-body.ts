import type { Readable, Writable } from 'node:stream';

/** The code of a request that ended because its own body failed, which is no failure of the server. */
export const REQUEST_BODY_INCOMPLETE = 'ERR_REQUEST_BODY_INCOMPLETE';

/**
 * Sends a body as it arrives, no faster than the connection accepts it. An incomplete body never ends the request: the
 * server must not take a part for the whole.
 */
export function sendBody(body: Readable, to: Writable, breakOff: (problem: Error) => void): void {
  const fail = (cause?: unknown): void => {
    const problem = new Error('the body of the request broke off', { cause });
    breakOff(Object.assign(problem, { code: REQUEST_BODY_INCOMPLETE }));
  };
  const end = (): void => {
    if (isIncomplete(body)) fail();
    else to.end();
  };
  const close = (): void => {
    if (!body.readableEnded) fail();
  };
  if (body.readableEnded) {
    end();
    return;
  }
  if (body.destroyed) {
    fail(body.errored);
    return;
  }
  body.once('end', end).once('error', fail).once('close', close);
  to.once('close', () => {
    body.unpipe(to);
    body.off('end', end).off('error', fail).off('close', close);
  });
  body.pipe(to, { end: false });
}

/** A stream of HTTP/2 that was reset ends like a complete one, and so does a message whose connection broke. */
export function isIncomplete(body: Readable): boolean {
  const { aborted, rstCode, complete } = body as Partial<
    Record<'aborted' | 'complete', boolean> & { rstCode: number }
  >;
  return aborted === true || complete === false || (rstCode ?? 0) !== 0;
}
