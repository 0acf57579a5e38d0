import type { CustomResourceDefinition } from '@tributary/api/apiextensions-v1';
import type { ControllerDependencies } from '@tributary/client/controller';
import { caBundleError } from '../ca-bundle.ts';
import { type Condition, hasCondition, isTrue, withCondition } from './condition.ts';
import { runDefinitionController } from './definition-controller.ts';

const CONCURRENCY = 5;

/**
 * Sets the condition Established of definitions with accepted names. Upstream waits five seconds for other replicas;
 * here a single server has already served the definition.
 */
export function runEstablishingController(dependencies: ControllerDependencies): Promise<void> {
  const { clock } = dependencies;
  return runDefinitionController(
    {
      name: 'custom-resource-establishing',
      concurrency: CONCURRENCY,
      isDue: (definition) =>
        isTrue(definition, 'NamesAccepted') && !isTrue(definition, 'Established'),
      nextStatus: (definition) => {
        const { status } = definition;
        const condition = establishedCondition(definition);
        if (hasCondition(definition, condition)) return undefined;
        const conditions = withCondition(status.conditions, condition, clock.nowMs());
        return { ...status, conditions };
      },
    },
    dependencies,
  );
}

export function establishedCondition({ spec }: Pick<CustomResourceDefinition, 'spec'>): Condition {
  const bundle = spec.conversion?.webhook?.clientConfig?.caBundle;
  if (caBundleError(bundle) !== undefined) {
    return {
      type: 'Established',
      status: 'False',
      reason: 'InvalidCABundle',
      message: 'The conversion webhook CABundle is invalid',
    };
  }
  return {
    type: 'Established',
    status: 'True',
    reason: 'InitialNamesAccepted',
    message: 'the initial names have been accepted',
  };
}
