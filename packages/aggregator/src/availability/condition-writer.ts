import type { APIService } from '@tributary/api/apiregistration-v1';
import type { Client, Clock, Informer } from '@tributary/client';
import { isNotFound, isWriteConflict, keyedController } from '@tributary/client/controller';
import type { Logger } from '@tributary/server';
import { apiServices } from '../api-services/resources.ts';
import { type Finding, findingOf, isSameFinding, withFinding } from './condition.ts';
import type { ServerHistory } from './server-history.ts';
import { CONTRADICTION_GAP_MS, decideWrite, WRITE_GAP_MS } from './write-damping.ts';

export interface ConditionWriterOptions {
  readonly informer: Informer<APIService>;
  readonly writeStatus: WriteStatus;
  /** What was found out of the registration with this uid; undefined: nothing yet. */
  readonly historyOf: (name: string, uid: string) => ServerHistory | undefined;
  /** Somebody has seen the opposite: look again, and say what was found then. */
  readonly confirm: (name: string) => void;
  /** A condition that was True has been written as something else. */
  readonly becameUnavailable: (name: string, reason: string) => void;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Replaces the status of an APIService that is still in this version. */
export type WriteStatus = (apiService: APIService, signal: AbortSignal) => Promise<unknown>;

export function statusWriter(client: Pick<Client, 'resource'>): WriteStatus {
  const resource = client.resource<APIService>(apiServices);
  return (apiService, signal) => resource.update(apiService, { subresource: 'status', signal });
}

export interface ConditionWriter {
  /** The finding of a registration has changed. */
  check(name: string): void;
  /** It was found again, as it was. */
  confirmed(name: string): void;
  forget(name: string): void;
  /** When the last write has ended, after the signal. */
  readonly done: Promise<void>;
}

/** What this process knows of who wrote a condition. */
interface WriteHistory {
  /** What it wrote last, or is writing. */
  own?: Finding;
  externalMs?: number | undefined;
  wroteMs?: number;
  contradictedMs?: number;
}

/** As upstream's controllers have. */
const WRITES_AT_ONCE_MAX = 5;

/** Makes the conditions of APIServices say what was found out, in a way that several processes can do at once. */
export function conditionWriter(options: ConditionWriterOptions): ConditionWriter {
  const { informer, writeStatus, clock, log, signal } = options;
  const histories = new Map<string, WriteHistory>();
  /** Contradict another process, and are looked at again before they are written. */
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
      // The local copy was old. The newer one is told soon; this is for when it was told already.
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
