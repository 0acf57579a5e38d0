import type { APIService } from '@tributary/api/apiregistration-v1';
import type { Client, Clock, Informer } from '@tributary/client';
import { isNotFound, isWriteConflict, keyedController } from '@tributary/client/controller';
import type { Logger } from '@tributary/server';
import { apiServices } from '../api-services/resources.ts';
import { type Finding, findingOf, isSameFinding, withFinding } from './condition.ts';
import type { ServerHistory } from './decide-availability.ts';
import { CONTRADICTION_GAP_MS, decideWrite, WRITE_GAP_MS } from './write-damping.ts';

export interface ConditionWriterOptions {
  readonly informer: Informer<APIService>;
  readonly writeStatus: WriteStatus;
  /** The history of the registration with this uid; undefined: nothing is known yet. */
  readonly historyOf: (name: string, uid: string) => ServerHistory | undefined;
  /** Requests a new probe, because another process has written the opposite. */
  readonly confirm: (name: string) => void;
  /** Called when a condition that was True has been written with another status. */
  readonly becameUnavailable: (name: string, reason: string) => void;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Replaces the status of an APIService, with its resourceVersion as the precondition. */
export type WriteStatus = (apiService: APIService, signal: AbortSignal) => Promise<unknown>;

export function statusWriter(client: Pick<Client, 'resource'>): WriteStatus {
  const resource = client.resource<APIService>(apiServices);
  return (apiService, signal) => resource.update(apiService, { subresource: 'status', signal });
}

export interface ConditionWriter {
  /** The finding of a registration has changed. */
  check(name: string): void;
  /** A new probe had the same finding. */
  confirmed(name: string): void;
  forget(name: string): void;
  /** Resolves when the last write has ended, after the signal. */
  readonly done: Promise<void>;
}

/** The writes of one condition, by this process and others. */
interface WriteHistory {
  /** The last finding that this process wrote or is writing. */
  own?: Finding;
  externalMs?: number | undefined;
  wroteMs?: number;
  contradictedMs?: number;
}

/** Upstream's number of workers. */
const WRITES_AT_ONCE_MAX = 5;

/** Writes the findings into the conditions of APIServices, in a way that several processes can share. */
export function conditionWriter(options: ConditionWriterOptions): ConditionWriter {
  const { informer, writeStatus, clock, log, signal } = options;
  const histories = new Map<string, WriteHistory>();
  /** Findings that contradict another process; a new probe must confirm them before they are written. */
  const unconfirmed = new Set<string>();
  const historyOf = (name: string): WriteHistory => {
    const known = histories.get(name);
    if (known !== undefined) return known;
    const history: WriteHistory = {};
    histories.set(name, history);
    return history;
  };

  const reconcile = async (name: string): Promise<void> => {
    const apiService = informer.store.get(name);
    const probeHistory = apiService && options.historyOf(name, apiService.metadata.uid ?? '');
    if (!apiService || !probeHistory?.isOwn || !probeHistory.state) return;
    const nowMs = clock.nowMs();
    const history = historyOf(name);
    const stored = findingOf(apiService.status?.conditions);
    const { wroteMs, contradictedMs, externalMs } = history;
    const decision = decideWrite({
      finding: probeHistory.state,
      confirmedMs: probeHistory.confirmedMs,
      stored,
      externalMs,
      wroteMs,
      contradictedMs,
      nowMs,
    });
    switch (decision.kind) {
      case 'never':
        return;
      case 'later':
        return queue.addAfter(name, decision.delayMs);
      case 'confirm':
        unconfirmed.add(name);
        return options.confirm(name);
      case 'now':
        return write({ name, apiService, stored, finding: probeHistory.state }, history, nowMs);
      default:
        return decision satisfies never;
    }
  };

  const write = async (
    { name, apiService, stored, finding }: Wanted,
    history: WriteHistory,
    nowMs: number,
  ): Promise<void> => {
    const { status, reason, message } = finding;
    history.own = { status, reason, message };
    history.wroteMs = nowMs;
    if (history.externalMs !== undefined) history.contradictedMs = nowMs;
    const conditions = withFinding(apiService.status?.conditions, finding, nowMs);
    try {
      await writeStatus({ ...apiService, status: { ...apiService.status, conditions } }, signal);
    } catch (error) {
      if (isNotFound(error)) return;
      if (!isWriteConflict(error)) throw error;
      // The informer's copy was old. Its update adds the key again; the delay covers an update that already arrived.
      return queue.addAfter(name, WRITE_GAP_MS);
    }
    if (stored?.status === 'True' && status !== 'True') {
      options.becameUnavailable(name, reason || 'UnknownReason');
    }
  };

  const { queue, done } = keyedController(
    {
      name: 'AvailabilityConditions',
      concurrency: WRITES_AT_ONCE_MAX,
      retryMsMax: CONTRADICTION_GAP_MS,
      reconcile,
    },
    { clock, log, signal },
  );
  const subscription = informer.addHandler({
    onUpdate(old, apiService) {
      const { name = '' } = apiService.metadata;
      const stored = findingOf(apiService.status?.conditions);
      if (isSameFinding(findingOf(old.status?.conditions), stored)) return;
      const history = historyOf(name);
      history.externalMs = isSameFinding(stored, history.own) ? undefined : clock.nowMs();
      queue.add(name);
    },
  });
  signal.addEventListener('abort', () => subscription.close(), { once: true });

  return {
    check: (name) => queue.add(name),
    confirmed(name) {
      if (unconfirmed.delete(name)) queue.add(name);
    },
    forget(name) {
      histories.delete(name);
      unconfirmed.delete(name);
    },
    done,
  };
}

interface Wanted {
  readonly name: string;
  readonly apiService: APIService;
  readonly stored: Finding | undefined;
  readonly finding: Finding;
}
