import {
  type ControllerDependencies,
  clusterRoles,
  isNotFound,
  keyedController,
} from '@tributary/client/controller';
import { AGGREGATION_MANAGER, aggregateRules } from '../rbac/aggregate-rules.ts';
import type { ClusterRole } from '../rbac/types.ts';

const CONCURRENCY = 5;
/** Roles come in groups, and a server that starts has better things to do than to gather rules many times over. */
const SETTLE_MS = 50;

/** Cluster roles that are made of others follow them. */
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
  // Any change may concern any of them; there are few, and each is looked at once for many changes.
  const all = () => {
    for (const { metadata, aggregationRule } of informer.store.list()) {
      if (aggregationRule !== undefined) queue.addAfter(metadata.name ?? '', SETTLE_MS);
    }
  };
  const subscription = informer.addHandler({ onAdd: all, onUpdate: all, onDelete: all });
  signal.addEventListener('abort', () => subscription.close(), { once: true });
  return done;
}
