import type { RemoteRegistration } from '@tributary/aggregator/api-services';
import { resolveService } from '@tributary/aggregator/targets';
import type { Service } from '@tributary/api/core-v1';
import type { EndpointSlice } from '@tributary/api/discovery-v1';
import type { Target } from '@tributary/proxy';
import type { ReadResult } from '../probes/probes.ts';
import { type CheckResult, type Fix, passed, unknown } from '../report/diagnosis.ts';
import { jsonPatch, mergePatch } from '../report/fixes.ts';

/** Loopback endpoints that the API server stored were allowed there. */
const RULES = { routing: 'endpoints', allowLoopback: true } as const;

const IMPACT = 'the aggregator finds the server through its Service';

/** Whether the Service exists and has the port. `others`: the Services of the same namespace. */
export function checkService(
  { name, remote }: RemoteRegistration,
  read: ReadResult<Service>,
  { others, slices }: { others: readonly Service[]; slices: readonly EndpointSlice[] },
): CheckResult {
  const { namespace, name: serviceName, port } = remote.service;
  const qualified = `${namespace}/${serviceName}`;
  if (read.kind === 'forbidden')
    return unknown(`not allowed to read the Service ${qualified}: ${read.message}`);
  if (read.kind === 'missing') {
    return {
      status: 'failed',
      message: `there is no Service ${qualified}`,
      impact: IMPACT,
      fixes: [missingServiceFix({ name, remote }, { others, slices })],
    };
  }
  const { type = 'ClusterIP', ports = [], externalName } = read.value.spec;
  if (type === 'ExternalName') return passed(`${qualified} is ${externalName ?? ''}`);
  if (ports.some((one) => one.port === port)) return passed(`${qualified} has port ${port}`);
  const offered = ports.map((one) => one.port);
  const [right] = ports.length === 1 ? ports : ports.filter((one) => one.name === 'https');
  const patch = { spec: { service: { port: right?.port ?? 'PORT' } } };
  return {
    status: 'failed',
    message: `the Service ${qualified} is not listening on port ${port}, only on ${offered.join(', ')}`,
    impact: IMPACT,
    fixes: [
      right === undefined
        ? {
            kind: 'kubectl',
            args: [
              'patch',
              'apiservice',
              name,
              '--type=merge',
              '-p',
              '{"spec":{"service":{"port":PORT}}}',
            ],
            blanks: { PORT: `one of ${offered.join(', ')}` },
          }
        : mergePatch(['apiservice', name], patch),
    ],
  };
}

/** Points to the only other Service with the port, or creates the Service, for endpoints that exist. */
function missingServiceFix(
  { name, remote }: Pick<RemoteRegistration, 'name' | 'remote'>,
  { others, slices }: { others: readonly Service[]; slices: readonly EndpointSlice[] },
): Fix {
  const { namespace, name: serviceName, port } = remote.service;
  const [match, ...more] = others.filter(({ spec }) =>
    spec.ports?.some((one) => one.port === port),
  );
  const ports = slices[0]?.ports?.[0];
  if (ports === undefined && match !== undefined && more.length === 0) {
    return mergePatch(['apiservice', name], { spec: { service: { name: match.metadata.name } } });
  }
  const blanks = { APP: "the label app of the server's pods" };
  const input = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: serviceName, namespace },
    spec: {
      ...(ports === undefined && { selector: { app: 'APP' } }),
      ports: [
        {
          port,
          protocol: 'TCP',
          targetPort: ports?.port ?? port,
          ...(ports?.name && { name: ports.name }),
        },
      ],
    },
  };
  return {
    kind: 'kubectl',
    args: ['create', '-f', '-'],
    input,
    ...(ports === undefined && { blanks }),
  };
}

export type EndpointsResult = {
  readonly result: CheckResult;
  readonly targets: readonly Target[];
};

/** Whether the Service has ready endpoints. */
export function checkEndpoints(
  registration: RemoteRegistration,
  service: Service,
  read: ReadResult<readonly EndpointSlice[]>,
): EndpointsResult {
  const reference = registration.remote.service;
  const none = (result: CheckResult) => ({ result, targets: [] });
  if (read.kind === 'forbidden')
    return none(unknown(`not allowed to read EndpointSlices: ${read.message}`));
  const slices = read.kind === 'found' ? read.value : [];
  const resolved = resolveService(reference, { service, slices }, RULES);
  if ('targets' in resolved) {
    const shown = resolved.targets
      .slice(0, TARGETS_SHOWN_MAX)
      .map(({ host, port }) => `${host}:${port}`);
    return { result: passed(shown.join(', ')), targets: resolved.targets };
  }
  return none({
    status: 'failed',
    message: endpointsMessage(resolved.problem.message, service, slices),
    impact: 'the Service has no endpoint to send requests to',
    ...endpointFixes(registration, service, slices),
  });
}

const TARGETS_SHOWN_MAX = 5;

function portNameOf(service: Service, port: number): string {
  return service.spec.ports?.find((one) => one.port === port)?.name ?? '';
}

function endpointsMessage(
  message: string,
  service: Service,
  slices: readonly EndpointSlice[],
): string {
  const names = slices.flatMap(({ ports }) => (ports ?? []).map(({ name = '' }) => `"${name}"`));
  const unready = slices.flatMap(({ endpoints }) =>
    (endpoints ?? []).filter(({ conditions }) => conditions?.ready === false),
  );
  const details = [
    ...(slices.length > 0
      ? [`their port names are ${[...new Set(names)].join(', ') || 'empty'}`]
      : []),
    ...(unready.length > 0 ? [`${unready.length} of them not ready`] : []),
    ...(slices.length === 0 && service.spec.selector === undefined
      ? ['the Service has no selector, so no controller creates them']
      : []),
  ];
  return details.length === 0 ? message : `${message} (${details.join('; ')})`;
}

/** A slice of a controller is never patched: the controller would revert it. */
function endpointFixes(
  { remote }: RemoteRegistration,
  service: Service,
  slices: readonly EndpointSlice[],
): { readonly fixes: readonly Fix[] } {
  const { namespace, name, port } = remote.service;
  const portName = portNameOf(service, port);
  const { selector } = service.spec;
  const [slice] = slices;
  if (slice === undefined && selector === undefined) {
    return { fixes: [sliceFix({ namespace, name, portName })] };
  }
  if (selector !== undefined || slice === undefined) {
    const labels = Object.entries(selector ?? {}).map(([key, value]) => `${key}=${value}`);
    const pods = ['-n', namespace, '-l', labels.join(',')];
    const text = `make the pods with ${labels.join(',')} in ${namespace} ready; their events and logs show why they are not`;
    return {
      fixes: [
        { kind: 'kubectl', args: ['describe', 'pods', ...pods] },
        { kind: 'server', action: 'start', text },
      ],
    };
  }
  const resource = ['endpointslice', slice.metadata.name ?? '', '-n', namespace];
  const hasPort = slice.ports?.some((one) => one.name === portName) ?? false;
  if (!hasPort) {
    const operation = { op: 'add', path: '/ports/0/name', value: portName };
    return { fixes: [jsonPatch(resource, operation)] };
  }
  const unready = (slice.endpoints ?? []).findIndex(
    ({ conditions }) => conditions?.ready === false,
  );
  const path = `/endpoints/${Math.max(unready, 0)}/conditions/ready`;
  return {
    fixes: [
      {
        kind: 'server',
        action: 'start',
        text: 'make the server ready; no controller updates its endpoint',
      },
      jsonPatch(resource, { op: 'add', path, value: true }),
    ],
  };
}

function sliceFix({
  namespace,
  name,
  portName,
}: {
  namespace: string;
  name: string;
  portName: string;
}): Fix {
  const manifest = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: `${name}-1`, namespace, labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['ADDRESS'], conditions: { ready: true } }],
    ports: [{ name: portName, port: 'PORT', protocol: 'TCP' }],
  };
  const blanks = { ADDRESS: 'the IPv4 address of the server', PORT: 'its port, as a number' };
  return { kind: 'kubectl', args: ['create', '-f', '-'], input: manifest, blanks };
}
