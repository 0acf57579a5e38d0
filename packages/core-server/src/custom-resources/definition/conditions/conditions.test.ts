import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
} from '@tributary/api/apiextensions-v1';
import { definition, definitionOf } from '../../../../test/definition-fixture.ts';
import { acceptNames, hasItsNames, usedNames } from './accept-names.ts';
import { approvalCondition } from './approving.ts';
import { says, withCondition } from './condition.ts';
import { establishedCondition } from './establishing.ts';
import { nonStructuralCondition } from './non-structural.ts';

const others: CustomResourceDefinitionNames = {
  plural: 'others',
  singular: 'other',
  shortNames: ['o'],
  kind: 'Other',
  listKind: 'OtherList',
};
const thing = definition().spec.names;

describe('names that nobody else has are given', () => {
  const cases: {
    name: string;
    wants: Partial<CustomResourceDefinitionNames>;
    had?: CustomResourceDefinitionNames;
    reason: string;
    message?: string;
    given?: Partial<CustomResourceDefinitionNames>;
  }[] = [
    { name: 'all', wants: { shortNames: ['t'], categories: ['all'] }, reason: 'NoConflicts' },
    {
      name: 'a plural that is a short name',
      wants: { plural: 'o' },
      reason: 'PluralConflict',
      message: '"o" is already in use',
      given: { plural: '', kind: 'Thing' },
    },
    {
      name: 'short names, all of them or none',
      wants: { shortNames: ['free', 'o', 'others'] },
      reason: 'ShortNamesConflict',
      message: '["o" is already in use, "others" is already in use]',
      given: { plural: 'things', kind: 'Thing' },
    },
    {
      name: 'a kind, of which a resource may have the name',
      wants: { singular: 'free', kind: 'others' },
      reason: 'NoConflicts',
    },
    {
      name: 'the last of several conflicts is told',
      wants: { singular: 'other', kind: 'Other', listKind: 'OtherList' },
      reason: 'ListKindConflict',
      given: { plural: 'things', kind: '' },
    },
    {
      name: 'what it had it keeps, and a short name of its own is none of others',
      had: { ...thing, shortNames: ['o'] },
      wants: { shortNames: ['o', 'free'] },
      reason: 'NoConflicts',
    },
    {
      name: 'a name that it has is kept while it wants one that is taken',
      had: thing,
      wants: { kind: 'Other' },
      reason: 'KindConflict',
      given: { ...thing },
    },
    {
      name: 'names that it no longer wants go',
      had: { ...thing, shortNames: ['t'] },
      wants: {},
      reason: 'NoConflicts',
    },
  ];
  for (const { name, wants, had, reason, message, given } of cases) {
    test(name, () => {
      const one = definition({ names: { ...thing, ...wants } });
      if (had !== undefined) one.status.acceptedNames = had;
      const { names, conditions } = acceptNames(one, usedNames([others, one.status.acceptedNames]));
      const [accepted] = conditions;
      assert.equal(accepted?.reason, reason);
      if (message !== undefined) assert.equal(accepted?.message, message);
      if (given === undefined) assert.deepEqual(names, one.spec.names);
      else assert.partialDeepStrictEqual(names, given);
      const settled = { ...one, status: { ...one.status, acceptedNames: names } };
      assert.equal(hasItsNames(settled), reason === 'NoConflicts');
    });
  }
});

describe('whether it is established', () => {
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
      name: 'with its names, it is being installed',
      from: definition(),
      used: [],
      reason: 'Installing',
    },
    {
      name: 'without them, not',
      from: definition(),
      used: [{ ...others, kind: 'Thing' }],
      reason: 'NotAccepted',
    },
    {
      name: 'once it is, it stays',
      from: withEstablished('True', 'Kept'),
      used: [{ ...others, kind: 'Thing' }],
      reason: 'Kept',
    },
    {
      name: 'after a conflict, it is installed',
      from: withEstablished('False', 'NotAccepted'),
      used: [],
      reason: 'Installing',
    },
    {
      name: 'while a conflict lasts, nothing changes',
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

  test('depends on the bundle of its webhook', () => {
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

describe('whether a schema is structural', () => {
  const preserving = definition({ preserveUnknownFields: true });
  const cases: { name: string; from: CustomResourceDefinition; wants: object | undefined }[] = [
    { name: 'one that is', from: definition(), wants: undefined },
    {
      name: 'one that is not',
      from: definitionOf({ properties: { x: { type: 'array' } } }),
      wants: {
        status: 'True',
        reason: 'Violations',
        message:
          '[spec.versions[0].schema.openAPIV3Schema.properties[x].items: Required value: must be specified, spec.versions[0].schema.openAPIV3Schema.type: Required value: must not be empty at the root]',
      },
    },
    {
      name: 'one that cannot be read',
      from: definitionOf({ type: 'object', definitions: { x: {} } }),
      wants: {
        status: 'Unknown',
        reason: 'StructuralError',
        message:
          "failed to check validation schema for version v1: OpenAPIV3Schema 'definitions' is not supported",
      },
    },
    {
      name: 'one that keeps unknown fields',
      from: preserving,
      wants: { message: 'spec.preserveUnknownFields: Invalid value: true: must be false' },
    },
  ];
  for (const { name, from, wants } of cases) {
    test(name, () => {
      const condition = nonStructuralCondition(from);
      if (wants === undefined) assert.equal(condition, undefined);
      else assert.partialDeepStrictEqual(condition, wants);
    });
  }
});

describe('whether the community has agreed', () => {
  const cases = [
    { group: 'example.com', annotation: '', wants: undefined },
    { group: 'notk8s.io', annotation: '', wants: undefined },
    { group: 'k8s.io', annotation: '', wants: 'False MissingAnnotation' },
    { group: 'x.kubernetes.io', annotation: 'maybe', wants: 'False InvalidAnnotation' },
    { group: 'x.k8s.io', annotation: 'unapproved', wants: 'False UnapprovedAnnotation' },
    { group: 'x.k8s.io', annotation: 'https://a/b', wants: 'True ApprovedAnnotation' },
  ];
  for (const { group, annotation, wants } of cases) {
    test(`${group}: ${annotation}`, () => {
      const one = definition({ group });
      one.metadata = { ...one.metadata, annotations: { 'api-approved.kubernetes.io': annotation } };
      const found = approvalCondition(one);
      assert.equal(found && `${found.status} ${found.reason}`, wants);
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
  assert.ok(says(one, { ...condition, status: 'True' }));
  assert.ok(!says(one, { ...condition, status: 'False' }));
});
