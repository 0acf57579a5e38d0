/** Upstream's results for the same services, as far as the kind decides them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Service, ServiceSpec } from '@tributary/api/core-v1';
import { aggregateText, type ObjectMeta, StatusError } from '@tributary/apimachinery';
import { foundNow } from '../../../../test/found-now.ts';
import { addressPool } from '../../../addresses/address-pool.ts';
import { serviceKind } from './kind.ts';

type Fields = { readonly [Name in keyof ServiceSpec]: ServiceSpec[Name] | undefined };

interface Case {
  readonly name: string;
  readonly spec: ServiceSpec;
  readonly annotations?: ObjectMeta['annotations'];
  /** Fields of the spec afterwards, or the error. */
  readonly want: Fields | string;
}

const port = (more: object = {}) => ({ port: 80, targetPort: 0, ...more });
const one = [port()];

function service(spec: ServiceSpec, annotations?: ObjectMeta['annotations']): Service {
  return {
    kind: 'Service',
    apiVersion: 'v1',
    metadata: {
      name: 'a',
      namespace: 'default',
      resourceVersion: '1',
      ...(annotations && { annotations }),
    },
    spec,
    status: { loadBalancer: {} },
  };
}

/** Random numbers are the smallest possible. */
function versionOf(range: string) {
  const addresses = addressPool({ range, random: () => 0n });
  const version = serviceKind({ addresses }).versions.get('v1');
  assert.ok(version);
  return version;
}

const hooksOf = (range: string) => versionOf(range).hooks;

function create(spec: ServiceSpec, { annotations, range = '10.0.0.0/24' }: CreateOptions = {}) {
  const hooks = hooksOf(range);
  const object = structuredClone(service(spec, annotations));
  hooks.applyDefaults(object);
  hooks.prepareForCreate(object);
  const errors = foundNow(hooks.validate(object));
  if (errors.length > 0) throw new Error(aggregateText(errors));
  hooks.canonicalise(object);
  return object;
}

interface CreateOptions {
  readonly annotations?: ObjectMeta['annotations'] | undefined;
  readonly range?: string;
}

function update(live: Service, change: Fields): Service {
  const hooks = hooksOf('10.0.0.0/24');
  const spec = { ...live.spec, ...change } as ServiceSpec;
  const next = structuredClone({ ...live, spec });
  for (const [name, value] of Object.entries(next.spec)) {
    if (value === undefined) delete next.spec[name as keyof ServiceSpec];
  }
  hooks.applyDefaults(next);
  hooks.prepareForUpdate(next, live);
  const errors = foundNow(hooks.validateUpdate(next, live));
  if (errors.length > 0) throw new Error(aggregateText(errors));
  hooks.canonicalise(next);
  return next;
}

/** The error without the name of the object. */
function refusal(attempt: () => unknown): string {
  try {
    attempt();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const text = error.message.replace(/^Service "a" is invalid: /, '');
    return error instanceof StatusError && error.code !== 422 ? `${error.code} ${text}` : text;
  }
  return assert.fail('it was accepted');
}

function check(want: Case['want'], attempt: () => Service): void {
  if (typeof want === 'string') {
    assert.equal(refusal(attempt), want);
    return;
  }
  const { spec } = attempt();
  const found = Object.fromEntries(
    Object.keys(want).map((name) => [name, spec[name as keyof ServiceSpec]]),
  );
  assert.deepEqual(found, want);
}

describe('defaults of services', () => {
  const cases: Case[] = [
    {
      name: 'of everything',
      spec: { ports: one },
      want: {
        type: 'ClusterIP',
        sessionAffinity: 'None',
        clusterIP: '10.0.0.17',
        clusterIPs: ['10.0.0.17'],
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
        internalTrafficPolicy: 'Cluster',
        externalTrafficPolicy: undefined,
        ports: [{ port: 80, targetPort: 80, protocol: 'TCP' }],
      },
    },
    {
      name: 'of a load balancer',
      spec: { type: 'LoadBalancer', ports: one },
      want: {
        externalTrafficPolicy: 'Cluster',
        allocateLoadBalancerNodePorts: true,
        healthCheckNodePort: undefined,
        ports: [{ port: 80, targetPort: 80, protocol: 'TCP', nodePort: 30_086 }],
      },
    },
    {
      name: 'of a load balancer that uses only local endpoints',
      spec: { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: one },
      want: { healthCheckNodePort: 30_087 },
    },
    {
      name: 'of a load balancer without ports on the nodes',
      spec: { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports: one },
      want: { ports: [{ port: 80, targetPort: 80, protocol: 'TCP' }] },
    },
    {
      name: 'of affinity',
      spec: { sessionAffinity: 'ClientIP', sessionAffinityConfig: {}, ports: one },
      want: { sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } } },
    },
    {
      name: 'of no affinity',
      spec: { sessionAffinityConfig: { clientIP: { timeoutSeconds: 1 } }, ports: one },
      want: { sessionAffinityConfig: undefined },
    },
    {
      name: 'of a name outside',
      spec: { type: 'ExternalName', externalName: 'a.b.', internalTrafficPolicy: 'Local' },
      want: { clusterIP: undefined, ipFamilies: undefined, internalTrafficPolicy: undefined },
    },
    {
      name: 'of a headless service',
      spec: { clusterIP: 'None', selector: { a: 'b' } },
      want: { clusterIPs: ['None'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
    },
    {
      name: 'of a headless service without a selector',
      spec: { clusterIP: 'None', ipFamilies: ['IPv6'] },
      want: { ipFamilies: ['IPv6', 'IPv4'], ipFamilyPolicy: 'RequireDualStack' },
    },
    {
      name: 'PreferDualStack on one family',
      spec: { ipFamilyPolicy: 'PreferDualStack', ports: one },
      want: { ipFamilies: ['IPv4'], ipFamilyPolicy: 'PreferDualStack' },
    },
    {
      name: 'ports of TCP and UDP share one on the nodes',
      spec: {
        type: 'NodePort',
        ports: [port({ name: 'a' }), port({ name: 'b', protocol: 'UDP', nodePort: 30_602 })],
      },
      want: {
        ports: [
          { name: 'a', port: 80, targetPort: 80, protocol: 'TCP', nodePort: 30_602 },
          { name: 'b', port: 80, targetPort: 80, protocol: 'UDP', nodePort: 30_602 },
        ],
      },
    },
  ];
  for (const { name, spec, want } of cases) test(name, () => check(want, () => create(spec)));

  test('a service gets an address of an IPv6 range', () => {
    const { spec } = create({ ports: one }, { range: 'fd00::/108' });
    assert.deepEqual(spec.clusterIPs, ['fd00::101']);
    assert.deepEqual(spec.ipFamilies, ['IPv6']);
  });
});

const IP = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const BALANCED = "may only be used when `type` is 'LoadBalancer'";
const MISMATCH = 'the provided network does not match the current range';

describe('invalid services', () => {
  const cases: Case[] = [
    { name: 'no ports', spec: {}, want: 'spec.ports: Required value' },
    {
      name: 'ports that are none',
      spec: { ports: [{ port: 0, targetPort: 'a--very-long-port-name-' }] },
      want: '[spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive, spec.ports[0].targetPort: Invalid value: "a--very-long-port-name-": must be no more than 15 characters, spec.ports[0].targetPort: Invalid value: "a--very-long-port-name-": must not contain consecutive hyphens, spec.ports[0].targetPort: Invalid value: "a--very-long-port-name-": must not begin or end with a hyphen]',
    },
    {
      name: 'two ports without names',
      spec: { ports: [port(), port({ port: 81 })] },
      want: '[spec.ports[0].name: Required value, spec.ports[1].name: Required value]',
    },
    {
      name: 'a port twice',
      spec: { ports: [port({ name: 'a' }), port({ name: 'a' })] },
      want: '[spec.ports[1].name: Duplicate value: "a", spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}]',
    },
    {
      name: 'a port on the nodes without need',
      spec: { ports: [port({ nodePort: 30_080 })] },
      want: "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
    },
    {
      name: 'a port on the nodes out of range',
      spec: { type: 'NodePort', ports: [port({ nodePort: 80 })] },
      want: 'spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
    },
    {
      name: 'a port on the nodes twice',
      spec: {
        type: 'NodePort',
        ports: [
          port({ name: 'a', nodePort: 30_604 }),
          port({ name: 'b', port: 81, protocol: 'UDP', nodePort: 30_604 }),
        ],
      },
      want: 'spec.ports[1].nodePort: Invalid value: 30604: provided port is already allocated',
    },
    {
      name: 'more ports on the nodes than are written at once',
      spec: {
        type: 'NodePort',
        ports: Array.from({ length: 61 }, (_, index) =>
          port({ name: `p${index}`, port: index + 1 }),
        ),
      },
      want: 'spec.ports: Too many: 61: must have at most 60 items',
    },
    {
      name: 'a port for health checks that is taken by the service itself',
      spec: {
        type: 'LoadBalancer',
        externalTrafficPolicy: 'Local',
        healthCheckNodePort: 30_505,
        ports: [port({ nodePort: 30_505 })],
      },
      want: '500 Internal error occurred: failed to allocate requested HealthCheck NodePort 30505: provided port is already allocated',
    },
    {
      name: 'a port for health checks without need',
      spec: { healthCheckNodePort: 30_506, ports: one },
      want: "spec.healthCheckNodePort: Invalid value: 30506: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
    },
    {
      name: 'a type of nobody',
      spec: { type: 'Magic', ports: one },
      want: 'spec.type: Unsupported value: "Magic": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
    },
    {
      name: 'an affinity of nobody',
      spec: { sessionAffinity: 'Sometimes', ports: one },
      want: 'spec.sessionAffinity: Unsupported value: "Sometimes": supported values: "ClientIP", "None"',
    },
    {
      name: 'a timeout of nothing',
      spec: {
        sessionAffinity: 'ClientIP',
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } },
        ports: one,
      },
      want: 'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 0: must be greater than 0 and less than 86400',
    },
    {
      name: 'policies of nobody',
      spec: {
        internalTrafficPolicy: 'x',
        externalTrafficPolicy: 'y',
        trafficDistribution: 'z',
        ports: one,
      },
      want: '[spec.externalTrafficPolicy: Invalid value: "y": may only be set for externally-accessible services, spec.internalTrafficPolicy: Unsupported value: "x": supported values: "Cluster", "Local", spec.trafficDistribution: Unsupported value: "z": supported values: "PreferClose", "PreferSameZone", "PreferSameNode"]',
    },
    {
      name: 'fields of load balancers',
      spec: {
        loadBalancerClass: 'a.b/c',
        loadBalancerSourceRanges: ['192.0.2.0/24'],
        allocateLoadBalancerNodePorts: true,
        ports: one,
      },
      want: `[spec.LoadBalancerSourceRanges: Forbidden: ${BALANCED}, spec.allocateLoadBalancerNodePorts: Forbidden: ${BALANCED}, spec.loadBalancerClass: Forbidden: ${BALANCED}]`,
    },
    {
      name: 'a load balancer without an address',
      spec: { type: 'LoadBalancer', clusterIP: 'None', ports: one },
      want: `spec.clusterIPs[0]: Invalid value: "None": may not be set to 'None' for LoadBalancer services`,
    },
    {
      name: 'annotations that contradict each other',
      spec: { ports: one },
      annotations: {
        'service.kubernetes.io/topology-aware-hints': 'a',
        'service.kubernetes.io/topology-mode': 'b',
      },
      want: 'metadata.annotations[service.kubernetes.io/topology-mode]: Invalid value: "b": must match annotations[service.kubernetes.io/topology-aware-hints] when both are specified',
    },
    {
      name: 'ranges in an annotation',
      spec: { type: 'LoadBalancer', ports: one },
      annotations: {
        'service.beta.kubernetes.io/load-balancer-source-ranges': '192.0.2.0/24, x',
      },
      want: 'metadata.annotations[service.beta.kubernetes.io/load-balancer-source-ranges]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    },
    {
      name: 'addresses outside that are special',
      spec: { externalIPs: ['127.0.0.1', 'x'], ports: one },
      want: `[spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128), spec.externalIPs[1]: Invalid value: "x": ${IP}]`,
    },
    {
      name: 'a name outside with addresses inside',
      spec: { type: 'ExternalName', clusterIP: 'None', ipFamilyPolicy: 'SingleStack' },
      want: '[spec.clusterIPs: Forbidden: may not be set for ExternalName services, spec.ipFamilyPolicy: Forbidden: may not be set for ExternalName services, spec.externalName: Required value]',
    },
    {
      name: 'an address that is none',
      spec: { clusterIP: 'x', ports: one },
      want: `spec.clusterIPs[0]: Invalid value: "x": ${IP}`,
    },
    ...['10.0.0.0', '10.0.0.255', '10.9.9.9'].map((clusterIP) => ({
      name: `the address ${clusterIP}, out of range`,
      spec: { clusterIP, ports: one },
      want: `spec.clusterIPs: Invalid value: ["${clusterIP}"]: failed to allocate IP ${clusterIP}: ${MISMATCH}`,
    })),
    {
      name: 'addresses that differ',
      spec: { clusterIP: '10.0.0.8', clusterIPs: ['10.0.0.9'], ports: one },
      want: 'spec.clusterIPs: Invalid value: ["10.0.0.9"]: first value must match `clusterIP`',
    },
    {
      name: 'only the list of addresses',
      spec: { clusterIPs: ['10.0.0.95'], ports: one },
      want: 'spec.clusterIPs: Invalid value: ["10.0.0.95"]: must be empty when `clusterIP` is not specified',
    },
    {
      name: 'two addresses of one family',
      spec: { clusterIP: '10.0.0.8', clusterIPs: ['10.0.0.8', '10.0.0.9'], ports: one },
      want: 'spec.clusterIPs: Invalid value: ["10.0.0.8","10.0.0.9"]: may specify no more than one IP for each IP family',
    },
    {
      name: 'three addresses',
      spec: { clusterIP: '10.0.0.8', clusterIPs: ['10.0.0.8', 'fd00::1', '10.0.0.9'], ports: one },
      want: 'spec.clusterIPs: Invalid value: ["10.0.0.8","fd00::1","10.0.0.9"]: may only hold up to 2 values',
    },
    {
      name: 'None and more',
      spec: { clusterIP: 'None', clusterIPs: ['None', '10.0.0.9'], ports: one },
      want: `spec.clusterIPs: Invalid value: ["None","10.0.0.9"]: 'None' must be the first and only value`,
    },
    {
      name: 'an address of a family that is not there',
      spec: { clusterIP: 'fd00::1', ports: one },
      want: 'spec.clusterIPs[0]: Invalid value: ["fd00::1"]: IPv6 is not configured on this cluster',
    },
    {
      name: 'an address of another family than is said',
      spec: { clusterIP: 'fd00::1', ipFamilies: ['IPv4'], ports: one },
      want: 'spec.clusterIPs[0]: Invalid value: "fd00::1": expected an IPv4 value as indicated by `ipFamilies[0]`',
    },
    {
      name: 'two families',
      spec: { ipFamilyPolicy: 'RequireDualStack', ports: one },
      want: 'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
    },
    {
      name: 'two families without a policy',
      spec: { ipFamilies: ['IPv4', 'IPv6'], ports: one },
      want: `spec.ipFamilyPolicy: Invalid value: "SingleStack": must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified`,
    },
    {
      name: 'families and policies of nobody',
      spec: { ipFamilies: ['IPv5', 'IPv5'], ipFamilyPolicy: 'Any', ports: one },
      want: '[spec.ipFamilies[0]: Unsupported value: "IPv5": supported values: "IPv4", "IPv6", spec.ipFamilies[1]: Unsupported value: "IPv5": supported values: "IPv4", "IPv6", spec.ipFamilies[1]: Duplicate value: "IPv5", spec.ipFamilyPolicy: Unsupported value: "Any": supported values: "PreferDualStack", "RequireDualStack", "SingleStack"]',
    },
  ];
  for (const { name, spec, annotations, want } of cases) {
    test(name, () => check(want, () => create(spec, { annotations })));
  }

  test('a service with a generated invalid name gets no address', () => {
    const hooks = hooksOf('10.0.0.0/24');
    const object = service({ type: 'ClusterIP', ports: one });
    object.metadata.name = 'a/b';
    assert.throws(() => hooks.prepareForCreate(object), {
      message: `Service "a/b" is invalid: spec.clusterIPs: Invalid value: [""]: failed to allocate IP: IPAddress.networking.k8s.io "10.0.0.17" is invalid: spec.parentRef.name: Invalid value: "a/b": may not contain '/'`,
    });
  });
});

describe('updates of services', () => {
  const plain = create({ ports: one });
  const balanced = create({ type: 'LoadBalancer', ports: one });
  const local = create({ type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: one });
  const headless = create({ clusterIP: 'None', ports: one });
  const outside = create({ type: 'ExternalName', externalName: 'a.b' });
  const toOutside = { type: 'ExternalName', externalName: 'a.b' };
  const noFamilies = { ipFamilies: undefined, ipFamilyPolicy: undefined };
  interface Change {
    readonly name: string;
    readonly live: Service;
    readonly change: Fields;
    readonly want: Case['want'];
  }
  const cases: Change[] = [
    {
      name: 'keep what was given',
      live: plain,
      change: { clusterIP: undefined, clusterIPs: undefined },
      want: { clusterIP: '10.0.0.17', clusterIPs: ['10.0.0.17'] },
    },
    {
      name: 'keep ports on the nodes by their names',
      live: balanced,
      change: { ports: one },
      want: { ports: balanced.spec.ports ?? [] },
    },
    {
      name: 'change no address',
      live: plain,
      change: { clusterIP: '10.0.0.91' },
      want: 'spec.clusterIPs[0]: Invalid value: ["10.0.0.91"]: may not change once set',
    },
    {
      name: 'add no second address',
      live: plain,
      change: { clusterIPs: ['10.0.0.17', 'fd00::1'] },
      want: `[spec.ipFamilyPolicy: Invalid value: "SingleStack": must be 'RequireDualStack' or 'PreferDualStack' when multiple cluster IPs are specified, spec.clusterIPs[1]: Invalid value: ["10.0.0.17","fd00::1"]: IPv6 is not configured on this cluster]`,
    },
    {
      name: 'change no family',
      live: plain,
      change: { ipFamilies: ['IPv6'] },
      want: 'spec.clusterIPs[0]: Invalid value: "10.0.0.17": expected an IPv6 value as indicated by `ipFamilies[0]`',
    },
    {
      name: 'to a name outside drop addresses',
      live: balanced,
      change: { type: 'ExternalName', externalName: 'a.b' },
      want: {
        clusterIP: undefined,
        clusterIPs: undefined,
        ipFamilies: undefined,
        ipFamilyPolicy: undefined,
        externalTrafficPolicy: undefined,
        allocateLoadBalancerNodePorts: undefined,
        ports: [{ port: 80, targetPort: 80, protocol: 'TCP' }],
      },
    },
    {
      name: 'to a name outside drop no address that was changed',
      live: plain,
      change: { type: 'ExternalName', externalName: 'a.b', clusterIP: '10.0.0.5' },
      want: 'spec.clusterIPs: Forbidden: may not be set for ExternalName services',
    },
    {
      name: 'to a name outside accept None for an address',
      live: plain,
      change: { ...toOutside, clusterIP: 'None', clusterIPs: undefined, ...noFamilies },
      want: { clusterIP: 'None', clusterIPs: ['None'] },
    },
    {
      name: 'of a name outside with None for an address',
      live: update(plain, {
        ...toOutside,
        clusterIP: 'None',
        clusterIPs: undefined,
        ...noFamilies,
      }),
      change: {},
      want: 'spec.clusterIPs: Forbidden: may not be set for ExternalName services',
    },
    {
      name: 'from a name outside give an address',
      live: outside,
      change: { type: 'ClusterIP', ports: one },
      want: { clusterIP: '10.0.0.17', ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
    },
    {
      name: 'from a load balancer drop what is its own',
      live: local,
      change: { type: 'ClusterIP' },
      want: {
        healthCheckNodePort: undefined,
        externalTrafficPolicy: undefined,
        allocateLoadBalancerNodePorts: undefined,
        ports: [{ port: 80, targetPort: 80, protocol: 'TCP' }],
      },
    },
    {
      name: 'drop no port on the nodes that was changed',
      live: balanced,
      change: { type: 'ClusterIP', ports: [port({ nodePort: 30_555 })] },
      want: "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
    },
    {
      name: 'have a port on the nodes once for a protocol',
      live: balanced,
      change: {
        ports: [
          port({ name: 'a', nodePort: 30_601 }),
          port({ name: 'b', port: 81, nodePort: 30_601 }),
        ],
      },
      want: '500 duplicate nodePort: {TCP 30601}',
    },
    {
      name: 'have a port on the nodes for two protocols',
      live: balanced,
      change: {
        ports: [
          port({ name: 'a', nodePort: 30_601 }),
          port({ name: 'b', protocol: 'UDP', nodePort: 30_601 }),
        ],
      },
      want: {
        ports: [
          { name: 'a', port: 80, targetPort: 80, protocol: 'TCP', nodePort: 30_601 },
          { name: 'b', port: 80, targetPort: 80, protocol: 'UDP', nodePort: 30_601 },
        ],
      },
    },
    {
      name: 'give a port for health checks when it is needed',
      live: balanced,
      change: { externalTrafficPolicy: 'Local' },
      want: { healthCheckNodePort: 30_087 },
    },
    {
      name: 'keep the port for health checks',
      live: local,
      change: { healthCheckNodePort: 30_502 },
      want: 'spec.healthCheckNodePort: Forbidden: field is immutable',
    },
    {
      name: 'keep the class of a load balancer',
      live: create({ type: 'LoadBalancer', loadBalancerClass: 'a.b/c', ports: one }),
      change: { loadBalancerClass: undefined },
      want: 'spec.loadBalancerClass: Invalid value: null: may not change once set',
    },
    {
      name: 'release no second family without saying so',
      live: headless,
      change: { ipFamilies: ['IPv6'] },
      want: `spec.ipFamilyPolicy: Invalid value: "RequireDualStack": must be 'SingleStack' to release the secondary IP family`,
    },
    {
      name: 'release the second family',
      live: headless,
      change: { ipFamilyPolicy: 'SingleStack' },
      want: { ipFamilies: ['IPv4'] },
    },
    {
      name: 'ask a headless service with a selector for families that are there',
      live: headless,
      change: { selector: { a: 'b' } },
      want: '[spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services, spec.ipFamilies[1]: Invalid value: "IPv6": not configured on this cluster]',
    },
  ];
  for (const { name, live, change, want } of cases) {
    test(name, () => check(want, () => update(live, change)));
  }
});

test('a dry run gets numbers that are never allocated', () => {
  const hooks = hooksOf('10.0.0.0/24');
  const ports = [port({ name: 'a' }), port({ name: 'b', port: 81 })];
  const object = service({ type: 'NodePort', ports });
  hooks.prepareForCreate(object, { dryRun: true });
  assert.equal(object.spec.clusterIP, '10.0.0.0');
  assert.deepEqual(
    object.spec.ports?.map(({ nodePort }) => nodePort),
    [32_769, 32_770],
  );
});

test('a dry run gets the numbers after the requested one', () => {
  const ports = [30_013, undefined, undefined].map((nodePort, index) =>
    port({ name: `p${index}`, port: 80 + index, ...(nodePort && { nodePort }) }),
  );
  const object = service({ type: 'NodePort', ports });
  hooksOf('10.0.0.0/24').prepareForCreate(object, { dryRun: true });
  assert.deepEqual(
    object.spec.ports?.map(({ nodePort }) => nodePort),
    [30_013, 30_014, 30_015],
  );
});

for (const clusterIP of ['10.0.0.0', '10.0.0.255', '10.9.9.9']) {
  test(`a dry run reports that ${clusterIP} is out of range`, () => {
    const object = service({ type: 'ClusterIP', clusterIP, ports: one });
    assert.throws(() => hooksOf('10.0.0.0/24').prepareForCreate(object, { dryRun: true }), {
      code: 422,
      message: `Service "a" is invalid: spec.clusterIPs: Invalid value: ["${clusterIP}"]: failed to allocate IP ${clusterIP}: the provided IP (${clusterIP}) is not in the valid range. The range of valid IPs is 10.0.0.0/24`,
    });
  });
}

test('a create with an exhausted pool fails', () => {
  const addresses = addressPool({ range: '10.0.0.0/30', nodePorts: { first: 5, last: 5 } });
  const hooks = serviceKind({ addresses }).versions.get('v1')?.hooks;
  for (const [name, ip] of [
    ['x', '10.0.0.1'],
    ['y', '10.0.0.2'],
  ]) {
    const other = service({ type: 'ClusterIP', clusterIPs: [ip ?? ''] });
    other.metadata.name = name ?? '';
    addresses.put(other);
  }
  const object = service({ type: 'ClusterIP', ports: one });
  assert.throws(() => hooks?.prepareForCreate(object), {
    code: 500,
    message:
      'Internal error occurred: failed to allocate a serviceIP for Service "a": range is full',
  });
  addresses.load([service({ type: 'NodePort', ports: [port({ nodePort: 5 })] })]);
  const second = service({ type: 'NodePort', ports: one });
  assert.throws(() => hooks?.prepareForCreate(second), {
    code: 500,
    message: 'Internal error occurred: failed to allocate a nodePort: range is full',
  });
});

describe('status updates of services', () => {
  const { hooks, validateStatus } = versionOf('10.0.0.0/24');
  const balanced = create({ type: 'LoadBalancer', ports: one });
  const withStatus = (live: Service, ingress: object[]): Service => ({
    ...structuredClone(live),
    status: { loadBalancer: { ingress } },
  });
  const cases = [
    {
      name: 'is for load balancers',
      object: withStatus(create({ ports: one }), [{ ip: '1.2.3.4' }]),
      want: "status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'",
    },
    {
      name: 'has addresses or names',
      object: withStatus(balanced, [
        { ip: 'x', ipMode: 'VIP' },
        { hostname: '1.2.3.4' },
        { ipMode: 'VIP', hostname: 'a.b' },
        { ip: '1.2.3.4', ipMode: 'X' },
        { ip: '1.2.3.4' },
      ]),
      want: `[status.loadBalancer.ingress[0].ip: Invalid value: "x": ${IP}, status.loadBalancer.ingress[1].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address, status.loadBalancer.ingress[2].ipMode: Forbidden: may not be specified when \`ip\` is not set, status.loadBalancer.ingress[3].ipMode: Unsupported value: "X": supported values: "Proxy", "VIP", status.loadBalancer.ingress[4].ipMode: Required value: must be specified when \`ip\` is set]`,
    },
  ];
  for (const { name, object, want } of cases) {
    test(name, () => {
      const found = validateStatus?.(object, withStatus(object, []));
      assert.equal(aggregateText(foundNow(found ?? [])), want);
    });
  }

  test('a status update gets only warnings about the status', () => {
    const next = withStatus(balanced, [{ ip: '2001:DB8::1', ipMode: 'VIP' }]);
    const want = [
      'status.loadBalancer.ingress[0]: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
    ];
    assert.deepEqual(hooks.warnings(next, balanced, 'status'), want);
    assert.deepEqual(hooks.warnings(next, next, 'status'), want);
    const deprecated = create({ trafficDistribution: 'PreferClose', ports: one });
    assert.deepEqual(hooks.warnings(deprecated, deprecated, 'status'), []);
    assert.equal(hooks.warnings(deprecated, deprecated).length, 1);
  });
});

describe('warnings of services', () => {
  const hooks = hooksOf('10.0.0.0/24');
  const cases = [
    {
      name: 'of a headless service',
      spec: {
        clusterIP: 'None',
        externalIPs: ['192.0.2.1'],
        loadBalancerIP: '1.2.3.4',
        sessionAffinity: 'ClientIP',
        ports: one,
      },
      want: [
        'spec.loadBalancerIP is ignored for headless services',
        'spec.externalIPs is ignored for headless services',
        'spec.SessionAffinity is ignored for headless services',
      ],
    },
    {
      name: 'of addresses outside',
      spec: { externalIPs: ['2001:DB8::1'], ports: one },
      want: [
        'spec.externalIPs[0]: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
        'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
      ],
    },
    {
      name: 'of what is ignored',
      spec: { externalName: 'a.b', trafficDistribution: 'PreferClose', ports: one },
      want: [
        'spec.externalName is ignored when spec.type is not "ExternalName"',
        'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
      ],
    },
    {
      name: 'of addresses that a name outside ignores',
      spec: { type: 'ExternalName', externalName: 'a.b', externalIPs: ['192.0.2.1'] },
      want: ['spec.externalIPs is ignored when spec.type is "ExternalName"'],
    },
  ];
  for (const { name, spec, want } of cases) {
    test(name, () => assert.deepEqual(hooks.warnings(create(spec)), want));
  }
});
