import { FlowSchema } from '@tributary/api/flowcontrol-v1';
import type { ResourceDefinition } from '@tributary/server';
import { ageColumn, defineResource, nameColumn, version } from '@tributary/server/definition';
import { byPrecedence } from '../../../flow-control/precedence.ts';
import { validateFlowSchema } from './validation.ts';

const PRECEDENCE_DEFAULT = 1000;

/** Which requests belong together, and to which priority level. */
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
            description: 'The priority level of its requests',
            cell: ({ spec }) => spec.priorityLevelConfiguration.name,
          },
          {
            name: 'MatchingPrecedence',
            description: 'Which schema is asked first: the one with the lowest number',
            cell: ({ spec }) => spec.matchingPrecedence,
          },
          {
            name: 'DistinguisherMethod',
            description: 'What tells its flows apart',
            cell: ({ spec }) => spec.distinguisherMethod?.type ?? '<none>',
          },
          ageColumn,
          {
            name: 'MissingPL',
            description: 'Whether its priority level is missing',
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
