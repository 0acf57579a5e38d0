import type { ApiRequest, RequestContext } from './pipeline.ts';

/** Only filters modify a request; handlers see it as readonly. */
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

/** Registers a listener: only the outermost filter knows when a stream ends. */
export function onRequestEnd({ context }: ApiRequest, run: () => void): void {
  if (context === undefined) return;
  context.endListeners ??= [];
  context.endListeners.push(run);
}

/** Registers how the seat of a request is released; the returned function releases it once. */
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

/** Releases the seat early: from now on the request waits for a backend and takes no capacity of this process. */
export function freeSeat({ context }: ApiRequest): void {
  context?.releaseSeat?.();
}
