import { isDeepStrictEqual } from 'node:util';
import type { CustomResourceDefinition } from '@tributary/api/apiextensions-v1';
import type { FieldError } from '@tributary/apimachinery';
import type { ValidateContext, ValidationResult } from '@tributary/server/validation';
import { validateDefinitionUpdate } from '../validate-definition.ts';
import { isHeavy } from './definition-cost.ts';
import { DEFINITION_JOB, type DefinitionAsk, judgeDefinition } from './definition-jobs.ts';

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

/** Judges definitions: large ones, and those with many rules, in the thread. */
export function judgedDefinitions(): DefinitionHooks {
  const told = new WeakMap<CustomResourceDefinition, readonly string[]>();
  const judge = async (ask: DefinitionAsk, context: ValidateContext | undefined) => {
    const { errors, warnings } = await judgementOf(ask, context);
    if (warnings.length > 0) told.set(ask.next, warnings);
    return errors;
  };
  return {
    validate: (next, context) => judge({ next, live: undefined }, context),
    validateUpdate: (next, live, context) => judge({ next, live }, context),
    warnings: (definition) => told.get(definition) ?? [],
  };
}

async function judgementOf(
  ask: DefinitionAsk,
  context: ValidateContext | undefined,
): Promise<ValidationResult> {
  const { next, live } = ask;
  // What did not change is not judged again, so that writes of the status ask nobody.
  if (live !== undefined && isDeepStrictEqual(next.spec, live.spec)) {
    // The same in both, so that it is not compared again and again.
    const same = { ...next, spec: live.spec };
    return { errors: validateDefinitionUpdate(same, live), warnings: [] };
  }
  if (context === undefined || !isHeavy(next.spec)) return judgeDefinition(ask);
  return context.thread.runJob(DEFINITION_JOB, ask, context.cancellation);
}
