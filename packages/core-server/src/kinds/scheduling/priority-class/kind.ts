import { PriorityClass } from '@tributary/api/scheduling-v1';
import { fieldError, fieldImmutable, root } from '@tributary/apimachinery';
import { allow, forbid } from '@tributary/server';
import { column, count } from '../../shared/columns.ts';
import { storedKind } from '../../shared/stored-kind.ts';
import { systemPriorities } from './system-priorities.ts';
import { validatePreemption, validatePriority } from './validation.ts';

export const priorityClassKind = storedKind<PriorityClass>({
  typed: PriorityClass,
  plural: 'priorityclasses',
  shortNames: ['pc'],
  scope: 'Cluster',
  // It is 1 and stays so: nothing that changes is counted.
  prepareForCreate: ({ metadata }) => {
    metadata.generation = 1;
  },
  columns: [
    count('Value', 'How important its pods are', ({ value }) => value),
    {
      name: 'Global-Default',
      type: 'boolean',
      description: 'Whether pods without a class are of it',
      cell: ({ globalDefault }) => globalDefault ?? false,
    },
  ],
  moreColumns: [
    column(
      'PreemptionPolicy',
      'Whether others make room for its pods',
      ({ preemptionPolicy }) => preemptionPolicy ?? '',
    ),
  ],
  applyDefaults: (one) => {
    one.preemptionPolicy ??= 'PreemptLowerPriority';
  },
  admit: {
    delete: ({ name }) =>
      systemPriorities.has(name)
        ? forbid('this is a system priority class and cannot be deleted')
        : allow,
  },
  validate: (one) => [...validatePriority(one), ...validatePreemption(one)],
  validateChange: (next, live) => [
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
});
