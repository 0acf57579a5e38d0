import type { ApiRequest, RequestContext } from './pipeline.ts';

/** Only filters write to a request; everybody further in sees it as it is. */
export type MutableRequest = { -readonly [Field in keyof ApiRequest]: ApiRequest[Field] };

export function newContext(auditId: string, receivedMs: number): RequestContext {
  return {
    auditId,
    receivedMs,
    waitedMs: 0,
    audit: undefined,
    auditAnnotations: undefined,
    endListeners: undefined,
    responseHeaders: undefined,
    releaseSeat: undefined,
  };
}

/** A stream's end is known to the outermost filter alone, so the others leave word with it. */
export function onRequestEnd({ context }: ApiRequest, run: () => void): void {
  if (context === undefined) return;
  context.endListeners ??= [];
  context.endListeners.push(run);
}

/** Leaves word how the seat of a request is given back; whoever wants it back in the end calls what this returns. */
export function holdSeat({ context }: ApiRequest, release: () => void): () => void {
  let isReleased = false;
  const releaseSeat = (): void => {
    if (isReleased) return;
    isReleased = true;
    release();
  };
  if (context !== undefined) context.releaseSeat = releaseSeat;
  return releaseSeat;
}

/** What this request waits for from now on is no work of this process, so it keeps nobody from being served. */
export function freeSeat({ context }: ApiRequest): void {
  context?.releaseSeat?.();
}
