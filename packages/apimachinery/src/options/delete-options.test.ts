import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '../errors/status.ts';
import { decodeDeleteOptions, parseDeleteOptions } from './delete-options.ts';

/** The message of the failure with its code, or the empty string. */
function failure(parse: () => unknown): string {
  try {
    parse();
    return '';
  } catch (error) {
    assert.ok(error instanceof StatusError);
    return `${error.code} ${error.message}`;
  }
}

const queries = [
  { name: 'nothing', query: '', want: '' },
  { name: 'a policy', query: 'propagationPolicy=Foreground', want: '' },
  {
    name: 'an unknown policy',
    query: 'propagationPolicy=Now',
    want: '422 DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Now": supported values: "Foreground", "Background", "Orphan", "nil"',
  },
  {
    name: 'an empty policy',
    query: 'propagationPolicy=',
    want: '422 DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "": supported values: "Foreground", "Background", "Orphan", "nil"',
  },
  {
    name: 'a policy and orphanDependents',
    query: 'propagationPolicy=Orphan&orphanDependents=true',
    want: '422 DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
  },
  {
    name: 'an unknown policy and orphanDependents',
    query: 'propagationPolicy=x&orphanDependents=',
    want: '422 DeleteOptions.meta.k8s.io "" is invalid: [propagationPolicy: Invalid value: "x": orphanDependents and deletionPropagation cannot be both set, propagationPolicy: Unsupported value: "x": supported values: "Foreground", "Background", "Orphan", "nil"]',
  },
  {
    name: 'a bad grace period',
    query: 'gracePeriodSeconds=soon',
    want: '400 strconv.ParseInt: parsing "soon": invalid syntax',
  },
  { name: 'a negative grace period', query: 'gracePeriodSeconds=-1', want: '' },
  {
    name: 'an unknown dry run',
    query: 'dryRun=x',
    want: '422 DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["x"]: supported values: "All"',
  },
  {
    name: 'ignoring read errors',
    query: 'ignoreStoreReadErrorWithClusterBreakingPotential=true',
    want: '',
  },
  {
    name: 'ignoring read errors and more',
    query:
      'ignoreStoreReadErrorWithClusterBreakingPotential=true&gracePeriodSeconds=0&uid=u&dryRun=All&orphanDependents=false',
    want: '422 DeleteOptions.meta.k8s.io "" is invalid: [ignoreStoreReadErrorWithClusterBreakingPotential: Invalid value: true: cannot be set together with .orphanDependents, ignoreStoreReadErrorWithClusterBreakingPotential: Invalid value: true: cannot be set together with .gracePeriodSeconds, ignoreStoreReadErrorWithClusterBreakingPotential: Invalid value: true: cannot be set together with .preconditions]',
  },
  {
    name: 'not ignoring read errors',
    query: 'ignoreStoreReadErrorWithClusterBreakingPotential=false&uid=u',
    want: '',
  },
];
for (const { name, query, want } of queries) {
  test(`delete options in a query: ${name}`, () => {
    assert.equal(
      failure(() => parseDeleteOptions(new URLSearchParams(query))),
      want,
    );
  });
}

const bodies = [
  { name: 'an empty object', body: '{}', want: '' },
  { name: 'null', body: 'null', want: '' },
  {
    name: 'a list',
    body: '[]',
    want: '400 json: cannot unmarshal array into Go value of type v1.DeleteOptions',
  },
  {
    name: 'a text',
    body: '"x"',
    want: '400 json: cannot unmarshal string into Go value of type v1.DeleteOptions',
  },
  {
    name: 'a number',
    body: '5',
    want: '400 json: cannot unmarshal number into Go value of type v1.DeleteOptions',
  },
  { name: 'a grace period', body: '{"gracePeriodSeconds":30}', want: '' },
  {
    name: 'a grace period as text',
    body: '{"gracePeriodSeconds":"30"}',
    want: '400 json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
  },
  {
    name: 'a fraction',
    body: '{"gracePeriodSeconds":1.5}',
    want: '400 json: cannot unmarshal number 1.5 into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
  },
  {
    name: 'a uid that is a number',
    body: '{"preconditions":{"uid":5}}',
    want: '400 json: cannot unmarshal number into Go struct field Preconditions.preconditions.uid of type types.UID',
  },
  {
    name: 'preconditions that are a number',
    body: '{"preconditions":5}',
    want: '400 json: cannot unmarshal number into Go struct field DeleteOptions.preconditions of type v1.Preconditions',
  },
  {
    name: 'a version that is a list',
    body: '{"preconditions":{"resourceVersion":[1]}}',
    want: '400 json: cannot unmarshal array into Go struct field Preconditions.preconditions.resourceVersion of type string',
  },
  {
    name: 'a dry run as text',
    body: '{"dryRun":"All"}',
    want: '400 json: cannot unmarshal string into Go struct field DeleteOptions.dryRun of type []string',
  },
  {
    name: 'a dry run of numbers',
    body: '{"dryRun":[5]}',
    want: '400 json: cannot unmarshal number into Go struct field DeleteOptions.dryRun of type string',
  },
  {
    name: 'a policy that is a number',
    body: '{"propagationPolicy":7}',
    want: '400 json: cannot unmarshal number into Go struct field DeleteOptions.propagationPolicy of type v1.DeletionPropagation',
  },
  {
    name: 'a boolean as text',
    body: '{"orphanDependents":"true"}',
    want: '400 json: cannot unmarshal string into Go struct field DeleteOptions.orphanDependents of type bool',
  },
  {
    name: 'a kind that is a number',
    body: '{"kind":5}',
    want: '400 json: cannot unmarshal number into Go struct field DeleteOptions.TypeMeta.kind of type string',
  },
  {
    name: 'the first wrong field',
    body: '{"preconditions":{"uid":5},"kind":5}',
    want: '400 json: cannot unmarshal number into Go struct field Preconditions.preconditions.uid of type types.UID',
  },
  {
    name: 'null fields are absent',
    body: '{"gracePeriodSeconds":null,"preconditions":null}',
    want: '',
  },
  { name: 'unknown fields are skipped', body: '{"colour":"red"}', want: '' },
];
for (const { name, body, want } of bodies) {
  test(`delete options in a body: ${name}`, () => {
    assert.equal(
      failure(() => decodeDeleteOptions(JSON.parse(body))),
      want,
    );
  });
}

test('options in a query equal those in a body', () => {
  const want = {
    gracePeriodSeconds: 30,
    preconditions: { uid: 'u', resourceVersion: '5' },
    propagationPolicy: 'Orphan',
    dryRun: true,
  };
  const query = 'gracePeriodSeconds=30&uid=u&resourceVersion=5&propagationPolicy=Orphan&dryRun=All';
  assert.deepEqual(parseDeleteOptions(new URLSearchParams(query)), want);
  assert.deepEqual(decodeDeleteOptions({ kind: 'DeleteOptions', ...want, dryRun: ['All'] }), want);
});

test('a body is validated like a query', () => {
  assert.equal(
    failure(() => decodeDeleteOptions({ propagationPolicy: 'Now' })),
    '422 DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Now": supported values: "Foreground", "Background", "Orphan", "nil"',
  );
});
