import type {
  CustomResourceDefinition,
  CustomResourceDefinitionSpec,
} from '@tributary/api/apiextensions-v1';
import type { ValidationResult } from '@tributary/server/validation';
import { setWarnings } from '../schema/set-of-objects.ts';
import { unrecognizedFormats } from '../schema/unrecognized-formats.ts';
import { validateDefinition, validateDefinitionUpdate } from '../validate-definition.ts';

export const DEFINITION_JOB = 'definition';

export interface DefinitionAsk {
  readonly next: CustomResourceDefinition;
  /** What is stored, for an update. */
  readonly live: CustomResourceDefinition | undefined;
}

/** What is wrong with a definition, and what its client should know. */
export function judgeDefinition({ next, live }: DefinitionAsk): ValidationResult {
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

function specWarnings(spec: CustomResourceDefinitionSpec): string[] {
  const formats = [...unrecognizedFormats(spec)];
  return [
    ...formats.map((format) => `unrecognized format ${JSON.stringify(format)}`),
    ...setWarnings(spec),
  ];
}
