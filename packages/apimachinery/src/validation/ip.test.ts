import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldErrorText } from '../errors/field-error.ts';
import { root } from '../errors/field-path.ts';
import {
  validateCidrForLegacyField,
  validateEndpointIp,
  validateIp,
  validateIpForLegacyField,
  warningsForCidr,
  warningsForIp,
} from './ip.ts';

const path = root('ip');
const lists = [
  {
    name: 'fields that were lax once',
    validate: validateIpForLegacyField,
    cases: {
      '10.0.0.1': [],
      '2001:DB8::1': [],
      x: ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
      '10.0.0.01': ['must not have leading 0s'],
      '::ffff:1.2.3.4': ['must not be an IPv4-mapped IPv6 address'],
    },
  },
  {
    name: 'fields with one form of each address',
    validate: validateIp,
    cases: {
      '2001:db8::1': [],
      '2001:DB8::1': ['must be in canonical form ("2001:db8::1")'],
      x: ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
    },
  },
  {
    name: 'addresses of endpoints',
    validate: validateEndpointIp,
    cases: {
      '192.0.2.1': [],
      '2001:db8::1': [],
      x: ['must be a valid IP address'],
      '0.0.0.0': ['may not be unspecified (0.0.0.0)'],
      '::': ['may not be unspecified (::)'],
      '127.1.2.3': ['may not be in the loopback range (127.0.0.0/8, ::1/128)'],
      '::1': ['may not be in the loopback range (127.0.0.0/8, ::1/128)'],
      '169.254.1.1': ['may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
      'febf::1': ['may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
      'fec0::1': [],
      '224.0.0.1': ['may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
      '224.0.1.1': [],
      'ff02::1': ['may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
      'ff05::1': [],
    },
  },
  {
    name: 'networks',
    validate: validateCidrForLegacyField,
    cases: {
      '192.0.2.0/24': [],
      '192.0.2.0/33': ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'],
      '192.0.2.1/24': ['must not have bits set beyond the prefix length'],
      '192.0.2.0/024': ['must not have leading 0s in IP or prefix length'],
      '::ffff:1.2.3.0/120': ['must not have an IPv4-mapped IPv6 address'],
    },
  },
];
for (const { name, validate, cases } of lists) {
  describe(name, () => {
    for (const [value, details] of Object.entries(cases)) {
      test(value, () => {
        assert.deepEqual(
          validate(path, value).map(fieldErrorText),
          details.map((detail) => `ip: Invalid value: ${JSON.stringify(value)}: ${detail}`),
        );
      });
    }
  });
}

test('what was accepted once is accepted again', () => {
  assert.deepEqual(validateIpForLegacyField(path, '010.0.0.1', ['010.0.0.1']), []);
  assert.deepEqual(validateCidrForLegacyField(path, '10.0.0.1/8', ['10.0.0.1/8']), []);
});

describe('warnings', () => {
  const cases = [
    { warnings: warningsForIp(path, '10.0.0.1'), want: [] },
    { warnings: warningsForIp(path, 'x'), want: [] },
    {
      warnings: warningsForIp(path, '2001:DB8::1'),
      want: [
        'ip: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
      ],
    },
    {
      warnings: warningsForIp(path, '10.0.0.01'),
      want: ['ip: non-standard IP address "10.0.0.01" is invalid: use "10.0.0.1"'],
    },
    { warnings: warningsForCidr(path, '10.0.0.0/8'), want: [] },
    {
      warnings: warningsForCidr(path, '10.0.0.1/8'),
      want: [
        'ip: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)',
      ],
    },
    {
      warnings: warningsForCidr(path, '2001:DB8::/32'),
      want: [
        'ip: IPv6 CIDR value "2001:DB8::/32" should be in RFC 5952 canonical format ("2001:db8::/32")',
      ],
    },
    {
      warnings: warningsForCidr(path, '10.0.0.0/08'),
      want: ['ip: non-standard CIDR value "10.0.0.0/08" is invalid: use "10.0.0.0/8"'],
    },
  ];
  for (const [index, { warnings, want }] of cases.entries()) {
    test(want[0] ?? `none ${index}`, () => assert.deepEqual(warnings, want));
  }
});
