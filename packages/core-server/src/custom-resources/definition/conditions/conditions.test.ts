import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
} from '@tributary/api/apiextensions-v1';
import { definition, definitionOf } from '../../../../test/definition-fixture.ts';
import { approvalCondition } from './approval-controller.ts';
import { hasCondition, withCondition } from './condition.ts';
import { establishedCondition } from './establishing-controller.ts';
import { acceptNames, hasItsNames, usedNames } from './naming-controller.ts';
import { nonStructuralCondition } from './non-structural-schema-controller.ts';

const others: CustomResourceDefinitionNames = {
  plural: 'others',
  singular: 'other',
  shortNames: ['o'],
  kind: 'Other',
  listKind: 'OtherList',
};
const thing = definition().spec.names;

describe('accepted names', () => {
  const cases: {
    name: string;
    requested: Partial<CustomResourceDefinitionNames>;
    before?: CustomResourceDefinitionNames;
    reason: string;
    message?: string;
    given?: Partial<CustomResourceDefinitionNames>;
  }[] = [
    {
      name: 'all names that are not in use',
      requested: { shortNames: ['t'], categories: ['all'] },
      reason: 'NoConflicts',
    },
    {
      name: 'a plural that is a short name',
      requested: { plural: 'o' },
      reason: 'PluralConflict',
      message: '"o" is already in use',
      given: { plural: '', kind: 'Thing' },
    },
    {
      name: 'short names are accepted all together or not at all',
      requested: { shortNames: ['free', 'o', 'others'] },
      reason: 'ShortNamesConflict',
      message: '["o" is already in use, "others" is already in use]',
      given: { plural: 'things', kind: 'Thing' },
    },
    {
      name: 'a kind may have the name of a resource',
      requested: { singular: 'free', kind: 'others' },
      reason: 'NoConflicts',
    },
    {
      name: 'the last of several conflicts is reported',
      requested: { singular: 'other', kind: 'Other', listKind: 'OtherList' },
      reason: 'ListKindConflict',
      given: { plural: 'things', kind: '' },
    },
    {
      name: 'accepted names stay, and do not conflict with themselves',
      before: { ...thing, shortNames: ['o'] },
      requested: { shortNames: ['o', 'free'] },
      reason: 'NoConflicts',
    },
    {
      name: 'an accepted name stays while the requested one is in use',
      before: thing,
      requested: { kind: 'Other' },
      reason: 'KindConflict',
      given: { ...thing },
    },
    {
      name: 'names that are no longer requested are removed',
      before: { ...thing, shortNames: ['t'] },
      requested: {},
      reason: 'NoConflicts',
    },
  ];
  for (const { name, requested, before, reason, message, given } of cases) {
    test(name, () => {
      const one = definition({ names: { ...thing, ...requested } });
      if (before !== undefined) one.status.acceptedNames = before;
      const { names, conditions } = acceptNames(one, usedNames([others, one.status.acceptedNames]));
      const [accepted] = conditions;
      assert.equal(accepted?.reason, reason);
      if (message !== undefined) assert.equal(accepted?.message, message);
      if (given === undefined) assert.deepEqual(names, one.spec.names);
      else assert.partialDeepStrictEqual(names, given);
      const updated = { ...one, status: { ...one.status, acceptedNames: names } };
      assert.equal(hasItsNames(updated), reason === 'NoConflicts');
    });
  }
});

describe('the condition Established after naming', () => {
  const withEstablished = (status: 'True' | 'False', reason: string) => {
    const one = definition();
    const condition = {
      type: 'Established',
      status,
      reason,
      message: 'm',
      lastTransitionTime: null,
    };
    one.status.conditions = [condition];
    return one;
  };
  const cases = [
    {
      name: 'is Installing with accepted names',
      from: definition(),
      used: [],
      reason: 'Installing',
    },
    {
      name: 'is NotAccepted without them',
      from: definition(),
      used: [{ ...others, kind: 'Thing' }],
      reason: 'NotAccepted',
    },
    {
      name: 'stays True despite a conflict',
      from: withEstablished('True', 'Unchanged'),
      used: [{ ...others, kind: 'Thing' }],
      reason: 'Unchanged',
    },
    {
      name: 'is Installing after a conflict ends',
      from: withEstablished('False', 'NotAccepted'),
      used: [],
      reason: 'Installing',
    },
    {
      name: 'does not change while a conflict lasts',
      from: withEstablished('False', 'Before'),
      used: [{ ...others, kind: 'Thing' }],
      reason: 'Before',
    },
  ];
  for (const { name, from, used, reason } of cases) {
    test(name, () => {
      const [, established] = acceptNames(from, usedNames(used)).conditions;
      assert.equal(established?.reason, reason);
    });
  }

  test('depends on the CA bundle of the webhook', () => {
    const webhook = (caBundle?: string) =>
      definition({
        conversion: {
          strategy: 'Webhook',
          webhook: {
            clientConfig: { url: 'https://x', ...(caBundle !== undefined && { caBundle }) },
            conversionReviewVersions: ['v1'],
          },
        },
      });
    assert.equal(establishedCondition(webhook()).reason, 'InitialNamesAccepted');
    const key = Buffer.from('-----BEGIN KEY-----\nAA==\n-----END KEY-----\n').toString('base64');
    for (const bundle of ['bm90IFBFTQ==', key]) {
      assert.equal(establishedCondition(webhook(bundle)).reason, 'InvalidCABundle');
    }
  });
});

describe('the condition NonStructuralSchema', () => {
  const preserving = definition({ preserveUnknownFields: true });
  const cases: { name: string; from: CustomResourceDefinition; requested: object | undefined }[] = [
    { name: 'a structural schema has none', from: definition(), requested: undefined },
    {
      name: 'a non-structural schema',
      from: definitionOf({ properties: { x: { type: 'array' } } }),
      requested: {
        status: 'True',
        reason: 'Violations',
        message:
          '[spec.versions[0].schema.openAPIV3Schema.properties[x].items: Required value: must be specified, spec.versions[0].schema.openAPIV3Schema.type: Required value: must not be empty at the root]',
      },
    },
    {
      name: 'a schema without structural form',
      from: definitionOf({ type: 'object', definitions: { x: {} } }),
      requested: {
        status: 'Unknown',
        reason: 'StructuralError',
        message:
          "failed to check validation schema for version v1: OpenAPIV3Schema 'definitions' is not supported",
      },
    },
    {
      name: 'preserveUnknownFields',
      from: preserving,
      requested: { message: 'spec.preserveUnknownFields: Invalid value: true: must be false' },
    },
  ];
  for (const { name, from, requested } of cases) {
    test(name, () => {
      const condition = nonStructuralCondition(from);
      if (requested === undefined) assert.equal(condition, undefined);
      else assert.partialDeepStrictEqual(condition, requested);
    });
  }
});

describe('the condition KubernetesAPIApprovalPolicyConformant', () => {
  const cases = [
    { group: 'example.com', annotation: '', requested: undefined },
    { group: 'notk8s.io', annotation: '', requested: undefined },
    { group: 'k8s.io', annotation: '', requested: 'False MissingAnnotation' },
    { group: 'x.kubernetes.io', annotation: 'maybe', requested: 'False InvalidAnnotation' },
    { group: 'x.k8s.io', annotation: 'unapproved', requested: 'False UnapprovedAnnotation' },
    { group: 'x.k8s.io', annotation: 'https://a/b', requested: 'True ApprovedAnnotation' },
  ];
  for (const { group, annotation, requested } of cases) {
    test(`${group}: ${annotation}`, () => {
      const one = definition({ group });
      one.metadata = { ...one.metadata, annotations: { 'api-approved.kubernetes.io': annotation } };
      const found = approvalCondition(one);
      assert.equal(found && `${found.status} ${found.reason}`, requested);
    });
  }
});

test('a condition has the time of its last change of status', () => {
  const condition = { type: 'NamesAccepted', reason: 'A', message: 'a' } as const;
  const first = withCondition(null, { ...condition, status: 'False' }, 0);
  const again = withCondition(first, { ...condition, status: 'False', reason: 'B' }, 1_000);
  assert.equal(again[0]?.lastTransitionTime, '1970-01-01T00:00:00Z');
  const next = withCondition(again, { ...condition, status: 'True' }, 2_000);
  assert.equal(next[0]?.lastTransitionTime, '1970-01-01T00:00:02Z');
  const one = definition();
  one.status.conditions = next;
  assert.ok(hasCondition(one, { ...condition, status: 'True' }));
  assert.ok(!hasCondition(one, { ...condition, status: 'False' }));
});
