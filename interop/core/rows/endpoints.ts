/** Endpoints and EndpointSlices. */
import type { Json, JsonObject } from '../../differential/json.ts';
import type { RowGroup } from '../../differential/row.ts';
import { EndpointSlice, Endpoints } from '../kinds.ts';
import { everyKind } from './every-kind.ts';
import { creates, updates } from './words.ts';

const subset = (addresses: Json, ports: Json = [{ port: 80 }]): JsonObject => ({
  subsets: [{ addresses, ports }],
});
const address = (ip: string, more: JsonObject = {}): JsonObject => ({ ip, ...more });

export const endpoints: RowGroup = {
  name: 'endpoints',
  rows: [
    ...everyKind(Endpoints, {
      minimal: {},
      full: {
        subsets: [
          {
            addresses: [
              {
                ip: '192.0.2.1',
                hostname: 'one',
                nodeName: 'node-1',
                targetRef: { kind: 'Pod', name: 'p', namespace: 'default' },
              },
              { ip: '192.0.2.2' },
            ],
            notReadyAddresses: [{ ip: '192.0.2.3' }],
            ports: [{ name: 'web', port: 80, protocol: 'TCP', appProtocol: 'http' }],
          },
        ],
      },
      changed: subset([address('192.0.2.9')]),
      merge: subset([address('192.0.2.8')]),
      json: [{ op: 'remove', path: '/subsets/0/notReadyAddresses' }],
      strategic: subset([address('192.0.2.7')]),
      applied: subset([address('192.0.2.6')]),
      wrongTypes: {
        'with a port that is a text': subset([address('192.0.2.1')], [{ port: '80' }]),
        'with subsets that are an object': { subsets: {} },
        'with an address that is a text': subset(['192.0.2.1']),
      },
    }),
    ...creates(Endpoints, {
      'with an empty subset': { subsets: [{}] },
      'with a bad address': subset([address('x')]),
      'with a loopback address': subset([address('127.0.0.1')]),
      'with a link-local address': subset([address('169.254.1.1')]),
      'with an address of the other family': subset([address('2001:db8::1')]),
      'with two ports without names': subset([address('192.0.2.1')], [{ port: 1 }, { port: 2 }]),
      'with port 0': subset([address('192.0.2.1')], [{ port: 0 }]),
      'with an unknown protocol': subset([address('192.0.2.1')], [{ port: 1, protocol: 'X' }]),
      'with a bad host name': subset([address('192.0.2.1', { hostname: 'A_b' })]),
      'with addresses in any order': subset([address('192.0.2.9'), address('192.0.2.1')]),
    }),
  ],
};

const slice = (more: JsonObject = {}): JsonObject => ({
  addressType: 'IPv4',
  endpoints: [{ addresses: ['192.0.2.1'] }],
  ...more,
});
const point = (more: JsonObject): JsonObject => slice({ endpoints: [more] });

export const endpointSlices: RowGroup = {
  name: 'endpointslices',
  rows: [
    ...everyKind(EndpointSlice, {
      minimal: { addressType: 'IPv4', endpoints: [] },
      full: {
        addressType: 'IPv4',
        endpoints: [
          {
            addresses: ['192.0.2.1'],
            conditions: { ready: true, serving: true, terminating: false },
            hostname: 'one',
            nodeName: 'node-1',
            zone: 'zone-a',
            deprecatedTopology: { 'example.com/rack': 'r1' },
            hints: { forZones: [{ name: 'zone-a' }] },
            targetRef: { kind: 'Pod', name: 'p', namespace: 'default' },
          },
        ],
        ports: [{ name: 'web', port: 80, protocol: 'TCP', appProtocol: 'http' }],
      },
      changed: slice(),
      merge: { ports: [{ port: 81 }] },
      json: [{ op: 'replace', path: '/endpoints/0/conditions/ready', value: false }],
      strategic: { endpoints: [{ addresses: ['192.0.2.2'] }] },
      applied: slice({ ports: [{ port: 82 }] }),
      wrongTypes: {
        'with addresses that are a text': point({ addresses: '192.0.2.1' }),
        'with a condition that is a text': point({
          addresses: ['192.0.2.1'],
          conditions: { ready: 'yes' },
        }),
        'with endpoints that are an object': slice({ endpoints: {} }),
      },
    }),
    ...creates(EndpointSlice, {
      'without an address type': { endpoints: [] },
      'without endpoints': { addressType: 'IPv4' },
      'with an unknown address type': slice({ addressType: 'IPv5' }),
      'with no addresses': point({ addresses: [] }),
      'with too many addresses': point({
        addresses: Array.from({ length: 101 }, (_, index) => `192.0.2.${index}`),
      }),
      'with an address of another type': point({ addresses: ['2001:db8::1'] }),
      'with an address twice': point({ addresses: ['192.0.2.1', '192.0.2.1'] }),
      'with a loopback address': point({ addresses: ['127.0.0.1'] }),
      'with a bad host name': point({ addresses: ['192.0.2.1'], hostname: 'A_b' }),
      'with a bad node name': point({ addresses: ['192.0.2.1'], nodeName: 'A_b' }),
      'with hints twice': point({
        addresses: ['192.0.2.1'],
        hints: { forZones: [{ name: 'a' }, { name: 'a' }] },
      }),
      'with a port twice': slice({ ports: [{ port: 1 }, { port: 2 }] }),
      'with a bad port name': slice({ ports: [{ name: 'A_b', port: 1 }] }),
      'with an unknown protocol': slice({ ports: [{ port: 1, protocol: 'X' }] }),
      'with a bad app protocol': slice({ ports: [{ port: 1, appProtocol: 'a b' }] }),
      'with port 70000': slice({ ports: [{ port: 70_000 }] }),
      'with names': { addressType: 'FQDN', endpoints: [{ addresses: ['a.example.com'] }] },
      'with bad names': { addressType: 'FQDN', endpoints: [{ addresses: ['-'] }] },
      'of IPv6': { addressType: 'IPv6', endpoints: [{ addresses: ['2001:db8::1'] }] },
    }),
    ...updates(EndpointSlice, {
      'of the address type': {
        from: slice(),
        to: { addressType: 'IPv6', endpoints: [{ addresses: ['2001:db8::1'] }] },
      },
      'of the address type to an unknown one': {
        from: slice(),
        to: { addressType: 'IPv5', endpoints: [{ addresses: [] }] },
      },
    }),
  ],
};
