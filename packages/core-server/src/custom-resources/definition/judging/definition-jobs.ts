import type { Judgement } from '@tributary/server/parts';
import type { CustomResourceDefinition } from '../../../generated/apiextensions-v1.ts';
import { unrecognizedFormats } from '../schema/unrecognized-formats.ts';
import { validateDefinition, validateDefinitionUpdate } from '../validate-definition.ts';

export const DEFINITION_JOB = 'definition';

export interface DefinitionAsk {
  readonly next: CustomResourceDefinition;
  /** What is stored, for an update. */
  readonly live: CustomResourceDefinition | undefined;
}

/** What is wrong with a definition, and what its client should know. */
export function judgeDefinition({ next, live }: DefinitionAsk): Judgement {
  const errors =
    live === undefined ? validateDefinition(next) : validateDefinitionUpdate(next, live);
  return { errors, warnings: errors.length === 0 ? formatWarnings(next, live) : [] };
}

function formatWarnings(
  { spec }: CustomResourceDefinition,
  live: CustomResourceDefinition | undefined,
): string[] {
  const known = live === undefined ? new Set<string>() : unrecognizedFormats(live.spec);
  return [...unrecognizedFormats(spec)]
    .filter((format) => !known.has(format))
    .map((format) => `unrecognized format ${JSON.stringify(format)}`);
}
