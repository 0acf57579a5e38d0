import type { ApiRequest, HeaderList, UserInfo } from '../pipeline.ts';

/** The audit event of a request, as handlers and filters add to it. */
export interface RequestAudit {
  /** Adds an annotation; a key that was set stays as it is. */
  annotate(key: string, value: string): void;
  /** `constraint` is the verb of the mode that allowed it; the oldest mode has none. */
  impersonate(user: UserInfo, constraint?: string): void;
  /** Replaces the request body by the decoded object, with its kind and its defaults. */
  requestObject(object: object): void;
}

/** What the filters of a request have to tell each other; one object, made by the first of them. */
export interface RequestContext {
  /** Follows the request across servers. */
  readonly auditId: string;
  /** When the request came in, in milliseconds since 1970. */
  readonly receivedMs: number;
  /** Waiting for others, such as in the queue of requests, which is not what the server itself took. */
  waitedMs: number;
  /** Absent when the audit policy logs nothing of the request. */
  audit: RequestAudit | undefined;
  /** Known of the request before anything is written of it. */
  auditAnnotations: Readonly<Record<string, string>> | undefined;
  /** Run once when the last of the answer has left, or will never leave. Few requests have any. */
  endings: (() => void)[] | undefined;
  /** What the answer carries in any case, whoever gives it. */
  answerHeaders: HeaderList | undefined;
  /** Gives the seat of the request back before its end; absent when it has none. */
  freeSeat: (() => void) | undefined;
}

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
