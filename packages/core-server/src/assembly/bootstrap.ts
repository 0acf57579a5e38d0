import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@tributary/client';
import type { SharedInformers } from '@tributary/client/controller';
import type { Logger } from '@tributary/server';
import { ensureSystemNamespaces } from '../controllers/system-namespaces.ts';
import { ensureFlowControl } from '../flow-control/ensure-configuration.ts';
import type { FlowController } from '../flow-control/flow-controller.ts';
import { followFlowControl } from '../flow-control/follow-configuration.ts';
import { followPolicy } from '../rbac/follow-policy.ts';
import { policyStore } from '../rbac/policy-store.ts';
import type { RbacIndex } from '../rbac/rbac-index.ts';
import { reconcileBootstrapPolicy } from '../rbac/reconcile-policy.ts';

export interface BootstrapParts {
  readonly client: Client;
  readonly informers: SharedInformers;
  readonly index: RbacIndex;
  readonly flowControl: FlowController | undefined;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

const ATTEMPTS_MAX = 30;
const AGAIN_MS = 1_000;

/** What must be there before the first request of anybody else: namespaces, who may do what, and who waits for whom. */
export async function bootstrap(parts: BootstrapParts): Promise<void> {
  // Side by side: what one reads from the store comes while the other works.
  await Promise.all([bootstrapPolicy(parts), bootstrapFlowControl(parts)]);
}

async function bootstrapPolicy(parts: BootstrapParts): Promise<void> {
  const { client, informers, index, signal } = parts;
  await Promise.all([
    ensureSystemNamespaces({ client, signal }),
    followPolicy(index, informers, signal),
  ]);
  await writePolicy(parts);
}

async function bootstrapFlowControl({
  client,
  informers,
  flowControl,
  signal,
}: BootstrapParts): Promise<void> {
  await ensureFlowControl({ client, signal });
  if (flowControl) await followFlowControl(flowControl, informers, signal);
}

async function writePolicy({ client, informers, log, signal }: BootstrapParts): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const store = policyStore(client, informers, signal);
    const { counts, failures } = await reconcileBootstrapPolicy(store);
    const written = counts.create + counts.update + counts.recreate;
    if (written > 0) log.verbose(1, 'The roles and bindings of every cluster were written', counts);
    const [failure] = failures;
    if (failure === undefined) {
      // Who decides must know of them before anybody is asked about.
      if (written > 0) await store.known();
      return;
    }
    const { resource, name, error } = failure;
    if (attempt === ATTEMPTS_MAX) {
      throw new Error(`${resource} ${name} cannot be written`, { cause: error });
    }
    log.error(error, 'Some roles or bindings could not be written; trying again', {
      resource,
      name,
    });
    await sleep(AGAIN_MS, undefined, { signal });
  }
}
