import { type ResourceDefinition, subresourcesIn } from '../definition/resource.ts';
import { definitionStrategy, statusStrategy } from './definition-strategy.ts';
import { scaleSpecErrors, scaleStatusErrors } from './scale-errors.ts';
import type { Strategy } from './strategy.ts';

/** The strategies of one version of a resource whose objects are validated in the version of the request. */
interface ServedStrategies {
  readonly whole: Strategy;
  readonly status: Strategy;
}

/** As upstream's for custom resources: errors of metadata, content and scale are reported together. */
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
      validatesMetadataFirst: true,
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
