import type { Namespace } from '../../generated/core-v1.ts';
import { isConflict, isNotFound, unlessMissing } from '../conflicts.ts';
import { keyedController } from '../keyed-controller.ts';
import { namespaces } from '../resources.ts';
import type { ControllerSurroundings } from '../surroundings.ts';
import { type DeletionFindings, deletionConditions } from './conditions.ts';
import { emptyNamespace } from './empty-namespace.ts';

const FINALIZER = 'kubernetes';
const CONCURRENCY = 10;
/** Objects with finalizers go when their controllers let them: nobody tells, so somebody must look. */
const FINALIZERS_NEED_MS = 1_000;

/** Deletes what is in a namespace that is deleted, and lets it go when nothing is left. */
export function runNamespaceController(surroundings: ControllerSurroundings): Promise<void> {
  const { informers, signal } = surroundings;
  const informer = informers.of<Namespace>(namespaces);
  const { queue, done } = keyedController(
    {
      name: 'namespace',
      concurrency: CONCURRENCY,
      reconcile: async (name) => {
        const isDone = await finishNamespace(surroundings, name);
        if (!isDone) queue.addAfter(name, FINALIZERS_NEED_MS);
      },
    },
    surroundings,
  );
  const consider = ({ metadata }: Namespace) => {
    if (metadata.deletionTimestamp) queue.add(metadata.name ?? '');
  };
  const subscription = informer.addHandler({
    onAdd: consider,
    onUpdate: (_old, namespace) => consider(namespace),
  });
  signal.addEventListener('abort', () => subscription.close(), { once: true });
  return done;
}

/** One attempt. Whether nothing more is to be done; what goes wrong is thrown, after it was written down. */
async function finishNamespace(
  { client, clock, signal }: ControllerSurroundings,
  name: string,
): Promise<boolean> {
  const all = client.resource<Namespace>(namespaces);
  const namespace = await unlessMissing(all.get(name, { signal }));
  if (namespace === undefined || !namespace.metadata.deletionTimestamp) return true;
  if (!(namespace.spec.finalizers ?? []).includes(FINALIZER)) return true;
  const findings = await emptyNamespace(client, { namespace: name, signal });
  const told = await unlessOvertaken(
    writeFindings(all, namespace, findings, clock.nowMs(), signal),
  );
  if (told === undefined) return false; // the next attempt sees what others wrote
  if (findings.failures.length > 0 || findings.undiscovered.size > 0) {
    throw new Error(`namespace ${name} cannot be emptied: ${problems(findings)}`);
  }
  if (findings.remaining.size > 0) return false;
  const finalizers = (told.spec.finalizers ?? []).filter((one) => one !== FINALIZER);
  try {
    await all.update({ ...told, spec: { finalizers } }, { subresource: 'finalize', signal });
    return true;
  } catch (error) {
    if (isNotFound(error)) return true;
    if (isConflict(error)) return false;
    throw error;
  }
}

async function writeFindings(
  all: ReturnType<ControllerSurroundings['client']['resource']>,
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
    if (isNotFound(error) || isConflict(error)) return undefined;
    throw error;
  }
}
