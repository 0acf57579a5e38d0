import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { aggregateText, type FieldError } from '@tributary/apimachinery';
import { type NamespaceDebt, type NamespaceDebtSpec, namespaceDebtName } from './namespace-debt.ts';
import { validateNamespaceDebt, validateNamespaceDebtUpdate } from './validate-namespace-debt.ts';

const reported = (errors: readonly FieldError[]) =>
  errors.length === 0 ? '' : aggregateText(errors);
const flunders = { group: 'wardle.example.com', version: 'v1alpha1', resource: 'flunders' };
const whole: NamespaceDebtSpec = {
  namespace: 'team',
  namespaceUid: '11111111-2222-4333-8444-555555555555',
  apiService: 'v1alpha1.wardle.example.com',
  apiServiceUid: '22222222-2222-4333-8444-555555555555',
  resources: [flunders],
  since: '2026-01-01T00:00:00Z',
};

function debt(more: Partial<NamespaceDebtSpec> = {}, name?: string): NamespaceDebt {
  const spec = { ...whole, ...more };
  const metadata = { name: name ?? namespaceDebtName(spec) };
  return {
    apiVersion: 'aggregation.tributary.dev/v1',
    kind: 'NamespaceDebt',
    metadata,
    spec,
    status: {},
  };
}

describe('the name of a debt', () => {
  const name = namespaceDebtName(whole);
  test('is the same each time', () => {
    assert.equal(namespaceDebtName({ ...whole }), name);
    assert.equal(name, '11111111-2222-4333-8444-555555555555-3c70410e4f9ef18e');
  });
  test('is another for another namespace of the same name', () => {
    assert.notEqual(namespaceDebtName({ ...whole, namespaceUid: 'x' }), name);
  });
  test('is another for another APIService', () => {
    assert.notEqual(namespaceDebtName({ ...whole, apiService: 'v1.wardle.example.com' }), name);
  });
  test('is short, however long that of the APIService is', () => {
    const apiService = `${'v'.repeat(63)}.${'g'.repeat(253)}`;
    assert.ok(namespaceDebtName({ ...whole, apiService }).length <= 63);
  });
});

const rows: readonly [name: string, NamespaceDebt, want: RegExp][] = [
  ['whole', debt(), /^$/],
  ['of the core group', debt({ resources: [{ ...flunders, group: '' }] }), /^$/],
  ['of everything', debt({ resources: [{ ...flunders, resource: '*' }] }), /^$/],
  ['of another name', debt({}, 'a'), /^metadata.name: Invalid value: "a": must be "1111/],
  ['without a namespace', debt({ namespace: '' }), /^spec.namespace: Required value$/],
  ['of a bad namespace', debt({ namespace: 'A.b' }), /^spec.namespace: Invalid value: "A.b"/],
  ['without its uid', debt({ namespaceUid: '' }), /^spec.namespaceUid: Required value$/],
  ['without an APIService', debt({ apiService: '' }), /^spec.apiService: Required value$/],
  ['without the uid of that', debt({ apiServiceUid: '' }), /^spec.apiServiceUid: Required value$/],
  ['without a time', debt({ since: null }), /^spec.since: Required value$/],
  ['of nothing', debt({ resources: null }), /^spec.resources: Required value$/],
  [
    'of one thing twice',
    debt({ resources: [flunders, flunders] }),
    /^spec.resources\[1\]: Duplicate value: "flunders.v1alpha1.wardle.example.com"$/,
  ],
  [
    'of bad things',
    debt({ resources: [{ group: 'A', version: '1', resource: '' }] }),
    /group: Invalid value: "A".*version: Invalid value: "1".*resource: Required value/s,
  ],
  [
    'of too much',
    debt({
      resources: Array.from({ length: 1001 }, (_, index) => ({
        ...flunders,
        resource: `r${index}`,
      })),
    }),
    /^spec.resources: Too many: 1001: must have at most 1000 items$/,
  ],
  [
    'with a message without end',
    { ...debt(), status: { message: 'x'.repeat(4097) } },
    /^status.message: Too long: may not be more than 4096 characters$/,
  ],
];
for (const [name, object, want] of rows) {
  test(`a debt ${name}`, () => assert.match(reported(validateNamespaceDebt(object)), want));
}

describe('later', () => {
  test('more may be found to be owed', () => {
    const more = [flunders, { ...flunders, resource: 'fischers' }];
    assert.equal(reported(validateNamespaceDebtUpdate(debt({ resources: more }), debt())), '');
  });
  test('the time stays', () => {
    const next = debt({ since: '2026-02-01T00:00:00Z' });
    assert.match(
      reported(validateNamespaceDebtUpdate(next, debt())),
      /^spec.since: Invalid value: "2026-02-01T00:00:00Z": field is immutable$/,
    );
  });
  test('the namespace stays', () => {
    const next = debt({ namespace: 'other' });
    assert.match(reported(validateNamespaceDebtUpdate(next, debt())), /field is immutable$/);
  });
});
