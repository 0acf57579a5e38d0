import {
  type ControllerDependencies,
  clusterRoles,
  isNotFound,
  keyedController,
} from '@tributary/client/controller';
import { AGGREGATION_MANAGER, aggregateRules } from '../rbac/aggregate-rules.ts';
import type { ClusterRole } from '../rbac/types.ts';

const CONCURRENCY = 5;
/** Delays aggregation, because roles change in groups and aggregation competes with the start of the server. */
const DELAY_MS = 50;

/** Keeps the rules of aggregated ClusterRoles up to date. */
export function runClusterRoleAggregation(dependencies: ControllerDependencies): Promise<void> {
  const { client, informers, signal } = dependencies;
  const informer = informers.of<ClusterRole>(clusterRoles);
  const { queue, done } = keyedController(
    {
      name: 'clusterrole-aggregation',
      concurrency: CONCURRENCY,
      reconcile: async (name) => {
        const role = informer.store.get(name);
        if (role?.aggregationRule === undefined) return;
        const gathered = aggregateRules(role, informer.store.list());
        if (!gathered?.changed) return;
        try {
          await client.resource<ClusterRole>(clusterRoles).patch(
            name,
            {
              kind: 'apply',
              object: {
                apiVersion: 'rbac.authorization.k8s.io/v1',
                kind: 'ClusterRole',
                metadata: { name },
                rules: gathered.rules,
              },
              force: true,
            },
            { fieldManager: AGGREGATION_MANAGER, signal },
          );
        } catch (error) {
          if (!isNotFound(error)) throw error;
        }
      },
    },
    dependencies,
  );
  // A change may affect any aggregated role. There are few, and the queue merges changes.
  const all = () => {
    for (const { metadata, aggregationRule } of informer.store.list()) {
      if (aggregationRule !== undefined) queue.addAfter(metadata.name ?? '', DELAY_MS);
    }
  };
  const subscription = informer.addHandler({ onAdd: all, onUpdate: all, onDelete: all });
  signal.addEventListener('abort', () => subscription.close(), { once: true });
  return done;
}
