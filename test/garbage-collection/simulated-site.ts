/**
 * A control plane in this process, without a collector of its own, and one beside it that may be broken. One group of
 * the control plane stands for another server: the collector is told when it is away, and gets no answer from it.
 */
import { systemClock } from '@tributary/client';
import { runGarbageCollector } from '../../packages/core-server/src/controllers/garbage-collection/garbage-collector.ts';
import { SharedInformers } from '../../packages/core-server/src/controllers/shared-informers.ts';
import { startTestCore } from '../../packages/core-server/test/core-fixture.ts';
import { silentLog } from '../../packages/server/test/log-fixture.ts';
import { defer, type TestScope } from '../harness/index.ts';
import { type Faults, faultyClient, type Mutant, sendAny } from './faulty-client.ts';
import { coreKinds, customKinds } from './kinds.ts';
import { defineCustomKinds, type GraphSite } from './run-graph.ts';

export interface SimulatedSite extends GraphSite {
  /** From now on the group of roles is away, or back. */
  setAway(isAway: boolean): void;
  /** The collector ends, and another one begins from nothing. */
  restartCollector(): Promise<void>;
}

const GROUP = 'rbac.authorization.k8s.io/v1';

export async function startSimulatedSite(
  scope: TestScope,
  options: { readonly mutant?: Mutant } = {},
): Promise<SimulatedSite> {
  const core = await startTestCore({
    config: { disabledControllers: new Set(['garbage-collector-controller']) },
  });
  const send: GraphSite['send'] = (...request) => sendAny(core.admin, ...request);
  await defineCustomKinds({ send });
  const faults: Faults = { away: undefined, mutant: options.mutant };
  const listeners = new Set<() => void>();
  const isDeaf = options.mutant === 'unavailable is absent';
  const remoteGroups = {
    all: () => new Map([[GROUP, faults.away !== undefined && !isDeaf ? 'it is away' : undefined]]),
    follow: (hear: () => void) => {
      listeners.add(hear);
      return () => void listeners.delete(hear);
    },
  };
  const client = faultyClient(core.admin, faults);
  const begin = () => {
    const stop = new AbortController();
    const informers = new SharedInformers({ client, clock: systemClock, onError: () => {} });
    const { log } = silentLog();
    const surroundings = { client, informers, clock: systemClock, log, signal: stop.signal };
    const done = runGarbageCollector(surroundings, { remoteGroups });
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
      for (const hear of listeners) hear();
    },
    async restartCollector() {
      await end();
      end = begin();
    },
  };
}
