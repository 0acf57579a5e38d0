import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Endpoint, EndpointSlice } from '@tributary/api/discovery-v1';
import { fieldErrorText } from '@tributary/apimachinery';
import { endpointSliceKind } from './kind.ts';
import { validateEndpointSlice, validateEndpointSliceUpdate } from './validation.ts';

function slice(fields: Partial<EndpointSlice> = {}): EndpointSlice {
  return {
    kind: 'EndpointSlice',
    apiVersion: 'discovery.k8s.io/v1',
    metadata: { name: 'a', namespace: 'default', resourceVersion: '1', generation: 3 },
    addressType: 'IPv4',
    endpoints: [endpoint()],
    ports: null,
    ...fields,
  };
}

function endpoint(fields: Partial<Endpoint> = {}): Endpoint {
  return { addresses: ['192.0.2.1'], conditions: {}, ...fields };
}

const of = (fields: Partial<Endpoint>, addressType = 'IPv4'): Partial<EndpointSlice> => ({
  addressType,
  endpoints: [endpoint(fields)],
});
const LABEL =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

describe('validation of EndpointSlices', () => {
  const cases: { name: string; fields: Partial<EndpointSlice>; want: string[] }[] = [
    { name: 'one endpoint', fields: {}, want: [] },
    { name: 'nothing', fields: { endpoints: null }, want: [] },
    {
      name: 'no type of addresses',
      fields: { addressType: '' },
      want: ['addressType: Required value'],
    },
    {
      name: 'an unknown type, and bad ports',
      fields: {
        ...of({ addresses: ['x'] }, 'IPv5'),
        ports: [
          { name: 'A', protocol: '' },
          { name: 'A', protocol: 'TCP' },
        ],
      },
      want: [
        'addressType: Unsupported value: "IPv5": supported values: "FQDN", "IPv4", "IPv6"',
        `ports[0].name: Invalid value: "A": ${LABEL}`,
        'ports[0].protocol: Unsupported value: "": supported values: "SCTP", "TCP", "UDP"',
        `ports[1].name: Invalid value: "A": ${LABEL}`,
        'ports[1].name: Duplicate value: "A"',
      ],
    },
    {
      name: 'no addresses',
      fields: of({ addresses: null }),
      want: ['endpoints[0].addresses: Required value'],
    },
    {
      name: 'too many addresses',
      fields: of({ addresses: Array.from({ length: 101 }, () => '192.0.2.1') }),
      want: ['endpoints[0].addresses: Too many: 101: must have at most 100 items'],
    },
    {
      name: 'too many endpoints',
      fields: { endpoints: Array.from({ length: 1001 }, () => endpoint()) },
      want: ['endpoints: Too many: 1001: must have at most 1000 items'],
    },
    {
      name: 'addresses of IPv6 in another form, and of IPv4',
      fields: of({ addresses: ['2001:DB8::1', '1.2.3.4', 'fe80::1'] }, 'IPv6'),
      want: [
        'endpoints[0].addresses[0]: Invalid value: "2001:DB8::1": must be in canonical form ("2001:db8::1")',
        'endpoints[0].addresses: Invalid value: "1.2.3.4": must be an IPv6 address',
        'endpoints[0].addresses[2]: Invalid value: "fe80::1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
      ],
    },
    {
      name: 'an address of IPv6 for IPv4',
      fields: of({ addresses: ['2001:db8::1'] }),
      want: ['endpoints[0].addresses: Invalid value: "2001:db8::1": must be an IPv4 address'],
    },
    { name: 'names', fields: of({ addresses: ['a.example.com', 'a.b.'] }, 'FQDN'), want: [] },
    {
      name: 'bad names',
      fields: of({ addresses: ['a', '', `a.${'b'.repeat(64)}`] }, 'FQDN'),
      want: [
        'endpoints[0].addresses[0]: Invalid value: "a": should be a domain with at least two segments separated by dots',
        'endpoints[0].addresses[1]: Required value',
        `endpoints[0].addresses[2]: Invalid value: "${'b'.repeat(64)}": must be no more than 63 characters`,
      ],
    },
    {
      name: 'hints twice',
      fields: of({ hints: { forZones: [{ name: 'a' }, { name: 'a' }] } }),
      want: ['endpoints[0].hints.forZones[1].name: Duplicate value: "a"'],
    },
    {
      name: 'too many hints',
      fields: of({ hints: { forNodes: [...'abcdefghi'].map((name) => ({ name })) } }),
      want: ['endpoints[0].hints.forNodes: Too many: 9: must have at most 8 items'],
    },
  ];
  for (const { name, fields, want } of cases) {
    test(name, () => {
      assert.deepEqual(validateEndpointSlice(slice(fields)).map(fieldErrorText), want);
    });
  }
});

test('the addressType of an EndpointSlice is immutable', () => {
  const next = slice({ addressType: 'FQDN', endpoints: null });
  assert.deepEqual(validateEndpointSliceUpdate(next, slice()).map(fieldErrorText), [
    'addressType: Invalid value: null: field is immutable',
  ]);
});

test('loopback endpoints are valid where the rules allow them', () => {
  const on = (address: string) =>
    validateEndpointSlice(slice({ endpoints: [{ addresses: [address], conditions: {} }] }), {
      allowLoopback: true,
    });
  assert.deepEqual(on('127.0.0.1'), []);
  assert.equal(on('169.254.0.1').length, 1);
  assert.equal(on('0.0.0.0').length, 1);
});

const version = endpointSliceKind().versions.get('v1');

describe('the update strategy of EndpointSlices', () => {
  const prepare = (next: EndpointSlice, live: EndpointSlice) => {
    version?.hooks.prepareForUpdate(next, live);
    return next;
  };

  test('a change of labels increments the generation', () => {
    const next = slice();
    next.metadata.labels = { a: 'b' };
    assert.equal(prepare(next, slice()).metadata.generation, 4);
    assert.equal(prepare(slice(), slice()).metadata.generation, 3);
  });

  test('new deprecatedTopology increments the generation, although it is dropped', () => {
    const sent = (deprecatedTopology: Record<string, string>) =>
      prepare(slice({ endpoints: [endpoint({ deprecatedTopology })] }), slice()).metadata;
    assert.equal(sent({ 'kubernetes.io/hostname': 'n' }).generation, 4);
    assert.equal(sent({}).generation, 3);
  });

  test('the node name in deprecatedTopology moves to nodeName', () => {
    const deprecatedTopology = { 'kubernetes.io/hostname': 'n' };
    const live = slice({ endpoints: [endpoint({ deprecatedTopology })] });
    const changed = { addresses: ['192.0.2.2'], deprecatedTopology };
    const next = prepare(slice({ endpoints: [endpoint(changed)] }), live);
    assert.deepEqual(next.endpoints, [{ addresses: ['192.0.2.2'], conditions: {}, nodeName: 'n' }]);
    const unknown = prepare(slice({ endpoints: [endpoint(changed)] }), slice());
    assert.equal(unknown.endpoints?.[0]?.nodeName, undefined);
    const same = prepare(slice({ endpoints: [endpoint({ deprecatedTopology })] }), live);
    assert.deepEqual(same.endpoints?.[0]?.deprecatedTopology, deprecatedTopology);
  });
});

test('a new EndpointSlice of FQDNs gets a warning', () => {
  const names = slice(of({ addresses: ['a.b'] }, 'FQDN'));
  assert.deepEqual(version?.hooks.warnings(names), [
    'spec.addressType: FQDN endpoints are deprecated',
  ]);
  assert.deepEqual(version?.hooks.warnings(names, names), []);
});

describe('columns', () => {
  const cells = (object: EndpointSlice) => version?.columns.map(({ cell }) => cell(object));
  const cases = [
    {
      name: 'of nothing',
      object: slice({ endpoints: null }),
      want: ['IPv4', '<unset>', '<unset>'],
    },
    {
      name: 'of many',
      object: slice({
        endpoints: [endpoint(), endpoint({ addresses: ['192.0.2.2', '192.0.2.3', '192.0.2.4'] })],
        ports: [{ name: 'a', port: 1 }, { name: 'b' }],
      }),
      want: ['IPv4', '1,b', '192.0.2.1,192.0.2.2,192.0.2.3 + 1 more...'],
    },
  ];
  for (const { name, object, want } of cases) {
    test(name, () => assert.deepEqual(cells(object), want));
  }
});
