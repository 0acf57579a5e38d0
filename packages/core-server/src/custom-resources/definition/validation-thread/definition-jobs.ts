import type { CustomResourceDefinition } from '@tributary/api/apiextensions-v1';
import type { ValidationResult } from '@tributary/server/validation';
import { specWarnings } from '../schema/spec-warnings.ts';
import { validateDefinition, validateDefinitionUpdate } from '../validate-definition.ts';

export const DEFINITION_JOB = 'definition';

export interface DefinitionChange {
  readonly next: CustomResourceDefinition;
  /** The stored object, for an update. */
  readonly live: CustomResourceDefinition | undefined;
}

/** The errors of a definition, and its warnings. */
export function validateDefinitionJob({ next, live }: DefinitionChange): ValidationResult {
  const errors =
    live === undefined ? validateDefinition(next) : validateDefinitionUpdate(next, live);
  return { errors, warnings: errors.length === 0 ? warningsOf(next, live) : [] };
}

function warningsOf(
  { spec }: CustomResourceDefinition,
  live: CustomResourceDefinition | undefined,
): string[] {
  const known = new Set(live && specWarnings(live.spec));
  return specWarnings(spec).filter((warning) => !known.has(warning));
}
