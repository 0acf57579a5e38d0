import type { RequestContext } from '../filters/request-context.ts';
import { type Destination, LineWriter } from '../logging/line-writer.ts';
import type { ApiRequest, UserInfo } from '../pipeline.ts';
import { microTimeFormat } from './micro-time.ts';
import { type AuditLevel, type AuditPolicy, policyEvaluator } from './policy.ts';
import { AuditRecord } from './record.ts';
import { requestTexts } from './request-texts.ts';

export interface AuditLogOptions {
  readonly policy: AuditPolicy;
  readonly destination: Destination;
  readonly nowMs: () => number;
  readonly observe: AuditObserver;
  readonly charactersMax?: number;
}

export interface AuditObserver {
  /** Once per request. */
  level(level: AuditLevel): void;
  event(): void;
  /** Events that did not reach the log: there was no room for them, or writing failed. */
  lost(events: number, error?: unknown): void;
}

export interface AuditLog {
  /** A record for this request, or nothing when the policy does not want one. */
  begin(
    request: ApiRequest,
    context: RequestContext,
    user: UserInfo | undefined,
  ): AuditRecord | undefined;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Lines of this time become one write, which nobody waits for. */
const GATHER_MS = 10;

export function auditLog(options: AuditLogOptions): AuditLog {
  const { policy, destination, nowMs, observe, charactersMax } = options;
  const decide = policyEvaluator(policy);
  const writer = new LineWriter({
    destination,
    gatherMs: GATHER_MS,
    ...(charactersMax !== undefined && { charactersMax }),
    onError: (error, lines) => observe.lost(lines, error),
  });
  const write = (line: string) => {
    observe.event();
    if (!writer.write(line)) observe.lost(1);
  };
  const means = { texts: requestTexts(), timeText: microTimeFormat(), write, nowMs };
  return {
    begin(request, context, user) {
      const decision = decide(request.info, user);
      observe.level(decision.level);
      if (decision.level === 'None') return undefined;
      return new AuditRecord(request, means, { decision, context, user });
    },
    flush: () => writer.flush(),
    close: () => writer.close(),
  };
}
