import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatIp, formatPrefix, parseIp, parsePrefix } from './ip-address.ts';

describe('addresses are read laxly and written in one form', () => {
  const cases = [
    { text: '10.0.0.1', written: '10.0.0.1' },
    { text: '0.0.0.0', written: '0.0.0.0' },
    { text: '255.255.255.255', written: '255.255.255.255' },
    { text: '010.0.0.001', written: '10.0.0.1', zeros: true },
    { text: '2001:db8::1', written: '2001:db8::1' },
    { text: '2001:DB8:0:0:0:0:0:1', written: '2001:db8::1' },
    { text: '2001:0db8::0001', written: '2001:db8::1' },
    { text: '2001:00db8::1', written: '2001:db8::1', zeros: true },
    { text: '::', written: '::' },
    { text: '::1', written: '::1' },
    { text: '1::', written: '1::' },
    { text: '1:0:0:2:0:0:0:3', written: '1:0:0:2::3' },
    { text: '1:0:2:0:3:0:4:0', written: '1:0:2:0:3:0:4:0' },
    { text: '::ffff:1.2.3.4', written: '1.2.3.4', mapped: true },
    { text: '::ffff:1.2.3.04', written: '1.2.3.4', mapped: true, zeros: true },
    { text: '64:ff9b::1.2.3.4', written: '64:ff9b::102:304' },
  ];
  for (const { text, written, zeros = false, mapped = false } of cases) {
    test(text, () => {
      const address = parseIp(text);
      assert.ok(address);
      assert.equal(formatIp(address), written);
      assert.equal(address.hasLeadingZeros, zeros);
      assert.equal(address.isMapped, mapped);
    });
  }
});

describe('what is no address', () => {
  const texts = [
    '',
    'x',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.256',
    '1.2.3.-4',
    '1.2.3.',
    ' 1.2.3.4',
    '1:2',
    ':1:2:3:4:5:6:7',
    '1::2::3',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7::8',
    'fe80::1%eth0',
    '::12345',
    '::g',
    '1.2.3.4::',
    '1.2.3.4:5::',
  ];
  for (const text of texts) {
    test(JSON.stringify(text), () => assert.equal(parseIp(text), undefined));
  }
});

describe('networks', () => {
  const cases = [
    { text: '10.0.0.0/24', written: '10.0.0.0/24' },
    { text: '10.0.0.7/24', written: '10.0.0.0/24' },
    { text: '0.0.0.0/0', written: '0.0.0.0/0' },
    { text: '10.0.0.0/024', written: '10.0.0.0/24', zeros: true },
    { text: '2001:DB8::7/32', written: '2001:db8::/32' },
    { text: '::ffff:10.0.0.7/120', written: '10.0.0.0/24' },
  ];
  for (const { text, written, zeros = false } of cases) {
    test(text, () => {
      const prefix = parsePrefix(text);
      assert.ok(prefix);
      assert.equal(formatPrefix(prefix), written);
      assert.equal(prefix.hasLeadingZeros, zeros);
    });
  }
  for (const text of ['10.0.0.0', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/-1', 'x/8']) {
    test(`${text} is none`, () => assert.equal(parsePrefix(text), undefined));
  }
});
