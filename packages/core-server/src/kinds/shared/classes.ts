/** Classes of pods: how important they are, and what runs them. */

import { RuntimeClass } from '@tributary/api/node-v1';
import { PriorityClass } from '@tributary/api/scheduling-v1';
import { declarative, fieldError, fieldImmutable, root } from '@tributary/apimachinery';
import { allow, forbid } from '@tributary/server';
import { column, count } from './pod-parts.ts';
import { storedKind } from './stored-kind.ts';
import { validateLabel } from './validate-names.ts';

const PRIORITY_MAX = 1_000_000_000;
const RESERVED = 'system-';
/** They count before they are stored, which is soon after a first start. */
export const systemPriorities: ReadonlyMap<string, number> = new Map([
  ['system-node-critical', 2_000_001_000],
  ['system-cluster-critical', 2_000_000_000],
]);
const PREEMPTION = ['PreemptLowerPriority', 'Never'];

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

export const runtimeClassKind = storedKind<RuntimeClass>({
  typed: RuntimeClass,
  metadataOnUpdate: 'twice',
  anyFinalizer: true,
  plural: 'runtimeclasses',
  scope: 'Cluster',
  allowUnconditionalUpdate: false,
  allowCreateOnUpdate: true,
  columns: [column('Handler', '', ({ handler }) => handler)],
  validate: ({ handler }) =>
    (handler === ''
      ? [fieldError.required(root('handler'))]
      : validateLabel(root('handler'), handler)
    ).map(declarative),
  declaredImmutable: ['handler'],
});

function validatePriority({ metadata, value }: PriorityClass) {
  const name = metadata.name ?? '';
  if (name.startsWith(RESERVED)) {
    const wanted = systemPriorities.get(name);
    if (wanted === value) return [];
    const why =
      wanted === undefined
        ? `${name} is not a known system priority class`
        : `value of ${name} PriorityClass must be ${wanted}`;
    const detail = `priority class names with '${RESERVED}' prefix are reserved for system use only. error: ${why}`;
    return [fieldError.forbidden(root('metadata').child('name'), detail)];
  }
  if (value <= PRIORITY_MAX) return [];
  const detail = `maximum allowed value of a user defined priority is ${PRIORITY_MAX}`;
  return [fieldError.forbidden(root('value'), detail)];
}

function validatePreemption({ preemptionPolicy }: PriorityClass) {
  if (preemptionPolicy === undefined || PREEMPTION.includes(preemptionPolicy)) return [];
  return [fieldError.notSupported(root('preemptionPolicy'), preemptionPolicy, PREEMPTION)];
}
