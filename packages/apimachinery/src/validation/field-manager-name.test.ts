import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldErrorText } from '../errors/field-error.ts';
import { root } from '../errors/field-path.ts';
import { fieldManagerFromUserAgent, validateFieldManager } from './field-manager-name.ts';

const managers = [
  { name: 'a name', manager: 'kubectl-client-side-apply', want: [] },
  { name: 'letters beyond ASCII', manager: 'é世', want: [] },
  { name: '128 bytes', manager: 'm'.repeat(128), want: [] },
  {
    name: '129 bytes',
    manager: 'm'.repeat(129),
    want: ['f: Too long: may not be more than 128 bytes'],
  },
  {
    name: 'bytes count, not characters',
    manager: 'é'.repeat(65),
    want: ['f: Too long: may not be more than 128 bytes'],
  },
  {
    name: 'control characters, with their position in bytes',
    manager: 'é\n\t',
    want: [
      'f: Invalid value: "é\\n\\t": invalid character U+000A (at position 2)',
      'f: Invalid value: "é\\n\\t": invalid character U+0009 (at position 3)',
    ],
  },
];
for (const { name, manager, want } of managers) {
  test(`a field manager: ${name}`, () => {
    assert.deepEqual(validateFieldManager(manager, root('f')).map(fieldErrorText), want);
  });
}

const userAgents = [
  { name: 'a program and a version', input: 'kubectl/v1.36.0 (linux/amd64)', want: 'kubectl' },
  { name: 'a program alone', input: 'curl', want: 'curl' },
  { name: 'none', input: '', want: 'unknown' },
  { name: 'a version alone', input: '/v1', want: 'unknown' },
  { name: 'unprintable characters are dropped', input: 'a\tb\u200bc/1', want: 'abc' },
  { name: 'a long name is truncated', input: 'x'.repeat(200), want: 'x'.repeat(128) },
  {
    name: 'a name is truncated between characters',
    input: `${'x'.repeat(127)}é`,
    want: 'x'.repeat(127),
  },
];
for (const { name, input, want } of userAgents) {
  test(`the manager of a user agent: ${name}`, () => {
    assert.equal(fieldManagerFromUserAgent(input), want);
  });
}
