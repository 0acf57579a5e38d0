import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as errors from './errors.ts';
import { fieldError } from './field-error.ts';
import { root } from './field-path.ts';
import type { StatusDetails, StatusError } from './status.ts';

const resource = { group: 'G', resource: 'R' };
const kind = { group: 'G', kind: 'K' };
const qualified = { name: 'N', group: 'G', kind: 'R' };

interface Sample {
  readonly error: StatusError;
  readonly details: StatusDetails | undefined;
}

/** Every constructor, called with the letters that the reference page uses. */
const samples: Record<string, Sample> = {
  badRequest: { error: errors.badRequest('TEXT'), details: undefined },
  unauthorized: { error: errors.unauthorized(), details: undefined },
  forbidden: { error: errors.forbidden(resource, 'N', 'WHY'), details: qualified },
  notFound: { error: errors.notFound(resource, 'N'), details: qualified },
  noSuchResource: { error: errors.noSuchResource(), details: {} },
  methodNotAllowed: { error: errors.methodNotAllowed(), details: {} },
  methodNotSupported: {
    error: errors.methodNotSupported(resource, 'ACTION'),
    details: { group: 'G', kind: 'R' },
  },
  notAcceptable: { error: errors.notAcceptable(['A', 'B']), details: undefined },
  notConvertible: { error: errors.notConvertible('TEXT'), details: undefined },
  alreadyExists: { error: errors.alreadyExists(resource, 'N'), details: qualified },
  generateNameExhausted: {
    error: errors.generateNameExhausted(resource, 'N'),
    details: { ...qualified, retryAfterSeconds: 1 },
  },
  conflict: { error: errors.conflict(resource, 'N', 'CAUSE'), details: qualified },
  applyConflict: {
    error: errors.applyConflict('TEXT', [{ reason: 'FieldManagerConflict', message: 'm' }]),
    details: { causes: [{ reason: 'FieldManagerConflict', message: 'm' }] },
  },
  expired: { error: errors.expired('TEXT'), details: undefined },
  requestEntityTooLarge: { error: errors.requestEntityTooLarge(3145728), details: undefined },
  tooManyPatchOperations: {
    error: errors.tooManyPatchOperations(10000, 10001),
    details: undefined,
  },
  tooManyValues: { error: errors.tooManyValues('metadata', 5000), details: undefined },
  unsupportedMediaType: { error: errors.unsupportedMediaType(['A', 'B']), details: undefined },
  invalid: {
    error: errors.invalid(kind, 'N', [fieldError.required(root('spec'))]),
    details: {
      name: 'N',
      group: 'G',
      kind: 'K',
      causes: [{ reason: 'FieldValueRequired', message: 'Required value', field: 'spec' }],
    },
  },
  unsupportedPatchType: { error: errors.unsupportedPatchType(), details: {} },
  patchRejected: { error: errors.patchRejected(), details: {} },
  tooManyRequests: { error: errors.tooManyRequests('TEXT', 5), details: { retryAfterSeconds: 5 } },
  internalError: {
    error: errors.internalError(new Error('TEXT')),
    details: { causes: [{ message: 'TEXT' }] },
  },
  storeReadError: {
    error: errors.storeReadError('KEY', new Error('TEXT')),
    details: {
      causes: [{ reason: 'UnexpectedServerResponse', message: 'TEXT', field: 'KEY' }],
    },
  },
  serverTimeout: {
    error: errors.serverTimeout(resource, 'OP', 2),
    details: { name: 'OP', group: 'G', kind: 'R', retryAfterSeconds: 2 },
  },
  plainError: { error: errors.plainError('TEXT'), details: undefined },
  serviceUnavailable: { error: errors.serviceUnavailable('TEXT'), details: undefined },
  timeout: { error: errors.timeout('TEXT', 1), details: { retryAfterSeconds: 1 } },
  tooLargeResourceVersion: {
    error: errors.tooLargeResourceVersion(7, 5, 1),
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  },
};

for (const [name, { error, details }] of Object.entries(samples)) {
  test(`${name}: details`, () => {
    assert.deepEqual(error.status.details, details);
    assert.equal(error.status.code, error.code);
    assert.equal(error.status.status, 'Failure');
  });
}

const page = readFileSync(
  join(import.meta.dirname, '../../../..', 'docs', 'reference', 'errors.md'),
  'utf8',
);

/** The rows of the page's table of constructors. */
const documented = page
  .split('\n')
  .filter((line) => /^\| `\w+` \|/.test(line))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replace(/^`(.*)`$/, '$1')),
  );

test('the reference page lists exactly the constructors', () => {
  const constructors = Object.entries(errors)
    .filter(([name, value]) => typeof value === 'function' && name !== 'statusFromError')
    .map(([name]) => name);
  assert.deepEqual(constructors.sort(), Object.keys(samples).sort());
  assert.deepEqual(documented.map(([name]) => name).sort(), constructors.sort());
});

for (const [name = '', code, reason, message, when] of documented) {
  test(`${name}: the reference page matches the constructor`, () => {
    const status = samples[name]?.error.status;
    assert.equal(code, String(status?.code));
    assert.equal(reason, status?.reason ?? 'none');
    assert.equal(message, status?.message);
    assert.notEqual(when, '');
  });
}

const core = { group: '', resource: 'pods' };
const variants = [
  {
    name: 'a core resource has no group',
    error: errors.notFound(core, 'a'),
    want: 'pods "a" not found',
  },
  {
    name: 'names are quoted as in Go',
    error: errors.notFound(core, 'a"\n'),
    want: 'pods "a\\"\\n" not found',
  },
  {
    name: 'forbidden without a name',
    error: errors.forbidden(core, '', 'why'),
    want: 'pods is forbidden: why',
  },
  {
    name: 'forbidden without a resource',
    error: errors.forbidden({ group: '', resource: '' }, '', 'why'),
    want: 'forbidden: why',
  },
  {
    name: 'the existing object is being deleted',
    error: errors.alreadyExists(core, 'a', { beingDeleted: true }),
    want: 'object is being deleted: pods "a" already exists',
  },
  {
    name: 'a stale write',
    error: errors.conflict(core, 'a', errors.objectModified),
    want: 'Operation cannot be fulfilled on pods "a": the object has been modified; please apply your changes to the latest version and try again',
  },
  {
    name: 'invalid without field errors',
    error: errors.invalid(kind, 'a', []),
    want: 'K.G "a" is invalid',
  },
  {
    name: 'unauthorized with a text',
    error: errors.unauthorized('token expired'),
    want: 'token expired',
  },
];
for (const { name, error, want } of variants) {
  test(`a message: ${name}`, () => assert.equal(error.message, want));
}

test('a message contains equal field errors once, the causes repeat them', () => {
  const error = fieldError.required(root('a'));
  const { message, details } = errors.invalid(kind, 'N', [error, error]).status;
  assert.equal(message, 'K.G "N" is invalid: a: Required value');
  assert.equal(details?.causes?.length, 2);
});

test('an expired list has a continue token', () => {
  const { metadata } = errors.expired('too old', { continue: 'token' }).status;
  assert.deepEqual(metadata, { continue: 'token' });
});

test('a denial has causes', () => {
  const causes = [{ reason: 'NamespaceTerminating', message: 'm', field: 'metadata.namespace' }];
  assert.deepEqual(errors.forbidden(core, 'a', 'why', causes).status.details?.causes, causes);
});

test('an error has its cause for the log', () => {
  const cause = new Error('disk on fire');
  assert.equal(errors.internalError(cause).cause, cause);
  assert.equal(errors.patchRejected(cause).cause, cause);
});

test('retryAfterSeconds is in the details', () => {
  assert.deepEqual(errors.serviceUnavailable('x', 1).status.details, { retryAfterSeconds: 1 });
});
