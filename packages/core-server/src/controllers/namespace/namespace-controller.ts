import type { Namespace } from '@tributary/api/core-v1';
import type { RemoteGroups } from '@tributary/client/controller';
import {
  type ControllerDependencies,
  ignoreNotFound,
  isNotFound,
  isWriteConflict,
  keyedController,
  namespaces,
} from '@tributary/client/controller';
import { type DeletionFindings, deletionConditions } from './conditions.ts';
import { emptyNamespace } from './empty-namespace.ts';
import { type WaitingNamespaces, waitingNamespaces } from './waiting-namespaces.ts';

const FINALIZER = 'kubernetes';
const CONCURRENCY = 10;
/** Objects with finalizers are deleted by other controllers; there is no watch on them, so this polls. */
const FINALIZERS_NEED_MS = 1_000;

interface NamespaceControllerOptions {
  /** Groups of other servers; undefined when there are none. */
  readonly remoteGroups?: RemoteGroups | undefined;
}

/** Deletes the content of terminating namespaces, then removes their finalizer. */
export function runNamespaceController(
  dependencies: ControllerDependencies,
  { remoteGroups }: NamespaceControllerOptions = {},
): Promise<void> {
  const { clock, informers, signal } = dependencies;
  const informer = informers.of<Namespace>(namespaces);
  const waiting = waitingNamespaces();
  const { queue, done } = keyedController(
    {
      name: 'namespace',
      concurrency: CONCURRENCY,
      reconcile: async (name) => {
        const outcome = await finishNamespace({ ...dependencies, remoteGroups, waiting }, name);
        if (outcome === 'done') waiting.forget(name);
        if (outcome === 'again') queue.addAfter(name, FINALIZERS_NEED_MS);
        if (outcome === 'waits') queue.addAfter(name, waiting.pauseMs(name, clock.nowMs()));
      },
    },
    dependencies,
  );
  const consider = ({ metadata }: Namespace) => {
    if (metadata.deletionTimestamp) queue.add(metadata.name ?? '');
  };
  const subscription = informer.addHandler({
    onAdd: consider,
    onUpdate: (_old, namespace) => consider(namespace),
  });
  const unfollow = remoteGroups?.follow(() => {
    for (const name of waiting.names()) queue.add(name);
  });
  const leave = () => {
    subscription.close();
    unfollow?.();
  };
  signal.addEventListener('abort', leave, { once: true });
  return done;
}

interface FinishDependencies extends ControllerDependencies, NamespaceControllerOptions {
  readonly waiting: WaitingNamespaces;
}

/** One attempt. `waits`: for unavailable servers. Errors are thrown after they were written to the status. */
async function finishNamespace(
  { client, clock, remoteGroups, waiting, signal }: FinishDependencies,
  name: string,
): Promise<'done' | 'again' | 'waits'> {
  const all = client.resource<Namespace>(namespaces);
  const namespace = await ignoreNotFound(all.get(name, { signal }));
  if (namespace === undefined || !namespace.metadata.deletionTimestamp) return 'done';
  // As upstream: other finalizers do not prevent the deletion of the content.
  if ((namespace.spec.finalizers ?? []).length === 0) return 'done';
  const deletedForMs = clock.nowMs() - Date.parse(namespace.metadata.deletionTimestamp);
  const place = { namespace: name, deletedForMs, signal };
  const findings = await emptyNamespace(client, remoteGroups, place);
  const unreachable = waiting.update(name, findings.unreachable, clock.nowMs());
  const updated = await unlessOvertaken(
    writeFindings(all, namespace, findings, clock.nowMs(), signal),
  );
  if (updated === undefined) return 'again'; // The next attempt reads what the other client wrote.
  if (findings.failures.length > 0 || findings.undiscovered.size > 0) {
    throw new Error(`namespace ${name} cannot be emptied: ${problems(findings)}`);
  }
  if (findings.remaining.size > 0) return 'again';
  if (unreachable.length > 0) {
    // Pending deletions must be stored before the namespace is deleted, because nothing else would record them.
    const which = { name, uid: updated.metadata.uid ?? '' };
    const outcome = await remoteGroups?.deferDeletion(which, unreachable, signal);
    if (outcome !== 'owed') return 'waits';
  }
  const finalizers = (updated.spec.finalizers ?? []).filter((one) => one !== FINALIZER);
  try {
    await all.update({ ...updated, spec: { finalizers } }, { subresource: 'finalize', signal });
    return 'done';
  } catch (error) {
    if (isNotFound(error)) return 'done';
    if (isWriteConflict(error)) return 'again';
    throw error;
  }
}

async function writeFindings(
  all: ReturnType<ControllerDependencies['client']['resource']>,
  namespace: Namespace,
  findings: DeletionFindings,
  nowMs: number,
  signal: AbortSignal,
): Promise<Namespace> {
  const conditions = deletionConditions(namespace.status.conditions ?? [], findings, nowMs);
  const next = { ...namespace, status: { ...namespace.status, conditions } };
  return (await all.update(next, { subresource: 'status', signal })) as Namespace;
}

function problems({ failures, undiscovered }: DeletionFindings): string {
  return [...undiscovered.values(), ...failures].join('; ');
}

async function unlessOvertaken<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (isNotFound(error) || isWriteConflict(error)) return undefined;
    throw error;
  }
}
