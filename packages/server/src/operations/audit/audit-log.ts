import { batcher } from '../../request/batcher.ts';
import type { ApiRequest, RequestContext, UserInfo } from '../../request/pipeline.ts';
import { type Destination, LineWriter } from '../logging/line-writer.ts';

import { microTimeFormat } from './micro-time.ts';
import { type AuditLevel, type AuditPolicy, policyEvaluator } from './policy.ts';
import { type AuditEvent, AuditRecord } from './record.ts';
import { requestTexts } from './request-texts.ts';

interface AuditLogOptions {
  readonly policy: AuditPolicy;
  readonly destination: Destination;
  readonly nowMs: () => number;
  readonly observe: AuditObserver;
  readonly charactersMax?: number;
}

export interface AuditObserver {
  /** Called once per request. */
  level(level: AuditLevel): void;
  event(): void;
  /** Events that could not be written, because the buffer was full or writing failed. */
  lost(events: number, error?: unknown): void;
}

export interface AuditLog {
  /** A record for this request, or undefined when the policy excludes it. */
  begin(
    request: ApiRequest,
    context: RequestContext,
    user: UserInfo | undefined,
  ): AuditRecord | undefined;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Lines within this time are joined into one write, for which no request waits. */
const BATCH_MS = 10;

/** Events buffered before their text is built. */
const EVENTS_MAX = 256;

export function auditLog(options: AuditLogOptions): AuditLog {
  const { policy, destination, nowMs, observe, charactersMax } = options;
  const decide = policyEvaluator(policy);
  const writer = new LineWriter({
    destination,
    batchMs: BATCH_MS,
    ...(charactersMax !== undefined && { charactersMax }),
    onError: (error, lines) => observe.lost(lines, error),
  });
  const events = batcher<AuditEvent>(
    (gathered) => {
      for (const event of gathered) {
        observe.event();
        if (!writer.write(event.record.lineOf(event))) observe.lost(1);
      }
    },
    // After the requests of a cohort, so that their events are together.
    { sizeMax: EVENTS_MAX, schedule: queueMicrotask },
  );
  const means = {
    texts: requestTexts(),
    timeText: microTimeFormat(),
    write: events.add,
    nowMs,
  };
  return {
    begin(request, context, user) {
      const decision = decide(request.info, user);
      observe.level(decision.level);
      if (decision.level === 'None') return undefined;
      return new AuditRecord(request, means, { decision, context, user });
    },
    flush: () => {
      events.flush();
      return writer.flush();
    },
    close: () => {
      events.flush();
      return writer.close();
    },
  };
}
