/** Proxy subresources of pods, services and nodes without a reachable backend. */
import type { JsonObject } from '../../differential/json.ts';
import type { RequestStep, RowGroup } from '../../differential/row.ts';
import type { Kind } from '../kinds.ts';
import { EndpointSlice, Service } from '../kinds.ts';
import { givenPod, givenStatus, Node, Pod } from './pods-words.ts';
import { collection, given, type More, nameOf, patch, row } from './words.ts';

function proxy(kind: Kind, id = nameOf(kind, 'a'), below = '/', more: More = {}): RequestStep {
  return { name: 'proxy', path: `${collection(kind)}/${id}/proxy${below}`, ...more };
}

const withPort = {
  spec: {
    ports: [
      { name: 'web', port: 80 },
      { name: 'more', port: 81 },
    ],
  },
};
const ofPod = (name: string, ip = '192.0.2.9'): JsonObject => ({
  addresses: [ip],
  targetRef: { kind: 'Pod', namespace: '{ns}', name },
});
const noPod: JsonObject = { addresses: ['192.0.2.9'] };
const givenService = { ...given(Service, withPort), name: 'given-service' };
const givenSlice = (...endpoints: JsonObject[]) => ({
  ...given(EndpointSlice, {
    metadata: { labels: { row: '{ns}', 'kubernetes.io/service-name': 'a' } },
    addressType: 'IPv4',
    endpoints,
    ports: [{ name: 'web', port: 8080 }],
  }),
  name: 'given-slice',
});
const address = (ip: string) => givenStatus(Pod, { podIP: ip, podIPs: [{ ip }] });
const reached = (value: string, type = 'InternalIP') =>
  givenStatus(Node, { addresses: [{ type, address: value }] });

export const proxies: RowGroup = {
  name: 'services-proxy',
  rows: [
    row(Pod, 'get', 'through a pod without an address', ...givenPod(), proxy(Pod)),
    row(
      Pod,
      'get',
      'through a pod on the loopback',
      ...givenPod(),
      address('127.0.0.1'),
      proxy(Pod),
    ),
    row(
      Pod,
      'get',
      'through a pod on its link',
      ...givenPod(),
      address('169.254.169.254'),
      proxy(Pod),
    ),
    row(
      Pod,
      'get',
      'through a pod at no single address',
      ...givenPod(),
      address('224.0.0.1'),
      proxy(Pod),
    ),
    row(
      Pod,
      'get',
      'through a pod on the loopback of IPv6',
      ...givenPod(),
      address('::1'),
      proxy(Pod, 'a:8080'),
    ),
    row(Pod, 'get', 'through a missing pod', proxy(Pod)),
    row(Pod, 'get', 'through a missing pod, to a port', proxy(Pod, 'a:80')),
    row(Pod, 'get', 'through what is no pod', ...givenPod(), proxy(Pod, 'x:y:a:80')),
    row(Pod, 'get', 'through a pod by an unknown scheme', ...givenPod(), proxy(Pod, 'ftp:a:80')),
    row(
      Pod,
      'get',
      'through a pod, without a path',
      ...givenPod(),
      address('192.0.2.9'),
      proxy(Pod, 'a', ''),
    ),
    row(
      Pod,
      'get',
      'through a pod, without a path and with a query',
      ...givenPod(),
      address('192.0.2.9'),
      proxy(Pod, 'a:80', '', { query: { x: 'y' } }),
    ),
    row(
      Pod,
      'update',
      'through a pod without an address',
      ...givenPod(),
      proxy(Pod, 'a', '/x', { method: 'PUT', body: {} }),
    ),
    row(
      Pod,
      'delete',
      'through a pod without an address',
      ...givenPod(),
      proxy(Pod, 'a', '/x', { method: 'DELETE' }),
    ),
    row(Pod, 'get', 'through a pod, as bob', ...givenPod(), proxy(Pod, 'a', '/', { as: 'bob' })),
    row(Service, 'get', 'through a missing one', proxy(Service)),
    row(Service, 'get', 'through a missing one, to a port', proxy(Service, 'a:80')),
    row(Service, 'get', 'through a missing one, to a named port', proxy(Service, 'a:web')),
    row(Service, 'get', 'through one without endpoints', givenService, proxy(Service)),
    row(
      Service,
      'get',
      'through one with no addresses',
      givenService,
      givenSlice(),
      proxy(Service, 'a:web'),
    ),
    row(
      Service,
      'get',
      'through a port that it does not have',
      givenService,
      proxy(Service, 'a:99'),
    ),
    row(
      Service,
      'get',
      'through a name that its endpoints do not have',
      givenService,
      givenSlice(noPod),
      proxy(Service, 'a:more'),
    ),
    row(
      Service,
      'get',
      'through endpoints that are no pods',
      givenService,
      givenSlice(noPod),
      proxy(Service, 'a:web'),
    ),
    row(
      Service,
      'get',
      'through endpoints of a missing pod',
      givenService,
      givenSlice(ofPod('gone')),
      proxy(Service, 'http:a:80'),
    ),
    row(
      Service,
      'get',
      'through endpoints of a pod elsewhere',
      ...givenPod(),
      address('192.0.2.7'),
      givenService,
      givenSlice(ofPod('a')),
      proxy(Service, 'a:web'),
    ),
    row(Service, 'get', 'through what is none', givenService, proxy(Service, 'x:y:a:80')),
    row(
      Service,
      'get',
      'through one, without a path',
      ...givenPod(),
      address('192.0.2.9'),
      givenService,
      givenSlice(ofPod('a')),
      proxy(Service, 'a:web', '', { until: 301 }),
    ),
    row(
      Service,
      'get',
      'through a missing one with endpoints, without a path',
      ...givenPod(),
      address('192.0.2.9'),
      givenSlice(ofPod('a')),
      proxy(Service, 'a:web', '', { until: 301 }),
      proxy(Service, 'a:80', '', { name: 'to-a-number' }),
    ),
    row(
      Service,
      'get',
      'through endpoints until they are no longer ready',
      ...givenPod(),
      address('192.0.2.9'),
      givenService,
      givenSlice(ofPod('a')),
      proxy(Service, 'a:80', '', { until: 301 }),
      patch(
        EndpointSlice,
        'merge',
        { endpoints: [{ ...ofPod('a'), conditions: { ready: false } }] },
        { setup: true },
      ),
      proxy(Service, 'a:80', '', { name: 'not-ready', until: 503 }),
    ),
    row(Node, 'get', 'through a missing one', proxy(Node)),
    row(Node, 'get', 'through one without addresses', given(Node), proxy(Node)),
    row(Node, 'get', 'through one on the loopback', given(Node), reached('127.0.0.1'), proxy(Node)),
    row(
      Node,
      'get',
      'through one on its link',
      given(Node),
      reached('169.254.169.254'),
      proxy(Node, `${nameOf(Node, 'a')}:80`),
    ),
    row(
      Node,
      'get',
      'through one with an address of no known use',
      given(Node),
      reached('192.0.2.1', 'Strange'),
      proxy(Node),
    ),
    row(
      Node,
      'get',
      'through what is none',
      given(Node),
      proxy(Node, `x:y:${nameOf(Node, 'a')}:80`),
    ),
    row(
      Node,
      'get',
      'through one, without a path',
      given(Node),
      reached('192.0.2.1'),
      proxy(Node, `${nameOf(Node, 'a')}:80`, ''),
    ),
  ],
};
