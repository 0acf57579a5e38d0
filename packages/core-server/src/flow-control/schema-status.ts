import type {
  FlowSchema,
  FlowSchemaCondition,
  PriorityLevelConfiguration,
} from '@tributary/api/flowcontrol-v1';
import {
  type ControllerDependencies,
  flowSchemas,
  isNotFound,
  keyedController,
  priorityLevelConfigurations,
} from '@tributary/client/controller';

const CONSUMER = 'api-priority-and-fairness-config-consumer-v1';
const DANGLING = 'Dangling';

/** Sets the condition Dangling of every FlowSchema: whether its priority level is missing. */
export function runFlowSchemaStatus(dependencies: ControllerDependencies): Promise<void> {
  const { client, informers, clock, signal } = dependencies;
  const schemas = informers.of<FlowSchema>(flowSchemas);
  const levels = informers.of<PriorityLevelConfiguration>(priorityLevelConfigurations);
  const { queue, done } = keyedController(
    {
      name: 'flow-schema-status',
      reconcile: async (name) => {
        const schema = schemas.store.get(name);
        if (schema === undefined) return;
        const level = schema.spec.priorityLevelConfiguration.name;
        const condition = danglingCondition(level, levels.store.get(level) !== undefined);
        if (isCurrent(schema, condition)) return;
        const lastTransitionTime = new Date(clock.nowMs()).toISOString().replace(/\.\d+Z$/, 'Z');
        const object = {
          apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
          kind: 'FlowSchema',
          metadata: { name },
          status: { conditions: [{ ...condition, lastTransitionTime }] },
        };
        try {
          await client
            .resource<FlowSchema>(flowSchemas)
            .patch(
              name,
              { kind: 'apply', object, force: true },
              { fieldManager: CONSUMER, subresource: 'status', signal },
            );
        } catch (error) {
          if (!isNotFound(error)) throw error;
        }
      },
    },
    dependencies,
  );
  const add = ({ metadata }: FlowSchema) => queue.add(metadata.name ?? '');
  const ofLevel = ({ metadata }: PriorityLevelConfiguration) => {
    for (const schema of schemas.store.list()) {
      if (schema.spec.priorityLevelConfiguration.name === metadata.name) add(schema);
    }
  };
  const subscriptions = [
    schemas.addHandler({ onAdd: add, onUpdate: (_old, schema) => add(schema) }),
    levels.addHandler({ onAdd: ofLevel, onDelete: ofLevel }),
  ];
  signal.addEventListener(
    'abort',
    () => {
      for (const one of subscriptions) one.close();
    },
    { once: true },
  );
  return done;
}

type Condition = Omit<FlowSchemaCondition, 'lastTransitionTime'>;

function danglingCondition(level: string, exists: boolean): Condition {
  const about = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)}`;
  return exists
    ? { type: DANGLING, status: 'False', reason: 'Found', message: `${about} and it exists` }
    : {
        type: DANGLING,
        status: 'True',
        reason: 'NotFound',
        message: `${about} but there is no such object`,
      };
}

function isCurrent(
  { status }: FlowSchema,
  { status: dangling, reason, message }: Condition,
): boolean {
  const current = status.conditions?.find(({ type }) => type === DANGLING);
  return current?.status === dangling && current?.reason === reason && current?.message === message;
}
