import type { Service } from '@tributary/api/core-v1';
import type { EndpointSlice } from '@tributary/api/discovery-v1';
import type { RemoteRegistration } from '../registrations/registration.ts';
import { resolveService } from '../targets/resolve-service.ts';
import type { Target } from '../targets/target.ts';
import { type Fix, type Judgement, unseen, well } from './finding.ts';
import { jsonPatch, mergePatch } from './fixes.ts';
import type { Seen } from './look.ts';

/** Endpoints on this machine are for the API server to allow, which it did when it stored them. */
const RULES = { routing: 'endpoints', allowLoopback: true } as const;

const MATTERS = 'the aggregator finds the server only through its Service';

/** Whether the Service is there and has the port. `others`: of the same namespace. */
export function judgeService(
  { name, remote }: RemoteRegistration,
  seen: Seen<Service>,
  { others, slices }: { others: readonly Service[]; slices: readonly EndpointSlice[] },
): Judgement {
  const { namespace, name: serviceName, port } = remote.service;
  const called = `${namespace}/${serviceName}`;
  if (seen.kind === 'refused') return unseen(`may not read the Service ${called}: ${seen.why}`);
  if (seen.kind === 'missing') {
    return {
      outcome: 'broken',
      words: `there is no Service ${called}`,
      matters: MATTERS,
      fixes: [missingServiceFix({ name, remote }, { others, slices })],
    };
  }
  const { type = 'ClusterIP', ports = [], externalName } = seen.value.spec;
  if (type === 'ExternalName') return well(`${called} is ${externalName ?? ''}`);
  if (ports.some((one) => one.port === port)) return well(`${called} has port ${port}`);
  const offered = ports.map((one) => one.port);
  const [right] = ports.length === 1 ? ports : ports.filter((one) => one.name === 'https');
  const patch = { spec: { service: { port: right?.port ?? 'PORT' } } };
  return {
    outcome: 'broken',
    words: `the Service ${called} is not listening on port ${port}, only on ${offered.join(', ')}`,
    matters: MATTERS,
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

/** A Service beside it that fits was meant; endpoints that are left want theirs back. */
function missingServiceFix(
  { name, remote }: Pick<RemoteRegistration, 'name' | 'remote'>,
  { others, slices }: { others: readonly Service[]; slices: readonly EndpointSlice[] },
): Fix {
  const { namespace, name: serviceName, port } = remote.service;
  const [fitting, ...more] = others.filter(({ spec }) =>
    spec.ports?.some((one) => one.port === port),
  );
  const ports = slices[0]?.ports?.[0];
  if (ports === undefined && fitting !== undefined && more.length === 0) {
    return mergePatch(['apiservice', name], { spec: { service: { name: fitting.metadata.name } } });
  }
  const blanks = { APP: 'the label app of the pods of the server' };
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

export type EndpointsJudgement = {
  readonly judgement: Judgement;
  readonly targets: readonly Target[];
};

/** Who is behind the Service. */
export function judgeEndpoints(
  registration: RemoteRegistration,
  service: Service,
  seen: Seen<readonly EndpointSlice[]>,
): EndpointsJudgement {
  const reference = registration.remote.service;
  const none = (judgement: Judgement) => ({ judgement, targets: [] });
  if (seen.kind === 'refused') return none(unseen(`may not read EndpointSlices: ${seen.why}`));
  const slices = seen.kind === 'found' ? seen.value : [];
  const found = resolveService(reference, { service, slices }, RULES);
  if ('targets' in found) {
    const shown = found.targets
      .slice(0, TARGETS_SHOWN_MAX)
      .map(({ host, port }) => `${host}:${port}`);
    return { judgement: well(shown.join(', ')), targets: found.targets };
  }
  return none({
    outcome: 'broken',
    words: wordsOf(found.problem.message, service, slices),
    matters: 'nobody stands behind the Service, so requests have nowhere to go',
    ...endpointFixes(registration, service, slices),
  });
}

const TARGETS_SHOWN_MAX = 5;

function portNameOf(service: Service, port: number): string {
  return service.spec.ports?.find((one) => one.port === port)?.name ?? '';
}

function wordsOf(message: string, service: Service, slices: readonly EndpointSlice[]): string {
  const names = slices.flatMap(({ ports }) => (ports ?? []).map(({ name = '' }) => `"${name}"`));
  const unready = slices.flatMap(({ endpoints }) =>
    (endpoints ?? []).filter(({ conditions }) => conditions?.ready === false),
  );
  const details = [
    ...(slices.length > 0
      ? [`their ports are called ${[...new Set(names)].join(', ') || 'nothing'}`]
      : []),
    ...(unready.length > 0 ? [`${unready.length} of them not ready`] : []),
    ...(slices.length === 0 && service.spec.selector === undefined
      ? ['the Service has no selector, so nobody makes them']
      : []),
  ];
  return details.length === 0 ? message : `${message} (${details.join('; ')})`;
}

/** Slices that a controller makes are never changed by hand: it would take the change back. */
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
    const text = `make the pods with ${labels.join(',')} in ${namespace} run and be ready; their events and log say why they are not`;
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
        text: 'see that the server is ready: nobody else looks after its endpoint',
      },
      jsonPatch(resource, { op: 'add', path, value: true }),
    ],
  };
}

function sliceFix(about: { namespace: string; name: string; portName: string }): Fix {
  const { namespace, name, portName } = about;
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
