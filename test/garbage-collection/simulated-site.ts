/**
 * A control plane in this process, without a collector of its own, and one beside it that may be broken. One group of
 * the control plane stands for another server: the collector is told when it is away, and gets no answer from it.
 */

import { type Clock, systemClock } from '@tributary/client';
import { SharedInformers } from '@tributary/client/controller';
import { runGarbageCollector } from '../../packages/core-server/src/controllers/garbage-collection/garbage-collector.ts';
import { startTestCore } from '../../packages/core-server/test/core-fixture.ts';
import { silentLog } from '../../packages/server/test/log-fixture.ts';
import { defer, type TestScope } from '../harness/index.ts';
import { type Faults, faultyClient, type Mutant, sendAny } from './faulty-client.ts';
import { coreKinds, customKinds } from './kinds.ts';
import { defineCustomKinds, type GraphSite } from './run-graph.ts';

export interface SimulatedSite extends GraphSite {
  /** From now on the group of roles is away, or back. */
  setAway(isAway: boolean): void;
  /** From now on the group of roles does not answer the collector, or answers what it was asked meanwhile. */
  setSilent(isSilent: boolean): void;
  /** How many requests of the collector wait for it. */
  unanswered(): number;
  /** The collector ends, and another one begins from nothing. */
  restartCollector(): Promise<void>;
}

const GROUP = 'rbac.authorization.k8s.io/v1';
/** Less than a request to another server may take, and than a collector waits before it looks at everything again. */
const DELAY_MS_MAX = 9_000;

/** Nothing happens only because a long time is over: periodic looks and timeouts never come. */
const withoutPeriods: Clock = {
  nowMs: () => systemClock.nowMs(),
  schedule: (delayMs, run) =>
    delayMs > DELAY_MS_MAX ? () => undefined : systemClock.schedule(delayMs, run),
};

export async function startSimulatedSite(
  scope: TestScope,
  options: {
    readonly mutant?: Mutant;
    /** Whether the collector does only what it is told to, and nothing because time passes. */
    readonly withoutPeriods?: boolean;
  } = {},
): Promise<SimulatedSite> {
  const core = await startTestCore({
    config: { disabledControllers: new Set(['garbage-collector-controller']) },
  });
  const send: GraphSite['send'] = (...request) => sendAny(core.admin, ...request);
  await defineCustomKinds({ send });
  const clock = options.withoutPeriods ? withoutPeriods : systemClock;
  const faults: Faults = {
    away: undefined,
    silent: undefined,
    unanswered: new Set(),
    mutant: options.mutant,
  };
  const listeners = new Set<() => void>();
  const isDeaf = options.mutant === 'unavailable is absent';
  const remoteGroups = {
    all: () => new Map([[GROUP, faults.away !== undefined && !isDeaf ? 'it is away' : undefined]]),
    follow: (onEvent: () => void) => {
      listeners.add(onEvent);
      return () => void listeners.delete(onEvent);
    },
  };
  const client = faultyClient(core.admin, faults);
  const begin = () => {
    const stop = new AbortController();
    const informers = new SharedInformers({ client, clock, onError: () => {} });
    const { log } = silentLog();
    const fixtures = { client, informers, clock, log, signal: stop.signal };
    const done = runGarbageCollector(fixtures, { remoteGroups });
    return async () => {
      stop.abort(new Error('the collector is stopped'));
      await done;
      await informers.close();
    };
  };
  let end = begin();
  defer(scope, async () => {
    await end();
    await core[Symbol.asyncDispose]();
  });
  return {
    kinds: [...coreKinds, ...customKinds],
    send,
    setAway(isAway) {
      faults.away = isAway ? `/apis/${GROUP}/` : undefined;
      for (const onEvent of listeners) onEvent();
    },
    setSilent(isSilent) {
      faults.silent = isSilent ? `/apis/${GROUP}/` : undefined;
      if (!isSilent) for (const response of faults.unanswered) response();
    },
    unanswered: () => faults.unanswered.size,
    async restartCollector() {
      await end();
      end = begin();
    },
  };
}
