/**
 * Services: ports, types, addresses from the pool of the server. Chosen addresses are among the first sixteen of the pool
 * and chosen node ports among its first eighty-six, of which the server itself takes only when all others are taken.
 */
import type { Json, JsonObject } from '../../differential/json.ts';
import type { Row, RowGroup } from '../../differential/row.ts';
import { Service } from '../kinds.ts';
import { everyKind } from './every-kind.ts';
import {
  creates,
  get,
  given,
  type More,
  object,
  pathOf,
  post,
  put,
  remove,
  row,
  updates,
} from './words.ts';

const port = (more: JsonObject = {}): JsonObject => ({ port: 80, ...more });
const spec = (more: JsonObject = {}): JsonObject => ({ spec: { ports: [port()], ...more } });
const named = (name: Json, more: JsonObject = {}): JsonObject => port({ name, ...more });

/** A service that goes at the end, for the pool is small. */
function taken(name: string, fields: JsonObject, ...steps: ReturnType<typeof get>[]): Row {
  const gone = remove(Service, { name: 'gone', setup: true });
  return row(Service, 'create', name, post(Service, object(Service, fields)), ...steps, gone);
}

const specs: Readonly<Record<string, JsonObject>> = {
  'without ports': { spec: {} },
  'without a spec': {},
  'headless without ports': { spec: { clusterIP: 'None' } },
  'with port 0': spec({ ports: [{ port: 0 }] }),
  'with port 65536': spec({ ports: [{ port: 65536 }] }),
  'with two ports without names': spec({ ports: [port(), { port: 81 }] }),
  'with two ports of one name': spec({ ports: [named('a'), named('a', { port: 81 })] }),
  'with one port twice': spec({ ports: [named('a'), named('b')] }),
  'with a bad port name': spec({ ports: [named('A_b')] }),
  'with an unknown protocol': spec({ ports: [port({ protocol: 'ICMP' })] }),
  'with a bad target port': spec({ ports: [port({ targetPort: 'Not_OK' })] }),
  'with target port 70000': spec({ ports: [port({ targetPort: 70000 })] }),
  'with a bad app protocol': spec({ ports: [port({ appProtocol: 'a b' })] }),
  'with a node port but ClusterIP': spec({ ports: [port({ nodePort: 30080 })] }),
  'with a node port out of range': spec({ type: 'NodePort', ports: [port({ nodePort: 80 })] }),
  'of an unknown type': spec({ type: 'Magic' }),
  'with an unknown affinity': spec({ sessionAffinity: 'Sometimes' }),
  'with a timeout but no affinity': spec({
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 10 } },
  }),
  'with a timeout out of range': spec({
    sessionAffinity: 'ClientIP',
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 100_000 } },
  }),
  'with a bad selector': spec({ selector: { 'bad key': 'x' } }),
  'with a bad external IP': spec({ externalIPs: ['127.0.0.1', 'x'] }),
  'with a cluster IP that is no address': spec({ clusterIP: 'x' }),
  'with a cluster IP out of range': spec({ clusterIP: '10.9.9.9' }),
  'with cluster IPs that differ': spec({ clusterIP: '10.0.0.11', clusterIPs: ['10.0.0.12'] }),
  'with two families': spec({ ipFamilyPolicy: 'RequireDualStack' }),
  'with the other family': spec({ ipFamilies: ['IPv6'] }),
  'with an unknown family': spec({ ipFamilies: ['IPv5'] }),
  'with an unknown family policy': spec({ ipFamilyPolicy: 'Any' }),
  'ExternalName without a name': { spec: { type: 'ExternalName' } },
  'ExternalName with a bad name': { spec: { type: 'ExternalName', externalName: '-bad-' } },
  'ExternalName with a cluster IP': {
    spec: { type: 'ExternalName', externalName: 'a.example.com', clusterIP: '10.0.0.12' },
  },
  'with an unknown traffic policy': spec({ internalTrafficPolicy: 'Far' }),
  'with an external traffic policy but ClusterIP': spec({ externalTrafficPolicy: 'Local' }),
  'with a load balancer class but ClusterIP': spec({ loadBalancerClass: 'example.com/lb' }),
  'with source ranges that are none': spec({
    type: 'LoadBalancer',
    loadBalancerSourceRanges: ['1.2.3.4/33'],
  }),
  'with an unknown traffic distribution': spec({ trafficDistribution: 'Anywhere' }),
  'with a name that is no label': { metadata: { name: '1a' }, ...spec() },
  'with a long name': { metadata: { name: 'a'.repeat(64) }, ...spec() },
};

const put2 = (spec2: JsonObject, more: More = {}) => put(Service, { spec: spec2 }, more);

export const services: RowGroup = {
  name: 'services',
  rows: [
    ...everyKind(Service, {
      minimal: spec(),
      full: {
        spec: {
          type: 'NodePort',
          selector: { app: 'a' },
          ports: [
            { name: 'web', port: 80, targetPort: 'http', protocol: 'TCP', appProtocol: 'http' },
            { name: 'dns', port: 53, targetPort: 5353, protocol: 'UDP' },
          ],
          sessionAffinity: 'ClientIP',
          sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } },
          externalIPs: ['192.0.2.1'],
          externalTrafficPolicy: 'Cluster',
          internalTrafficPolicy: 'Local',
          publishNotReadyAddresses: true,
          ipFamilies: ['IPv4'],
          ipFamilyPolicy: 'SingleStack',
          trafficDistribution: 'PreferClose',
        },
      },
      changed: spec({ selector: { app: 'b' } }),
      merge: {
        spec: { selector: { app: 'c' }, sessionAffinity: 'None', sessionAffinityConfig: null },
      },
      json: [{ op: 'replace', path: '/spec/ports/0/port', value: 8080 }],
      strategic: { spec: { ports: [{ port: 81, name: 'more' }] } },
      applied: {
        spec: { ports: [port({ name: 'web', targetPort: 8080 })], selector: { app: 'd' } },
      },
      wrongTypes: {
        'with a port that is a text': spec({ ports: [{ port: '80' }] }),
        'with a port that is a fraction': spec({ ports: [{ port: 80.5 }] }),
        'with a port beyond 32 bits': spec({ ports: [{ port: 4294967296 }] }),
        'with ports that are an object': spec({ ports: { port: 80 } }),
        'with a target port that is a boolean': spec({ ports: [port({ targetPort: true })] }),
        'with a selector that is a list': spec({ selector: ['a'] }),
        'with a spec that is a text': { spec: 'a' },
      },
      fieldSelectors: ['spec.type=NodePort', 'spec.clusterIP!=None'],
    }),
    ...creates(Service, specs),
    taken('headless', spec({ clusterIP: 'None', selector: { app: 'a' } })),
    taken('headless without a selector', spec({ clusterIP: 'None' })),
    taken('ExternalName', { spec: { type: 'ExternalName', externalName: 'a.example.com' } }),
    taken(
      'ExternalName with a port',
      spec({ type: 'ExternalName', externalName: 'a.example.com' }),
    ),
    taken('NodePort', spec({ type: 'NodePort' })),
    taken('LoadBalancer', spec({ type: 'LoadBalancer' })),
    taken(
      'LoadBalancer with everything',
      spec({
        type: 'LoadBalancer',
        loadBalancerIP: '192.0.2.9',
        loadBalancerClass: 'example.com/lb',
        loadBalancerSourceRanges: ['192.0.2.0/24'],
        allocateLoadBalancerNodePorts: false,
        externalTrafficPolicy: 'Local',
      }),
    ),
    taken('a chosen cluster IP', spec({ clusterIP: '10.0.0.5' }), get(Service)),
    taken('a chosen node port', spec({ type: 'NodePort', ports: [port({ nodePort: 30077 })] })),
    taken('PreferDualStack on one family', spec({ ipFamilyPolicy: 'PreferDualStack' })),
    taken('a target port of its own', spec({ ports: [port({ targetPort: 8080 })] })),
    row(
      Service,
      'create',
      'with a cluster IP that is taken',
      given(Service, spec()),
      post(Service, object(Service, spec({ clusterIP: '{clusterIP:given-a}' }), 'b')),
      remove(Service, { name: 'gone', setup: true }),
    ),
    row(
      Service,
      'create',
      'with a node port that is taken',
      given(Service, spec({ type: 'NodePort', ports: [port({ nodePort: 30078 })] })),
      post(
        Service,
        object(Service, spec({ type: 'NodePort', ports: [port({ nodePort: 30078 })] }), 'b'),
      ),
      remove(Service, { name: 'gone', setup: true }),
    ),
    ...updates(Service, {
      'keeps the cluster IP': { from: spec(), to: spec({ selector: { app: 'b' } }) },
      'to headless': { from: spec(), to: spec({ clusterIP: 'None' }) },
      'from headless': {
        from: spec({ clusterIP: 'None' }),
        to: spec({ clusterIP: '10.0.0.6' }),
      },
      'to ExternalName': {
        from: spec(),
        to: { spec: { type: 'ExternalName', externalName: 'a.example.com' } },
      },
      'to NodePort': { from: spec(), to: spec({ type: 'NodePort' }) },
      'from NodePort': { from: spec({ type: 'NodePort' }), to: spec() },
      'to no ports': { from: spec(), to: { spec: {} } },
    }),
    row(
      Service,
      'update',
      'of the cluster IP',
      given(Service, spec()),
      put2({ clusterIP: '10.0.0.7', ports: [port()] }),
    ),
    row(
      Service,
      'update',
      'of the status',
      given(Service, spec({ type: 'LoadBalancer' })),
      {
        ...put2({ ports: [port({ port: 99 })] }),
        path: `${pathOf(Service)}/status`,
        body: {
          ...object(Service, { metadata: { resourceVersion: '{rv:given-a}' } }),
          ...spec({ ports: [port({ port: 99 })] }),
          status: { loadBalancer: { ingress: [{ ip: '192.0.2.10', ipMode: 'VIP' }] } },
        },
      },
      get(Service),
      get(Service, {
        name: 'table',
        headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
      }),
    ),
    row(
      Service,
      'delete',
      'gives the cluster IP back',
      given(Service, spec()),
      remove(Service),
      post(Service, object(Service, spec({ clusterIP: '{clusterIP:given-a}' }), 'b'), {
        setup: true,
      }),
    ),
  ],
};
