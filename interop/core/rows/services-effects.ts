/**
 * Effects of writes of a Service beyond storing it: addresses and node ports, responses to dry runs, and warnings about
 * its status. Node ports are those of `services.ts`, which rows of other groups never use.
 */
import type { JsonObject } from '../../differential/json.ts';
import type { RequestStep, Row, RowGroup } from '../../differential/row.ts';
import { Endpoints, Service } from '../kinds.ts';
import {
  collection,
  get,
  given,
  type More,
  OF_THE_ROW,
  object,
  patch,
  pathOf,
  post,
  put,
  remove,
  row,
  TABLE,
} from './words.ts';

const ports = [{ port: 80 }];
const outside = { type: 'ExternalName', externalName: 'a.example.com' };
const spec = (more: JsonObject = {}): JsonObject => ({ spec: { ports, ...more } });
const onNodes = (...nodePorts: number[]): JsonObject => ({
  type: 'NodePort',
  ports: nodePorts.map((nodePort, index) => ({
    name: `p${index}`,
    port: 80 + index,
    ...(nodePort > 0 && { nodePort }),
  })),
});
const dryRun = { query: { dryRun: 'All' } };

const addresses: JsonObject = {
  subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }] }],
};
const givenEndpoints = (fields: JsonObject = {}, name = 'a'): RequestStep => ({
  ...given(Endpoints, { ...addresses, ...fields }, name),
  name: `endpoints-${name}`,
});
const endpointsAfter = (more: More = {}): RequestStep =>
  get(Endpoints, { name: 'endpoints-after', ...more });
const gone = (name = 'a'): RequestStep =>
  remove(Service, { name: `gone-${name}`, path: pathOf(Service, name), setup: true });
const goneAll: RequestStep = {
  name: 'gone-all',
  method: 'DELETE',
  path: collection(Service),
  query: OF_THE_ROW,
  setup: true,
};

const withEndpoints: Row[] = [
  row(
    Service,
    'delete',
    'leaves the Endpoints of its name',
    given(Service, spec()),
    givenEndpoints(),
    givenEndpoints({}, 'b'),
    remove(Service),
    endpointsAfter(),
    endpointsAfter({ name: 'others', path: pathOf(Endpoints, 'b') }),
  ),
  row(
    Service,
    'delete',
    'of one without Endpoints',
    given(Service, spec()),
    remove(Service),
    endpointsAfter(),
  ),
  row(
    Service,
    'deletecollection',
    'leaves Endpoints that a finalizer holds',
    given(Service, spec()),
    givenEndpoints({ metadata: { finalizers: ['example.com/held'] } }),
    goneAll,
    endpointsAfter(),
    patch(
      Endpoints,
      'merge',
      { metadata: { finalizers: null } },
      { name: 'released', setup: true },
    ),
    endpointsAfter({ name: 'endpoints-released' }),
  ),
  row(
    Service,
    'delete',
    'that is a dry run leaves the Endpoints',
    given(Service, spec()),
    givenEndpoints(),
    remove(Service, dryRun),
    endpointsAfter(),
    gone(),
  ),
  row(
    Service,
    'delete',
    'leaves the Endpoints when its last finalizer goes',
    given(Service, { metadata: { finalizers: ['example.com/held'] }, ...spec() }),
    givenEndpoints(),
    remove(Service),
    endpointsAfter({ name: 'endpoints-held' }),
    patch(Service, 'merge', { metadata: { finalizers: null } }),
    endpointsAfter(),
  ),
  row(
    Service,
    'delete',
    'leaves the Endpoints when its last finalizer goes with the status',
    given(Service, { metadata: { finalizers: ['example.com/held'] }, ...spec() }),
    givenEndpoints(),
    remove(Service),
    patch(
      Service,
      'merge',
      { metadata: { finalizers: null } },
      { path: `${pathOf(Service)}/status` },
    ),
    endpointsAfter(),
  ),
  row(
    Service,
    'deletecollection',
    'leaves the Endpoints of their names',
    given(Service, spec()),
    given(Service, spec(), 'b'),
    givenEndpoints(),
    givenEndpoints({}, 'b'),
    givenEndpoints({}, 'c'),
    goneAll,
    endpointsAfter(),
    endpointsAfter({ name: 'endpoints-after-b', path: pathOf(Endpoints, 'b') }),
    endpointsAfter({ name: 'others', path: pathOf(Endpoints, 'c') }),
  ),
];

const balanced = (...ingress: JsonObject[]): RequestStep =>
  patch(
    Service,
    'merge',
    { status: { loadBalancer: { ingress } } },
    { name: 'balanced', path: `${pathOf(Service)}/status`, setup: true },
  );
const table = get(Service, { name: 'table', headers: { accept: TABLE } });

const shown: Row[] = [
  row(
    Service,
    'get',
    'as a Table with a long name of a load balancer',
    given(Service, spec({ type: 'LoadBalancer' })),
    balanced({ hostname: 'abc-123456.eu-west-1.elb.example.com' }),
    table,
    gone(),
  ),
  row(
    Service,
    'get',
    'as a Table with several addresses of a load balancer',
    given(Service, spec({ type: 'LoadBalancer', externalIPs: ['192.0.2.9'] })),
    balanced({ ip: '192.0.2.102' }, { ip: '192.0.2.101' }, { hostname: 'a.example.com' }),
    table,
    gone(),
  ),
];

const toStatus = (name: string, body: JsonObject): RequestStep =>
  patch(Service, 'merge', body, { name, path: `${pathOf(Service)}/status` });

const statuses: Row[] = [
  row(
    Service,
    'patch',
    'of the status is warned of the status alone',
    given(
      Service,
      spec({
        type: 'LoadBalancer',
        externalIPs: ['192.0.2.1'],
        trafficDistribution: 'PreferClose',
      }),
    ),
    toStatus('labels', { metadata: { labels: { row: '{ns}', x: 'y' } } }),
    toStatus('nothing', {}),
    toStatus('addresses', {
      status: { loadBalancer: { ingress: [{ ip: '2001:DB8::1', ipMode: 'VIP' }] } },
    }),
    toStatus('same-addresses', { metadata: { labels: { x: 'z' } } }),
    patch(Service, 'merge', { metadata: { labels: { x: null } } }, { name: 'whole' }),
    gone(),
  ),
];

const badStatuses: Row[] = [
  row(
    Service,
    'patch',
    'of the status with what it may not say',
    given(Service, spec({ type: 'LoadBalancer' })),
    toStatus('label', { metadata: { labels: { 'x y': 'z' } } }),
    toStatus('address', {
      status: {
        loadBalancer: { ingress: [{ ip: 'x', ipMode: 'VIP' }, { hostname: '192.0.2.1' }] },
      },
    }),
    toStatus('both', {
      metadata: { labels: { 'x y': 'z' } },
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.1', ipMode: 'Far' }] } },
    }),
    toStatus('spec', { spec: { type: 'Magic' } }),
    gone(),
  ),
];

const nodePorts: Row[] = [
  row(
    Service,
    'create',
    'ExternalName with a node port takes none',
    post(Service, object(Service, { spec: { ...outside, ...portAt(30_060) } })),
    post(Service, object(Service, { spec: { ...outside, ...portAt(30_060) } }, 'b'), {
      name: 'create-b',
    }),
    post(Service, object(Service, { spec: { type: 'NodePort', ...portAt(30_060) } }, 'c'), {
      name: 'create-c',
    }),
    post(Service, object(Service, { spec: { type: 'NodePort', ...portAt(30_060) } }, 'd'), {
      name: 'create-d',
    }),
    gone(),
    gone('b'),
    gone('c'),
  ),
  row(
    Service,
    'update',
    'from ExternalName to NodePort with its node port',
    given(Service, { spec: { ...outside, ...portAt(30_061) } }),
    put(Service, { spec: { type: 'NodePort', ...portAt(30_061) } }),
    gone(),
  ),
  row(
    Service,
    'update',
    'from NodePort to ExternalName gives the node port back',
    // With an address that is never picked: it is given back, too, and the other one would have it now and then.
    given(Service, { spec: { type: 'NodePort', clusterIP: '10.0.0.14', ...portAt(30_062) } }),
    put(Service, { spec: { ...outside, ...portAt(30_062) } }),
    post(Service, object(Service, { spec: { type: 'NodePort', ...portAt(30_062) } }, 'b'), {
      name: 'create-b',
    }),
    gone(),
    gone('b'),
  ),
  row(
    Service,
    'update',
    'with a node port twice',
    given(Service, { spec: onNodes(30_063) }),
    put(Service, { spec: onNodes(30_064, 30_064) }),
    put(Service, { spec: onNodes(30_063, 30_063) }, { name: 'own' }),
    put(Service, { spec: onNodes(80, 80) }, { name: 'out-of-range' }),
    put(
      Service,
      {
        spec: {
          type: 'NodePort',
          ports: [
            { name: 'p0', port: 80, nodePort: 30_065 },
            { name: 'p1', port: 80, nodePort: 30_065, protocol: 'UDP' },
            { name: 'p2', port: 81, nodePort: 30_065, protocol: 'UDP' },
          ],
        },
      },
      { name: 'of-one-protocol' },
    ),
    put(
      Service,
      {
        spec: {
          type: 'NodePort',
          ports: [
            { name: 'p0', port: 80, nodePort: 30_065 },
            { name: 'p1', port: 80, nodePort: 30_065, protocol: 'UDP' },
          ],
        },
      },
      { name: 'of-two-protocols' },
    ),
    gone(),
  ),
];

function portAt(nodePort: number): JsonObject {
  return { ports: [{ port: 80, nodePort }] };
}

const clusterIps: Row[] = [
  row(
    Service,
    'update',
    'to ExternalName with None for a cluster IP',
    given(Service, spec()),
    put(Service, { spec: { ...outside, clusterIP: 'None', ports } }),
    get(Service),
    patch(Service, 'merge', { spec: { ...outside, clusterIP: 'None' } }, { name: 'again' }),
    patch(Service, 'merge', { metadata: { labels: { x: 'y' } } }, { name: 'label' }),
    // That answer alone is without the list: the original's writes of the status do not add what it stores without.
    { ...toStatus('status', { metadata: { labels: { x: 'z' } } }), setup: true },
    patch(Service, 'merge', { spec: { clusterIP: null } }, { name: 'cleared' }),
    get(Service, { name: 'after' }),
    gone(),
  ),
];

const dryRuns: Row[] = [
  ...['10.9.9.9', '10.0.0.0', '10.0.0.255'].map((clusterIP) =>
    row(
      Service,
      'create',
      `a dry run with the cluster IP ${clusterIP}, out of range`,
      post(Service, object(Service, spec({ clusterIP })), dryRun),
    ),
  ),
  row(
    Service,
    'create',
    'a dry run that picks node ports beside a chosen one',
    post(Service, object(Service, { spec: onNodes(30_066, 0, 0) }), dryRun),
    post(Service, object(Service, { spec: onNodes(0, 30_066, 0) }), {
      ...dryRun,
      name: 'in-between',
    }),
    post(Service, object(Service, { spec: onNodes(0, 0) }), { ...dryRun, name: 'without' }),
  ),
  row(
    Service,
    'update',
    'a dry run that picks a node port beside its own',
    given(Service, { spec: onNodes(30_067) }),
    put(Service, { spec: onNodes(30_067, 0) }, dryRun),
    put(Service, { spec: onNodes(30_068, 0) }, { ...dryRun, name: 'chosen' }),
    gone(),
  ),
];

export const serviceEffects: RowGroup = {
  name: 'services-effects',
  rows: [
    ...withEndpoints,
    ...shown,
    ...statuses,
    ...badStatuses,
    ...nodePorts,
    ...clusterIps,
    ...dryRuns,
  ],
};
