import type { ControllerDependencies } from '@tributary/client/controller';
import type { UndescribedDefinitions } from '../openapi-problems.ts';
import { type Condition, findCondition, says, withCondition } from './condition.ts';
import { runDefinitionController } from './definition-controller.ts';

const TYPE = 'OpenAPIPublished';

/**
 * Writes a condition to definitions whose schema the documents of OpenAPI leave out, for as long as they do. Upstream has none: there a
 * schema that cannot be published is a line in the log.
 */
export function runDescribing(
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
        return !says(definition, condition);
      },
      judge: (definition) => {
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
