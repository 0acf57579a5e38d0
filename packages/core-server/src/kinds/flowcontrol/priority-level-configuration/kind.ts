import {
  PriorityLevelConfiguration,
  type QueuingConfiguration,
} from '@tributary/api/flowcontrol-v1';
import type { Cell, ColumnInput, ResourceDefinition } from '@tributary/server';
import { ageColumn, defineResource, nameColumn, version } from '@tributary/server/definition';
import { defaultPriorityLevel } from './defaults.ts';
import { validatePriorityLevel } from './validation.ts';

/** Limits concurrent and queued requests. */
export function priorityLevelKind(): ResourceDefinition<PriorityLevelConfiguration> {
  return defineResource({
    kind: 'PriorityLevelConfiguration',
    plural: 'prioritylevelconfigurations',
    scope: 'Cluster',
    allowUnconditionalUpdate: true,
    subresources: { status: true },
    versions: {
      v1: version({
        typed: PriorityLevelConfiguration,
        columns: [
          nameColumn,
          {
            name: 'Type',
            description: 'Exempt or Limited',
            cell: ({ spec }) => spec.type,
          },
          {
            name: 'NominalConcurrencyShares',
            description: 'The concurrency shares relative to other levels',
            cell: ({ spec }) =>
              spec.limited === undefined ? NONE : spec.limited.nominalConcurrencyShares,
          },
          queuingColumn('Queues', 'How many queues it has', ({ queues }) => queues),
          queuingColumn('HandSize', 'In how many of them a flow waits', ({ handSize }) => handSize),
          queuingColumn(
            'QueueLengthLimit',
            'How many requests wait in one of them',
            ({ queueLengthLimit }) => queueLengthLimit,
          ),
          ageColumn,
        ],
        applyDefaults: defaultPriorityLevel,
        prepareForCreate: (level) => {
          level.status = {};
        },
        validate: validatePriorityLevel,
      }),
    },
  });
}

const NONE = '<none>';

function queuingColumn(
  name: string,
  description: string,
  value: (queuing: QueuingConfiguration) => Cell,
): ColumnInput<PriorityLevelConfiguration> {
  return {
    name,
    description,
    cell: ({ spec }) => {
      const queuing = spec.limited?.limitResponse.queuing;
      return queuing === undefined ? NONE : value(queuing);
    },
  };
}
