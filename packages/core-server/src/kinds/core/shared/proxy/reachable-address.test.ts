import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGlobalUnicast, requireHost } from './reachable-address.ts';

const rows: readonly (readonly [address: string, isReachable: boolean])[] = [
  ['10.0.0.1', true],
  ['192.0.2.9', true],
  ['172.16.3.4', true],
  ['8.8.8.8', true],
  ['2001:db8::1', true],
  ['fd00::1', true],
  ['', false],
  ['localhost', false],
  ['0.0.0.0', false],
  ['127.0.0.1', false],
  ['127.255.255.254', false],
  ['169.254.169.254', false],
  ['224.0.0.1', false],
  ['239.255.255.255', false],
  ['255.255.255.255', false],
  ['::', false],
  ['::1', false],
  ['fe80::1', false],
  ['febf::1', false],
  ['ff02::1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:169.254.169.254', false],
  ['::ffff:10.0.0.1', true],
  ['127.1', false],
  ['0x7f000001', false],
];
for (const [address, isReachable] of rows) {
  test(`${address || 'nothing'} is ${isReachable ? '' : 'not '}reached`, () => {
    assert.equal(isGlobalUnicast(address), isReachable);
  });
}

test('a name that means this machine is not reached', async () => {
  const refused = { code: 400, message: 'address not allowed' };
  await assert.rejects(requireHost('localhost', isGlobalUnicast), refused);
  await assert.rejects(requireHost('127.0.0.1', isGlobalUnicast), refused);
});

test('a name that nobody has is not reached', async () => {
  const refused = { code: 400, message: 'lookup nobody.invalid: no such host' };
  await assert.rejects(requireHost('nobody.invalid', isGlobalUnicast), refused);
});

test('what is connected to is the address that was judged', async () => {
  assert.match(await requireHost('localhost', () => true), /^(127\.0\.0\.1|::1)$/);
});
