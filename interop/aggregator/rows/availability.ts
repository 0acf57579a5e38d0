/** The conditions of a server that cannot be used, and the errors of requests for it. */
import type { Json } from '../../differential/json.ts';
import type { RequestStep, Row, RowGroup } from '../../differential/row.ts';
import { deleted, REGISTRATIONS, registered } from './words.ts';

function row(name: string, steps: Row['steps']): Row {
  return { name: `availability: ${name}`, covers: { feature: 'routing' }, steps };
}

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

/** Of a server that both aggregators have. */
function shown(name: string, backend: string, reason: string, code: number): Row {
  const registration = `${REGISTRATIONS}/v1.${backend}.example.com`;
  const path = `/apis/${backend}.example.com/v1`;
  return row(name, [
    { name: 'condition', path: registration, until: `"reason":"${reason}"` },
    { name: 'columns', path: registration, headers: { accept: TABLE } },
    { name: 'ask', path: `${path}/things`, setup: true, until: code },
    { name: 'discover', path, setup: true },
    { name: 'write', method: 'POST', path: `${path}/things`, body: {}, setup: true },
  ]);
}

const GROUP = '{ns}.example.com';
const SERVICES = '/api/v1/namespaces/{ns}/services';
const SLICES = '/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices';

/** Of a service that the row makes. */
function served(name: string, prepared: readonly RequestStep[], reason: string): Row {
  const registration = `v1.${GROUP}`;
  return row(name, [
    ...prepared,
    registered({
      metadata: { name: registration },
      spec: {
        group: GROUP,
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 15,
        service: { namespace: '{ns}', name: 'api' },
        insecureSkipTLSVerify: true,
      },
    }),
    {
      name: 'condition',
      path: `${REGISTRATIONS}/${registration}`,
      until: `"reason":"${reason}"`,
    },
    { name: 'ask', path: `/apis/${GROUP}/v1/things`, setup: true },
    deleted(registration),
  ]);
}

function service(spec: Json): RequestStep {
  return made('service', SERVICES, { metadata: { name: 'api' }, spec });
}

interface Slice {
  readonly name?: string;
  readonly conditions?: Json;
}

function slice({ name = 'https', conditions = {} }: Slice): RequestStep {
  return made('endpoints', SLICES, {
    metadata: { name: 'api-1', labels: { 'kubernetes.io/service-name': 'api' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.255.255.1'], conditions }],
    ports: [{ name, port: 443 }],
  });
}

function made(name: string, path: string, body: Json): RequestStep {
  return { name, method: 'POST', path, body, setup: true };
}

const https = { ports: [{ name: 'https', port: 443 }] };
const FAILED = 'FailedDiscoveryCheck';

export const availability: RowGroup = {
  name: 'availability',
  rows: [
    shown('a server that is well', 'echo', 'Passed', 200),
    shown('a server that says nothing, well', 'empty', 'Passed', 200),
    shown('a server that accepts', 'accepts', 'Passed', 200),
    shown('a certificate that nobody looks at', 'unverified', 'Passed', 200),
    shown('nobody listens', 'refused', FAILED, 503),
    shown('a certificate for another name', 'wrong-name', FAILED, 503),
    shown('a certificate of another authority', 'wrong-ca', FAILED, 503),
    shown('no TLS', 'no-tls', FAILED, 503),
    shown('a server that hangs up', 'hangs-up', FAILED, 503),
    shown('a server that forbids', 'forbids', FAILED, 503),
    shown('a server that knows us not', 'unauthorized', FAILED, 503),
    shown('a server that fails', 'fails', FAILED, 503),
    shown('a server without the group', 'not-found', FAILED, 503),
    shown('a server that says not modified', 'not-modified', FAILED, 503),
    shown('a server that redirects', 'redirects', FAILED, 503),
    served('no service', [], 'ServiceNotFound'),
    served('another port', [service({ ports: [{ port: 444 }] })], 'ServicePortError'),
    served('no endpoints', [service(https)], 'EndpointsNotFound'),
    served(
      'no endpoint that is ready',
      [service(https), slice({ conditions: { ready: false } })],
      'MissingEndpoints',
    ),
    served(
      'endpoints under another name',
      [service(https), slice({ name: 'http' })],
      'MissingEndpoints',
    ),
    served(
      'a port without a name, endpoints with one',
      [service({ ports: [{ port: 443 }] }), slice({})],
      'MissingEndpoints',
    ),
    row('a registration without a server', [
      registered({
        metadata: { name: `v1.${GROUP}` },
        spec: { group: GROUP, version: 'v1', groupPriorityMinimum: 100, versionPriority: 15 },
      }),
      { name: 'condition', path: `${REGISTRATIONS}/v1.${GROUP}`, until: 'always available' },
      { name: 'ask', path: `/apis/${GROUP}/v1/things`, setup: true },
      deleted(`v1.${GROUP}`),
    ]),
    row('a caBundle that is none', [
      { name: 'ask', path: '/apis/no-pem.example.com/v1/things', setup: true },
    ]),
    row('the health of the server itself', [
      { name: 'healthy', path: '/healthz' },
      { name: 'ready', path: '/readyz' },
      { name: 'alive', path: '/livez' },
    ]),
  ],
};
