import { PriorityClass } from '@tributary/api/scheduling-v1';
import { fieldError, fieldImmutable, root } from '@tributary/apimachinery';
import { allow, forbid } from '@tributary/server';
import { defineResource, version } from '@tributary/server/definition';
import { column, count, tableColumns } from '../../shared/columns.ts';
import { validationHooks } from '../../shared/validation-hooks.ts';
import { systemPriorities } from './system-priorities.ts';
import { validatePreemption, validatePriority } from './validation.ts';

export const priorityClassKind = defineResource({
  kind: 'PriorityClass',
  plural: 'priorityclasses',
  shortNames: ['pc'],
  scope: 'Cluster',
  tracksGeneration: false,
  allowUnconditionalUpdate: true,
  admit: {
    delete: ({ name }) =>
      systemPriorities.has(name)
        ? forbid('this is a system priority class and cannot be deleted')
        : allow,
  },
  versions: {
    v1: version({
      typed: PriorityClass,
      columns: tableColumns<PriorityClass>({
        columns: [
          count('Value', 'The priority of its pods', ({ value }) => value),
          {
            name: 'Global-Default',
            type: 'boolean',
            description: 'Whether it is the default for pods without a class',
            cell: ({ globalDefault }) => globalDefault ?? false,
          },
        ],
        afterAge: [
          column(
            'PreemptionPolicy',
            'Whether its pods preempt others',
            ({ preemptionPolicy }) => preemptionPolicy ?? '',
          ),
        ],
      }),
      applyDefaults: (one) => {
        one.preemptionPolicy ??= 'PreemptLowerPriority';
      },
      // The generation stays 1, because nothing that counts can change.
      prepareForCreate: ({ metadata }) => {
        metadata.generation = 1;
      },
      ...validationHooks<PriorityClass>({
        scope: 'Cluster',
        validate: (one) => [...validatePriority(one), ...validatePreemption(one)],
        validateUpdate: (next, live) => [
          ...(next.value === live.value
            ? []
            : [fieldError.forbidden(root('value'), 'may not be changed in an update.')]),
          ...(next.preemptionPolicy === live.preemptionPolicy
            ? []
            : [
                fieldError.invalid(
                  root('preemptionPolicy'),
                  next.preemptionPolicy ?? null,
                  fieldImmutable,
                ),
              ]),
        ],
      }),
    }),
  },
});
