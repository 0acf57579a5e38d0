import { isDeepStrictEqual } from 'node:util';
import type { CustomResourceDefinition } from '@tributary/api/apiextensions-v1';
import type { FieldError } from '@tributary/apimachinery';
import type { ValidateContext, ValidationResult } from '@tributary/server/validation';
import { validateDefinitionUpdate } from '../validate-definition.ts';
import { isHeavy } from './definition-cost.ts';
import { DEFINITION_JOB, type DefinitionChange, validateDefinitionJob } from './definition-jobs.ts';

interface DefinitionHooks {
  validate(
    definition: CustomResourceDefinition,
    context?: ValidateContext,
  ): Promise<readonly FieldError[]>;
  validateUpdate(
    next: CustomResourceDefinition,
    live: CustomResourceDefinition,
    context?: ValidateContext,
  ): Promise<readonly FieldError[]>;
  warnings(definition: CustomResourceDefinition): readonly string[];
}

/** Validates definitions; large ones, and those with many rules, in the validation thread. */
export function definitionHooks(): DefinitionHooks {
  const reported = new WeakMap<CustomResourceDefinition, readonly string[]>();
  const validate = async (change: DefinitionChange, context: ValidateContext | undefined) => {
    const { errors, warnings } = await validateChange(change, context);
    if (warnings.length > 0) reported.set(change.next, warnings);
    return errors;
  };
  return {
    validate: (next, context) => validate({ next, live: undefined }, context),
    validateUpdate: (next, live, context) => validate({ next, live }, context),
    warnings: (definition) => reported.get(definition) ?? [],
  };
}

async function validateChange(
  change: DefinitionChange,
  context: ValidateContext | undefined,
): Promise<ValidationResult> {
  const { next, live } = change;
  // An unchanged spec is not validated again, so that writes of the status are cheap.
  if (live !== undefined && isDeepStrictEqual(next.spec, live.spec)) {
    // Identical objects make further comparisons cheap.
    const same = { ...next, spec: live.spec };
    return { errors: validateDefinitionUpdate(same, live), warnings: [] };
  }
  if (context === undefined || !isHeavy(next.spec)) return validateDefinitionJob(change);
  return context.thread.runJob(DEFINITION_JOB, change, context.cancellation);
}
