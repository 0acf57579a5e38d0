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
    endings: undefined,
    answerHeaders: undefined,
    freeSeat: undefined,
  };
}

/** A stream's end is known to the outermost filter alone, so the others leave word with it. */
export function whenEnded({ context }: ApiRequest, run: () => void): void {
  if (context === undefined) return;
  context.endings ??= [];
  context.endings.push(run);
}

/** Leaves word how the seat of a request is given back; whoever wants it back in the end calls what this returns. */
export function lendSeat({ context }: ApiRequest, release: () => void): () => void {
  let isFree = false;
  const freeSeat = (): void => {
    if (isFree) return;
    isFree = true;
    release();
  };
  if (context !== undefined) context.freeSeat = freeSeat;
  return freeSeat;
}

/** What this request waits for from now on is no work of this process, so it keeps nobody from being served. */
export function freeSeat({ context }: ApiRequest): void {
  context?.freeSeat?.();
}
