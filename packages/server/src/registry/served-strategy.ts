import { type ResourceDefinition, subresourcesIn } from '../definition/resource.ts';
import { definitionStrategy, statusStrategy } from './definition-strategy.ts';
import { scaleSpecErrors, scaleStatusErrors } from './scale-errors.ts';
import type { Strategy } from './strategy.ts';

/** The strategies of one version of a resource whose objects are judged in the version in which they are sent. */
export interface ServedStrategies {
  readonly whole: Strategy;
  readonly status: Strategy;
}

/** As upstream's for custom resources: what is wrong with metadata, contents and scale is told together. */
export function servedStrategies(
  group: string,
  definition: ResourceDefinition,
  version: string,
): ServedStrategies {
  const main = definitionStrategy(group, definition, version);
  const status = statusStrategy(main, definition);
  const { scale } = subresourcesIn(definition, version);
  return {
    whole: {
      ...main,
      judgesMetadataFirst: true,
      validate: async (object, context) => [
        ...(await main.validate(object, context)),
        ...scaleSpecErrors(object, scale),
        ...scaleStatusErrors(object, scale),
      ],
      validateUpdate: async (next, live, context) => [
        ...(await main.validateUpdate(next, live, context)),
        ...scaleSpecErrors(next, scale),
        ...scaleStatusErrors(next, scale),
      ],
    },
    status: {
      ...status,
      validateUpdate: async (next, live, context) => [
        ...(await status.validateUpdate(next, live, context)),
        ...scaleStatusErrors(next, scale),
      ],
    },
  };
}
