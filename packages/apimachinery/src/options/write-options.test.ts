import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '../errors/status.ts';
import {
  parseCreateOptions,
  parseGetOptions,
  parsePatchOptions,
  parseUpdateOptions,
} from './write-options.ts';

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

const creations = [
  { name: 'nothing', query: '', want: '' },
  { name: 'dry run', query: 'dryRun=All', want: '' },
  { name: 'dry run twice', query: 'dryRun=All&dryRun=All', want: '' },
  {
    name: 'an unknown dry run',
    query: 'dryRun=x',
    want: '422 CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["x"]: supported values: "All"',
  },
  {
    name: 'an empty dry run',
    query: 'dryRun=',
    want: '422 CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: [""]: supported values: "All"',
  },
  {
    name: 'one of two is unknown',
    query: 'dryRun=All&dryRun=x',
    want: '422 CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["All","x"]: supported values: "All"',
  },
  { name: 'a manager', query: 'fieldManager=kubectl', want: '' },
  {
    name: 'a long manager',
    query:
      'fieldManager=mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm',
    want: '422 CreateOptions.meta.k8s.io "" is invalid: fieldManager: Too long: may not be more than 128 bytes',
  },
  {
    name: 'an unprintable manager',
    query: 'fieldManager=a%00%C3%A9%01',
    want: '422 CreateOptions.meta.k8s.io "" is invalid: [fieldManager: Invalid value: "a\\x00é\\x01": invalid character U+0000 (at position 1), fieldManager: Invalid value: "a\\x00é\\x01": invalid character U+0001 (at position 4)]',
  },
  { name: 'strict', query: 'fieldValidation=Strict', want: '' },
  {
    name: 'unknown validation',
    query: 'fieldValidation=strict',
    want: '422 CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "strict": supported values: "", "Ignore", "Strict", "Warn"',
  },
  {
    name: 'all wrong',
    query: 'fieldManager=%01&dryRun=x&fieldValidation=x',
    want: '422 CreateOptions.meta.k8s.io "" is invalid: [fieldManager: Invalid value: "\\x01": invalid character U+0001 (at position 0), dryRun: Unsupported value: ["x"]: supported values: "All", fieldValidation: Unsupported value: "x": supported values: "", "Ignore", "Strict", "Warn"]',
  },
];
for (const { name, query, want } of creations) {
  test(`create options: ${name}`, () => {
    assert.equal(
      failure(() => parseCreateOptions(new URLSearchParams(query))),
      want,
    );
  });
  test(`update options: ${name}`, () => {
    const asUpdate = want.replace('CreateOptions', 'UpdateOptions');
    assert.equal(
      failure(() => parseUpdateOptions(new URLSearchParams(query))),
      asUpdate,
    );
  });
}

const patches = [
  { name: 'a merge patch', query: '', isApply: false, want: '' },
  {
    name: 'an apply without a manager',
    query: '',
    isApply: true,
    want: '422 PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
  },
  { name: 'an apply', query: 'fieldManager=m&force=true', isApply: true, want: '' },
  {
    name: 'a forced merge patch',
    query: 'force=true',
    isApply: false,
    want: '422 PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
  },
  {
    name: 'a merge patch that is not forced',
    query: 'force=false',
    isApply: false,
    want: '422 PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
  },
  {
    name: 'all wrong',
    query: 'force=&fieldManager=%01&dryRun=x',
    isApply: false,
    want: '422 PatchOptions.meta.k8s.io "" is invalid: [force: Forbidden: may not be specified for non-apply patch, fieldManager: Invalid value: "\\x01": invalid character U+0001 (at position 0), dryRun: Unsupported value: ["x"]: supported values: "All"]',
  },
];
for (const { name, query, isApply, want } of patches) {
  test(`patch options: ${name}`, () => {
    assert.equal(
      failure(() => parsePatchOptions(new URLSearchParams(query), { isApply })),
      want,
    );
  });
}

test('absent write options have defaults', () => {
  const defaults = { dryRun: false, fieldManager: '', fieldValidation: 'Warn' };
  assert.deepEqual(parseCreateOptions(new URLSearchParams()), defaults);
  const patch = parsePatchOptions(new URLSearchParams(), { isApply: false });
  assert.deepEqual(patch, { ...defaults, force: false });
});

test('write options have values', () => {
  const query = new URLSearchParams('dryRun=All&fieldManager=m&fieldValidation=Strict&force=1');
  const want = { dryRun: true, fieldManager: 'm', fieldValidation: 'Strict' };
  assert.deepEqual(parseUpdateOptions(query), want);
  assert.deepEqual(parsePatchOptions(query, { isApply: true }), { ...want, force: true });
});

test('get options have a resourceVersion and reject export', () => {
  const query = new URLSearchParams('resourceVersion=5&export=false');
  assert.deepEqual(parseGetOptions(query), { resourceVersion: '5' });
  assert.equal(
    failure(() => parseGetOptions(new URLSearchParams('export='))),
    '400 the export parameter, deprecated since v1.14, is no longer supported',
  );
});
