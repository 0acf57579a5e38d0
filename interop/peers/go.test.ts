import assert from 'node:assert/strict';
import test from 'node:test';
import { GoMissing, requireGo } from './build.ts';
import { findGo, isAtLeast, parseGoVersion } from './go.ts';

const versions = [
  {
    line: 'go version go1.26.8 linux/amd64\n',
    want: { version: '1.26.8', platform: 'linux/amd64' },
  },
  { line: 'go version go1.27 darwin/arm64\n', want: { version: '1.27', platform: 'darwin/arm64' } },
  {
    line: 'go version go1.27rc1 linux/arm64\n',
    want: { version: '1.27', platform: 'linux/arm64' },
  },
  {
    line: 'go version go1.26.1 X:nodwarf5 linux/amd64\n',
    want: { version: '1.26.1', platform: 'linux/amd64' },
  },
  { line: 'gccgo (Debian) 12\n', want: undefined },
  { line: '', want: undefined },
];
for (const { line, want } of versions) {
  test(`go version: ${JSON.stringify(line)}`, () => assert.deepEqual(parseGoVersion(line), want));
}

const comparisons = [
  { version: '1.26.8', minimum: '1.26', want: true },
  { version: '1.26', minimum: '1.26.0', want: true },
  { version: '1.9', minimum: '1.26', want: false },
  { version: '2.0', minimum: '1.26', want: true },
];
for (const { version, minimum, want } of comparisons) {
  test(`${version} is at least ${minimum}: ${want}`, () =>
    assert.equal(isAtLeast(version, minimum), want));
}

test('a path without go finds none', () => assert.equal(findGo('/nonexistent'), undefined));

test('a Go that is too old is refused by name', () => {
  const old = { path: '/opt/go/bin/go', version: '1.24.1', platform: 'linux/amd64' };
  assert.throws(
    () => requireGo(old),
    (error) => error instanceof GoMissing && error.message.includes('/opt/go/bin/go is Go 1.24.1'),
  );
});
