import type { CustomResourceDefinition } from '@tributary/api/apiextensions-v1';
import { aggregateText, type FieldError, fieldError, root } from '@tributary/apimachinery';
import type { ControllerDependencies } from '@tributary/client/controller';
import { structuralFormError } from '../schema/structural-form.ts';
import { validateStructural } from '../schema/validate-structural.ts';
import { type Condition, findCondition, hasCondition, withCondition } from './condition.ts';
import { runDefinitionController } from './definition-controller.ts';

const TYPE = 'NonStructuralSchema';

/**
 * Sets the condition NonStructuralSchema of definitions that today's validation rejects. They were stored by an older
 * server.
 */
export function runNonStructuralSchemaController(
  dependencies: ControllerDependencies,
): Promise<void> {
  const { clock } = dependencies;
  // A large schema is validated once per change of the spec, not per change of the status.
  const validated = new Map<string, string>();
  const stateOf = ({ metadata }: CustomResourceDefinition) =>
    `${metadata.uid} ${metadata.generation}`;
  return runDefinitionController(
    {
      name: 'custom-resource-structure',
      concurrency: 1,
      isDue: (definition) => validated.get(definition.metadata.name ?? '') !== stateOf(definition),
      nextStatus: (definition) => {
        const { status } = definition;
        const condition = nonStructuralCondition(definition);
        const isCurrent =
          condition === undefined
            ? findCondition(definition, TYPE) === undefined
            : hasCondition(definition, condition);
        if (isCurrent) {
          validated.set(definition.metadata.name ?? '', stateOf(definition));
          return undefined;
        }
        const conditions =
          condition === undefined
            ? (status.conditions ?? []).filter(({ type }) => type !== TYPE)
            : withCondition(status.conditions, condition, clock.nowMs());
        return { ...status, conditions };
      },
      written: (definition) => {
        validated.set(definition.metadata.name ?? '', stateOf(definition));
      },
      deleted: ({ metadata }) => {
        validated.delete(metadata.name ?? '');
      },
    },
    dependencies,
  );
}

export function nonStructuralCondition({
  spec,
}: Pick<CustomResourceDefinition, 'spec'>): Condition | undefined {
  const errors: FieldError[] = [];
  if (spec.preserveUnknownFields) {
    errors.push(fieldError.invalid(root('spec', 'preserveUnknownFields'), true, 'must be false'));
  }
  for (const [at, { name, schema }] of (spec.versions ?? []).entries()) {
    const whole = schema?.openAPIV3Schema;
    if (whole === undefined) continue;
    const reason = structuralFormError(whole);
    if (reason !== undefined) {
      const message = `failed to check validation schema for version ${name}: ${reason}`;
      return { type: TYPE, status: 'Unknown', reason: 'StructuralError', message };
    }
    const path = root('spec', 'versions').index(at).child('schema', 'openAPIV3Schema');
    errors.push(...validateStructural(whole, () => path));
  }
  if (errors.length === 0) return undefined;
  return { type: TYPE, status: 'True', reason: 'Violations', message: aggregateText(errors) };
}
