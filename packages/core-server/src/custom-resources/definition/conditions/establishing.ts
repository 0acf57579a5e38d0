import type { CustomResourceDefinition } from '@tributary/api/apiextensions-v1';
import type { ControllerDependencies } from '@tributary/client/controller';
import { caBundleError } from '../ca-bundle.ts';
import { type Condition, isTrue, says, withCondition } from './condition.ts';
import { runDefinitionController } from './definition-controller.ts';

const CONCURRENCY = 5;

/**
 * Says that a definition is served, once it has its names. Upstream waits five seconds where there are several servers;
 * here there is one, and whoever serves definitions has heard of this one before.
 */
export function runEstablishing(dependencies: ControllerDependencies): Promise<void> {
  const { clock } = dependencies;
  return runDefinitionController(
    {
      name: 'custom-resource-establishing',
      concurrency: CONCURRENCY,
      isDue: (definition) =>
        isTrue(definition, 'NamesAccepted') && !isTrue(definition, 'Established'),
      judge: (definition) => {
        const { status } = definition;
        const condition = establishedCondition(definition);
        if (says(definition, condition)) return undefined;
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
