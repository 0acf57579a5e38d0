/** `tributary up` without samples, and extension servers behind it as programs of their own, all as their users start them. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keepConnection } from '../../interop/core/reused-connection.ts';
import { adminOf, tributaryUp } from '../faults/core-program.ts';
import type { Credentials } from '../faults/target.ts';
import {
  type Authority,
  createAuthority,
  httpsRequest,
  httpsStream,
  logShows,
  type Response,
  runSource,
  type StartedProcess,
  type StreamResponse,
  startProcess,
  type TestScope,
  temporaryDirectory,
} from '../harness/index.ts';

/** Where extension servers are registered, unless a test says otherwise. */
export const NAMESPACE = 'wardle';
export const SERVICE = 'api';

/** The DNS name in the certificate of a server behind a service. */
export function serverName(service: string = SERVICE): string {
  return `${service}.${NAMESPACE}.svc`;
}

export interface Reply {
  readonly status: number;
  /** Parsed where it is JSON. */
  readonly body: unknown;
}

/** A server, asked as its administrator. */
export interface Program {
  readonly url: string;
  readonly process: StartedProcess;
  readonly credentials: Credentials;
  /** Over one connection that is kept. */
  send(method: string, path: string, body?: object, contentType?: string): Promise<Reply>;
  /** Over a connection of its own. */
  ask(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  watch(path: string): Promise<StreamResponse>;
}

export interface Gateway extends Program {
  /** The path of the administrator's kubeconfig. */
  readonly kubeconfig: string;
}

export interface Wardle extends Program {
  readonly port: number;
}

const WARDLE_MAIN = join(import.meta.dirname, '..', '..', 'samples', 'wardle', 'src', 'main.ts');
const READY = /is ready at (https:\S+)/;
const LISTENING = /is listening at (https:\S+)/;

export async function startGateway(
  scope: TestScope,
  flags: readonly string[] = [],
): Promise<Gateway> {
  const dataDir = await temporaryDirectory(scope, 'gateway-');
  const credentials = await adminOf(dataDir);
  const started = await startProcess(scope, {
    name: 'tributary up',
    ...tributaryUp(dataDir, { flags: ['--sample=none', ...flags] }),
    ready: logShows(READY),
  });
  const [, url = ''] = await started.waitForLog(READY);
  const kubeconfig = join(dataDir, 'admin.kubeconfig');
  return { ...programAt(url, started, credentials), kubeconfig };
}

export interface WardleOptions {
  readonly name?: string;
  /** The CA of its certificate. */
  readonly authority: Authority;
  /** The DNS names in its certificate. */
  readonly certificateNames?: readonly string[];
  readonly flags?: readonly string[];
}

/** The sample server, whose users are the gateway's. */
export async function startWardle(
  scope: TestScope,
  gateway: Gateway,
  options: WardleOptions,
): Promise<Wardle> {
  const { name = 'wardle', authority, certificateNames = [serverName()], flags = [] } = options;
  const directory = await temporaryDirectory(scope, `${name}-`);
  const serving = authority.issue({
    commonName: name,
    names: ['127.0.0.1', ...certificateNames],
    usage: 'server',
  });
  const certFile = await write(directory, 'serving.crt', serving.cert);
  const keyFile = await write(directory, 'serving.key', serving.key);
  const { kubeconfig } = gateway;
  const started = await startProcess(scope, {
    name,
    ...runSource(WARDLE_MAIN, [
      '--secure-port=0',
      `--data-dir=${join(directory, 'data')}`,
      `--tls-cert-file=${certFile}`,
      `--tls-private-key-file=${keyFile}`,
      `--kubeconfig=${kubeconfig}`,
      `--authentication-kubeconfig=${kubeconfig}`,
      `--authorization-kubeconfig=${kubeconfig}`,
      ...flags,
    ]),
    ready: logShows(LISTENING),
  });
  const [, url = ''] = await started.waitForLog(LISTENING);
  const credentials = { ...gateway.credentials, ca: authority.cert };
  return { ...programAt(url, started, credentials), port: Number(new URL(url).port) };
}

/** One that certificates of servers are signed by, of which the gateway knows only what an APIService says. */
export function servingAuthority(): Authority {
  return createAuthority('serving-ca');
}

async function write(directory: string, name: string, pem: string): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, pem, { mode: 0o600 });
  return path;
}

export function programAt(url: string, process: StartedProcess, credentials: Credentials): Program {
  const { ca, ...credential } = credentials;
  const exchange = keepConnection({ url, ca, credential });
  return {
    url,
    process,
    credentials,
    send: async (method, path, body, contentType = 'application/json') => {
      const response = await exchange({
        method,
        url: path,
        headers: body === undefined ? {} : { 'content-type': contentType },
        body: body === undefined ? undefined : JSON.stringify(body),
        protocol: 'h2',
        as: 'admin',
      });
      return { status: response.status, body: parsed(response.body) };
    },
    ask: (path, headers = {}) => httpsRequest(url + path, { ...credentials, headers }),
    watch: (path) => httpsStream(url + path, credentials),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // Metrics and health checks are no JSON.
  }
}

/** The answer of a request that must succeed. */
export async function must(reply: Promise<Reply>): Promise<unknown> {
  const { status, body } = await reply;
  assert.ok(status >= 200 && status <= 299, `${status}: ${JSON.stringify(body)}`);
  return body;
}

/** How many watches of a resource a server serves, by its own count. */
export async function watchesOf(server: Program, resource: string): Promise<number> {
  const { body } = await server.ask('/metrics');
  const lines = body
    .split('\n')
    .filter((line) => line.startsWith('apiserver_longrunning_requests{'))
    .filter((line) => line.includes(`resource="${resource}"`) && line.includes('verb="WATCH"'));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}
