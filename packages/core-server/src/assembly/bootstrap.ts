import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@tributary/client';
import type { SharedInformers } from '@tributary/client/controller';
import type { Logger } from '@tributary/server';
import { ensureSystemNamespaces } from '../controllers/system-namespaces.ts';
import { ensureFlowControl } from '../flow-control/ensure-configuration.ts';
import type { FlowController } from '../flow-control/flow-controller.ts';
import { watchFlowControl } from '../flow-control/watch-configuration.ts';
import { ApiPolicyStore } from '../rbac/policy-store.ts';
import type { RbacIndex } from '../rbac/rbac-index.ts';
import { reconcileBootstrapPolicy } from '../rbac/reconcile-policy.ts';
import { watchPolicy } from '../rbac/watch-policy.ts';

interface BootstrapOptions {
  readonly client: Client;
  readonly informers: SharedInformers;
  readonly index: RbacIndex;
  readonly flowControl: FlowController | undefined;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

const ATTEMPTS_MAX = 30;
const RETRY_MS = 1_000;

/** Creates what the first request depends on: system namespaces, bootstrap roles and bindings, flow schemas. */
export async function bootstrap(options: BootstrapOptions): Promise<void> {
  // In parallel: one waits for the store while the other uses the CPU.
  await Promise.all([bootstrapPolicy(options), bootstrapFlowControl(options)]);
}

async function bootstrapPolicy(options: BootstrapOptions): Promise<void> {
  const { client, informers, index, signal } = options;
  await Promise.all([
    ensureSystemNamespaces({ client, signal }),
    watchPolicy(index, informers, signal),
  ]);
  await writePolicy(options);
}

async function bootstrapFlowControl({
  client,
  informers,
  flowControl,
  signal,
}: BootstrapOptions): Promise<void> {
  await ensureFlowControl({ client, signal });
  if (flowControl) await watchFlowControl(flowControl, informers, signal);
}

async function writePolicy({ client, informers, log, signal }: BootstrapOptions): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const store = new ApiPolicyStore({ client, informers, signal });
    const { counts, failures } = await reconcileBootstrapPolicy(store);
    const written = counts.create + counts.update + counts.recreate;
    if (written > 0) log.verbose(1, 'Wrote bootstrap policy', counts);
    const [failure] = failures;
    if (failure === undefined) {
      // The authorizer must have read the roles before the first request.
      if (written > 0) await store.synced();
      return;
    }
    const { resource, name, error } = failure;
    if (attempt === ATTEMPTS_MAX) {
      throw new Error(`${resource} ${name} cannot be written`, { cause: error });
    }
    log.error(error, 'Writing bootstrap policy failed', { resource, name });
    await sleep(RETRY_MS, undefined, { signal });
  }
}
