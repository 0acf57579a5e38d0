import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enforcedFormat, hasFormat } from './formats.ts';

/** As upstream validates them; the live suite sends these and more to both servers. */
const formats: Readonly<Record<string, { good: readonly string[]; bad: readonly string[] }>> = {
  bsonobjectid: { good: ['507f1f77bcf86cd799439011'], bad: ['507f1f77bcf86cd79943901', ''] },
  byte: { good: ['aGVsbG8=', 'aGVs', 'aA=='], bad: ['', 'aGVsbG8', 'aGVs\nbG8=', 'a===', 'aG=s'] },
  cidr: {
    good: ['10.0.0.0/8', '010.0.0.1/8', 'fe80::/64', '::ffff:10.0.0.1/96'],
    bad: ['10.0.0.0', '10.0.0.0/33', 'fe80::/129', '/8', '10.0.0.0/x'],
  },
  creditcard: { good: ['4111 1111 1111 1111'], bad: ['4111111111111112', '1'] },
  date: { good: ['2024-02-29'], bad: ['2023-02-29', '2024-1-2', '2024-13-01', '2024-04-31', ''] },
  'date-time': {
    good: ['2024-02-29T10:00:00Z', '2024-02-29t10:00:00.123+02:00'],
    bad: ['2024-02-29T24:00:00Z', '2024-02-29T10:00:60Z', '2024-02-29T10:00:00', '2024-02-29'],
  },
  duration: {
    good: ['1h30m', '2 days', '22 ns', '1.5 weeks', '0'],
    bad: ['', '5', '1 fortnight', '99999999999999999999 s', '1s'.repeat(200)],
  },
  email: {
    good: ['a@example.com', 'A B <a@example.com>', '"a b"@example.com', 'a@[127.0.0.1]', '<a@b>'],
    bad: ['', 'abc', 'a@b@c', 'a b@example.com', 'a@', '@b', 'a@b>'],
  },
  hexcolor: { good: ['#ffF', 'ffffff'], bad: ['#ffff', 'ggg'] },
  hostname: {
    good: ['example.com', 'localhost', 'exämple.com'],
    bad: ['-example.com', 'a_b.com', 'a.b.1', 'example.com.', '', 'a'.repeat(64)],
  },
  ipv4: {
    good: ['10.0.0.1', '010.000.0.1', '::ffff:10.0.0.1'],
    bad: ['256.0.0.1', '::1', '1.2.3'],
  },
  ipv6: {
    good: ['::1', '::ffff:10.0.0.1'],
    bad: ['10.0.0.1', 'fe80::1%eth0', '1:2:3:4:5:6:7:8:9'],
  },
  isbn: { good: ['0321751043', '978-0321751041'], bad: ['0-321-75104-4'] },
  isbn10: { good: ['080442957X'], bad: ['978-0321751041'] },
  isbn13: { good: ['978-0321751041'], bad: ['978-0321751042'] },
  'k8s-long-name': { good: ['a.b-1'], bad: ['A.b', 'a..b', 'a'.repeat(254)] },
  'k8s-short-name': { good: ['a-1'], bad: ['a.b', '-a', 'a'.repeat(64)] },
  mac: {
    good: ['00:00:5e:00:53:01', '00-00-5e-00-53-01', '0000.5e00.5301', '00005e005301'],
    bad: ['00:00-5e:00:53:01', '00-00-5e-00-53', '0000.5e00'],
  },
  password: { good: ['', 'x'], bad: [] },
  rgbcolor: { good: ['rgb(1,2, 255)'], bad: ['rgb(1,2,256)', 'rgb(1,2)'] },
  ssn: { good: ['123-45-6789'], bad: ['123456789', '123-45-678'] },
  uri: {
    good: ['http://example.com/a?b=c#d', '/path', 'mailto:a@example.com', 'http://[::1]:80/', '*'],
    bad: [
      '',
      'relative/path',
      'http://exa mple.com',
      'http://example.com:port/',
      'http://a%zz/',
      'http://a/%zz',
      ':x',
      'http://a/\n',
    ],
  },
  uuid: {
    good: ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'A0EEBC999C0B4EF8BB6D6BB9BD380A11'],
    bad: ['a0eebc99'],
  },
  uuid3: {
    good: ['a0eebc99-9c0b-3ef8-bb6d-6bb9bd380a11'],
    bad: ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
  },
  uuid4: {
    good: ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
    bad: ['a0eebc99-9c0b-4ef8-0b6d-6bb9bd380a11'],
  },
  uuid5: {
    good: ['a0eebc99-9c0b-5ef8-bb6d-6bb9bd380a11'],
    bad: ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
  },
};

for (const [format, { good, bad }] of Object.entries(formats)) {
  test(format, () => {
    for (const text of good) assert.ok(hasFormat(format, text), `${JSON.stringify(text)} is good`);
    for (const text of bad) assert.ok(!hasFormat(format, text), `${JSON.stringify(text)} is bad`);
  });
}

const enforced = [
  { types: ['string'], format: 'date-time', checked: true },
  { types: ['string'], format: 'datetime', checked: true },
  { types: [], format: 'uuid', checked: true },
  { types: ['string'], format: 'int32', checked: false },
  { types: ['string'], format: 'colour', checked: false },
  { types: ['integer'], format: 'int64', checked: true },
  { types: ['integer'], format: 'float', checked: false },
  { types: ['number'], format: 'double', checked: true },
  { types: ['array'], format: 'uuid', checked: false },
] as const;

for (const { types, format, checked } of enforced) {
  test(`format ${format} of ${types.join(' ') || 'any type'}`, () => {
    assert.equal(enforcedFormat(types, format), checked ? format : '');
  });
}
