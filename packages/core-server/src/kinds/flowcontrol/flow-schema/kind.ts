import { FlowSchema } from '@tributary/api/flowcontrol-v1';
import type { ResourceDefinition } from '@tributary/server';
import { ageColumn, defineResource, nameColumn, version } from '@tributary/server/definition';
import { byPrecedence } from '../../../flow-control/precedence.ts';
import { validateFlowSchema } from './validation.ts';

const PRECEDENCE_DEFAULT = 1000;

/** Assigns requests to priority levels. */
export function flowSchemaKind(): ResourceDefinition<FlowSchema> {
  return defineResource({
    kind: 'FlowSchema',
    plural: 'flowschemas',
    scope: 'Cluster',
    allowUnconditionalUpdate: true,
    subresources: { status: true },
    versions: {
      v1: version({
        typed: FlowSchema,
        columns: [
          nameColumn,
          {
            name: 'PriorityLevel',
            description: 'The priority level of matching requests',
            cell: ({ spec }) => spec.priorityLevelConfiguration.name,
          },
          {
            name: 'MatchingPrecedence',
            description: 'The order of matching; the lowest number is first',
            cell: ({ spec }) => spec.matchingPrecedence,
          },
          {
            name: 'DistinguisherMethod',
            description: 'The method that separates flows',
            cell: ({ spec }) => spec.distinguisherMethod?.type ?? '<none>',
          },
          ageColumn,
          {
            name: 'MissingPL',
            description: 'Whether the priority level does not exist',
            cell: ({ status }) =>
              status?.conditions?.find(({ type }) => type === 'Dangling')?.status ?? '?',
          },
        ],
        tableOrder: byPrecedence,
        applyDefaults: ({ spec }) => {
          spec.matchingPrecedence ||= PRECEDENCE_DEFAULT;
        },
        prepareForCreate: (schema) => {
          schema.status = {};
        },
        validate: validateFlowSchema,
      }),
    },
  });
}
