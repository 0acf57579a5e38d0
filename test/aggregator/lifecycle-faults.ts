/** Everything that can be wrong with the registration of a server that is well. */
import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type Authority, defer, freePort, type Kubectl, type TestScope } from '../harness/index.ts';
import {
  type Gateway,
  NAMESPACE,
  serverName,
  servingAuthority,
  type Wardle,
} from './gateway-program.ts';
import { endpointSlice, GROUP, service } from './registration-objects.ts';

export const NAME: string = `v1alpha1.${GROUP}`;

/** Runs kubectl, which must succeed; gives what it said. */
export type Run = (args: readonly string[], input?: object) => Promise<string>;

/** With a home, it reads discovery once. */
export function runnerOf(kubectl: Kubectl, gateway: Gateway, home?: string): Run {
  return async (args, input) => {
    const options = {
      kubeconfig: gateway.kubeconfig,
      ...(home !== undefined && { home }),
      ...(input !== undefined && { input: JSON.stringify(input) }),
    };
    const { code, stdout, stderr } = await kubectl.run(args, options);
    assert.equal(code, 0, `kubectl ${args.join(' ')}: ${stderr}`);
    return stdout;
  };
}

export interface Fault {
  readonly name: string;
  readonly breaks: (run: Run) => Promise<unknown>;
  readonly repairs: (run: Run) => Promise<unknown>;
  readonly reason: string;
  readonly message: RegExp;
}

/** Faults made and repaired with kubectl; the rest of the registration is correct. */
export async function registrationFaults(
  scope: TestScope,
  { authority, wardle }: { authority: Authority; wardle: Wardle },
): Promise<readonly Fault[]> {
  const well = endpointSlice({ port: wardle.port });
  const nobody = await freePort();
  const responding = (status: number): Promise<number> =>
    respondingPort(scope, { authority, status });
  const [forbidding, redirecting, failing] = [
    await responding(403),
    await responding(302),
    await responding(500),
  ];
  const otherName = await respondingPort(scope, { authority, status: 200, name: 'other.svc' });
  const otherCa = await respondingPort(scope, { authority: servingAuthority(), status: 200 });
  const replaced = (object: object) => (run: Run) => run(['replace', '-f', '-'], object);
  const created = (object: object) => (run: Run) => run(['create', '-f', '-'], object);
  const removed = (kind: string, name: string) => (run: Run) =>
    run(['delete', kind, name, '-n', NAMESPACE]);
  const probeFails = (name: string, port: number, message: RegExp): Fault => ({
    name,
    breaks: replaced(endpointSlice({ port })),
    repairs: replaced(well),
    reason: 'FailedDiscoveryCheck',
    message,
  });
  return [
    {
      name: 'no service',
      breaks: removed('service', 'api'),
      // Its slices are deleted with it, where a controller runs.
      repairs: async (run) => {
        await created(service())(run);
        await run(['apply', '-f', '-'], well);
      },
      reason: 'ServiceNotFound',
      message: /^service\/api in "wardle" is not present$/,
    },
    {
      name: 'a service with another port',
      breaks: (run) => run(['patch', 'service', 'api', '-n', NAMESPACE, '-p', portPatch(444)]),
      repairs: (run) => run(['patch', 'service', 'api', '-n', NAMESPACE, '-p', portPatch(443)]),
      reason: 'ServicePortError',
      message: /^service\/api in "wardle" is not listening on port 443$/,
    },
    {
      name: 'no endpoints',
      breaks: removed('endpointslice', 'api-0'),
      repairs: created(well),
      reason: 'EndpointsNotFound',
      message: /^cannot find endpointslices for service\/api in "wardle"$/,
    },
    {
      name: 'no endpoint that is ready',
      breaks: replaced(endpointSlice({ port: wardle.port, ready: false })),
      repairs: replaced(well),
      reason: 'MissingEndpoints',
      message: /^endpointslices for service\/api in "wardle" have no addresses with port name ""$/,
    },
    probeFails('nobody listens', nobody, /connection refused/),
    probeFails('a certificate for another name', otherName, /certificate/),
    probeFails('a certificate of another authority', otherCa, /certificate/),
    probeFails('a server that forbids', forbidding, /bad status from https:\S+: 403$/),
    probeFails('a server that redirects', redirecting, /bad status from https:\S+: 302$/),
    probeFails('a server that fails', failing, /bad status from https:\S+: 500$/),
    {
      name: 'a caBundle of another authority',
      breaks: withCa(servingAuthority()),
      repairs: withCa(authority),
      reason: 'FailedDiscoveryCheck',
      message: /certificate/,
    },
  ];
}

function portPatch(port: number): string {
  return JSON.stringify({ spec: { ports: [{ $patch: 'replace' }, { port, targetPort: 7443 }] } });
}

function withCa({ cert }: Authority): (run: Run) => Promise<unknown> {
  const caBundle = Buffer.from(cert).toString('base64');
  const patch = JSON.stringify({ spec: { caBundle } });
  return (run) => run(['patch', 'apiservice', NAME, '--type=merge', '-p', patch]);
}

/** A server with one response to all requests. */
async function respondingPort(
  scope: TestScope,
  {
    authority,
    status,
    name = serverName(),
  }: { authority: Authority; status: number; name?: string },
): Promise<number> {
  const serving = authority.issue({ commonName: name, names: [name], usage: 'server' });
  const server = createServer(serving, (_, response) => {
    response.writeHead(status, { location: '/elsewhere' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  defer(scope, () => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
