import type { ControllerDependencies } from '@tributary/client/controller';
import type { UndescribedDefinitions } from '../undescribed-definitions.ts';
import { type Condition, findCondition, hasCondition, withCondition } from './condition.ts';
import { runDefinitionController } from './definition-controller.ts';

const TYPE = 'OpenAPIPublished';

/**
 * Sets a condition on definitions whose schema the OpenAPI documents omit. Upstream has no such condition: it only logs
 * schemas that cannot be published.
 */
export function runOpenApiConditionController(
  dependencies: ControllerDependencies,
  undescribed: UndescribedDefinitions,
): Promise<void> {
  const { clock } = dependencies;
  return runDefinitionController(
    {
      name: 'custom-resource-openapi',
      concurrency: 1,
      isDue: (definition) => {
        const condition = publishedCondition(undescribed.reasonOf(definition));
        if (condition === undefined) return findCondition(definition, TYPE) !== undefined;
        return !hasCondition(definition, condition);
      },
      nextStatus: (definition) => {
        const { status } = definition;
        const condition = publishedCondition(undescribed.reasonOf(definition));
        const conditions =
          condition === undefined
            ? (status.conditions ?? []).filter(({ type }) => type !== TYPE)
            : withCondition(status.conditions, condition, clock.nowMs());
        return { ...status, conditions };
      },
      deleted: ({ metadata }) => undescribed.forget(metadata.name ?? ''),
      started: (queue) => undescribed.onReport((name) => queue.add(name)),
    },
    dependencies,
  );
}

function publishedCondition(reason: string | undefined): Condition | undefined {
  if (reason === undefined) return undefined;
  const message = `OpenAPI does not describe the fields of ${reason}`;
  return { type: TYPE, status: 'False', reason: 'SchemaNotDescribed', message };
}
