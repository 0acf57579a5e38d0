/** A sample of each rule; interop/core/rows/flow-control.ts has upstream's responses for all of them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type {
  FlowSchema,
  FlowSchemaSpec,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
} from '@tributary/api/flowcontrol-v1';
import { aggregateText, type FieldError } from '@tributary/apimachinery';
import { bootstrapObjects } from '../../../flow-control/bootstrap-objects.ts';
import { validateFlowSchema } from '../flow-schema/validation.ts';
import { defaultPriorityLevel } from '../priority-level-configuration/defaults.ts';
import { validatePriorityLevel } from '../priority-level-configuration/validation.ts';

const errorText = (errors: readonly FieldError[]) =>
  errors.length === 0 ? '' : aggregateText(errors);

function schema(spec: Partial<FlowSchemaSpec>, name = 'a'): FlowSchema {
  const whole = { priorityLevelConfiguration: { name: 'l' }, matchingPrecedence: 5, ...spec };
  return { apiVersion: '', kind: '', metadata: { name }, spec: whole, status: {} };
}

function level(spec: PriorityLevelConfigurationSpec, name = 'a'): PriorityLevelConfiguration {
  return { apiVersion: '', kind: '', metadata: { name }, spec, status: {} };
}

const queued = (queues: number, handSize: number, queueLengthLimit = 1) =>
  level({
    type: 'Limited',
    limited: {
      nominalConcurrencyShares: 1,
      limitResponse: { type: 'Queue', queuing: { queues, handSize, queueLengthLimit } },
    },
  });

describe('the bootstrap objects are valid', () => {
  const { schemas, levels } = bootstrapObjects();
  for (const one of schemas) {
    test(`FlowSchema ${one.metadata.name}`, () =>
      assert.equal(errorText(validateFlowSchema(one)), ''));
  }
  for (const one of levels) {
    test(`level ${one.metadata.name}`, () =>
      assert.equal(errorText(validatePriorityLevel(one)), ''));
  }
});

const schemas: readonly [name: string, FlowSchema, want: string][] = [
  ['is good', schema({}), ''],
  [
    'has the precedence of exempt',
    schema({ matchingPrecedence: 1 }),
    "spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1",
  ],
  [
    'has no level',
    schema({ priorityLevelConfiguration: { name: '' } }),
    'spec.priorityLevelConfiguration.name: Required value: must reference a priority level',
  ],
  [
    'has an unknown distinguisher',
    schema({ distinguisherMethod: { type: 'X' } }),
    'spec.distinguisherMethod.type: Unsupported value: {"Type":"X"}: supported values: "ByNamespace", "ByUser"',
  ],
  [
    'has a rule about nobody and nothing',
    schema({ rules: [{ subjects: null }] }),
    '[spec.rules[0].subjects: Required value: subjects must contain at least one value, spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty]',
  ],
];
for (const [name, given, want] of schemas) {
  test(`a FlowSchema that ${name}`, () => assert.equal(errorText(validateFlowSchema(given)), want));
}

test('a mandatory FlowSchema is immutable', () => {
  const [exempt] = bootstrapObjects().schemas.filter(({ metadata }) => metadata.name === 'exempt');
  assert.ok(exempt);
  exempt.spec.matchingPrecedence = 2;
  assert.match(
    errorText(validateFlowSchema(exempt)),
    /^spec: Invalid value: \{"PriorityLevelConfiguration":\{"Name":"exempt"\},"MatchingPrecedence":2,.*\}: spec of 'exempt' must equal the fixed value$/,
  );
});

const levels: readonly [name: string, PriorityLevelConfiguration, want: string][] = [
  ['queues', queued(64, 8), ''],
  [
    'is exempt by another name',
    level({ type: 'Exempt' }),
    "spec.type: Invalid value: \"Exempt\": must be 'Exempt' if and only if `name` is 'exempt'",
  ],
  ['has no limits', level({ type: 'Limited' }), 'spec.limited: Required value'],
  [
    'deals too many cards',
    queued(4, 8),
    'spec.limited.limitResponse.queuing.handSize: Invalid value: 8: should not be greater than queues (4)',
  ],
  [
    'takes too much chance',
    queued(1024, 7),
    'spec.limited.limitResponse.queuing.handSize: Invalid value: 7: required entropy bits of deckSize 1024 and handSize 7 should not be greater than 60',
  ],
];
for (const [name, given, want] of levels) {
  test(`a level that ${name}`, () => assert.equal(errorText(validatePriorityLevel(given)), want));
}

test('a level gets defaults, and a share of zero stays', () => {
  const given = level({
    type: 'Limited',
    limited: {
      nominalConcurrencyShares: null,
      limitResponse: { type: 'Queue', queuing: { queues: 0, handSize: 0, queueLengthLimit: 9 } },
    },
  });
  defaultPriorityLevel(given);
  assert.deepEqual(given.spec.limited, {
    nominalConcurrencyShares: 30,
    lendablePercent: 0,
    limitResponse: { type: 'Queue', queuing: { queues: 64, handSize: 8, queueLengthLimit: 9 } },
  });
  const none = level({ type: 'Exempt', exempt: {} });
  defaultPriorityLevel(none);
  assert.deepEqual(none.spec.exempt, { nominalConcurrencyShares: 0, lendablePercent: 0 });
});
