import { StatusError } from '@tributary/apimachinery';
import { type BootstrapPolicy, bootstrapPolicy, RBAC_RESOURCES } from './bootstrap-policy.ts';
import type { ObjectId } from './rbac-index.ts';
import { type Reconciliation, reconcile } from './reconcile-object.ts';
import type { RbacObjects, RbacResource } from './types.ts';

/** The roles and bindings of a server. Failures are StatusErrors; 404 and 409 are expected. */
export interface PolicyStore {
  get<Resource extends RbacResource>(
    resource: Resource,
    id: ObjectId,
  ): Promise<RbacObjects[Resource] | undefined>;
  create<Resource extends RbacResource>(
    resource: Resource,
    object: RbacObjects[Resource],
  ): Promise<unknown>;
  /** With the resourceVersion of the object as precondition. */
  update<Resource extends RbacResource>(
    resource: Resource,
    object: RbacObjects[Resource],
  ): Promise<unknown>;
  /** With the uid of the object as precondition. */
  delete<Resource extends RbacResource>(
    resource: Resource,
    object: RbacObjects[Resource],
  ): Promise<unknown>;
}

interface PolicyReport {
  /** Number of objects per operation. */
  readonly counts: Readonly<Record<Reconciliation<unknown>['operation'], number>>;
  /** Objects that could not be reconciled. */
  readonly failures: readonly PolicyFailure[];
}

interface PolicyFailure extends ObjectId {
  readonly resource: RbacResource;
  readonly error: unknown;
}

/** Another replica may reconcile at the same time. */
const ATTEMPTS_MAX = 5;

/**
 * Brings the bootstrap policy into a store: creates missing objects and completes incomplete ones. A failure does not
 * stop the others.
 */
export async function reconcileBootstrapPolicy(
  store: PolicyStore,
  policy: BootstrapPolicy = bootstrapPolicy(),
): Promise<PolicyReport> {
  const counts = { none: 0, protected: 0, create: 0, update: 0, recreate: 0 };
  const failures: PolicyFailure[] = [];
  for (const resource of RBAC_RESOURCES) {
    // In parallel, because a store groups concurrent writes into one commit.
    await Promise.all(
      policy[resource].map(async (expected) => {
        try {
          counts[await reconcileOne(store, resource, expected)] += 1;
        } catch (error) {
          const { namespace, name = '' } = expected.metadata;
          failures.push({ resource, namespace, name, error });
        }
      }),
    );
  }
  return { counts, failures };
}

async function reconcileOne<Resource extends RbacResource>(
  store: PolicyStore,
  resource: Resource,
  expected: RbacObjects[Resource],
): Promise<Reconciliation<unknown>['operation']> {
  const { namespace, name = '' } = expected.metadata;
  for (let attempt = 1; ; attempt += 1) {
    const existing = await store.get(resource, { namespace, name });
    const wanted = reconcile<RbacObjects[Resource]>(expected, existing);
    try {
      await write(store, resource, wanted);
      return wanted.operation;
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !isLostRace(error)) throw error;
    }
  }
}

async function write<Resource extends RbacResource>(
  store: PolicyStore,
  resource: Resource,
  wanted: Reconciliation<RbacObjects[Resource]>,
): Promise<void> {
  switch (wanted.operation) {
    case 'none':
    case 'protected':
      return;
    case 'create':
      await store.create(resource, wanted.object);
      return;
    case 'update':
      await store.update(resource, wanted.object);
      return;
    case 'recreate':
      await deleteIfPresent(store, resource, wanted.existing);
      await store.create(resource, wanted.object);
      return;
  }
}

async function deleteIfPresent<Resource extends RbacResource>(
  store: PolicyStore,
  resource: Resource,
  object: RbacObjects[Resource],
): Promise<void> {
  try {
    await store.delete(resource, object);
  } catch (error) {
    if (!(error instanceof StatusError && error.code === 404)) throw error;
  }
}

/** The object was created, changed or deleted meanwhile, so it must be read again. */
function isLostRace(error: unknown): boolean {
  return error instanceof StatusError && (error.code === 409 || error.code === 404);
}
