/** Probes of an API server: a new connection for each, and a timeout for each. */
import { X509Certificate } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { request } from 'node:https';
import { connect as connectTcp, isIP } from 'node:net';
import {
  checkServerIdentity,
  connect as connectTls,
  type DetailedPeerCertificate,
  getCACertificates,
} from 'node:tls';
import { remoteUserHeaders } from '@tributary/client/http';
import type { Target } from '@tributary/proxy';
import {
  AGGREGATOR_USER,
  type ConnectResult,
  type DirectRoute,
  type DnsResult,
  type ProbeRequest,
  type ProbeResponse,
  type Probes,
  type ServerTrust,
  type TlsResult,
} from './probes.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const HANDSHAKE_TIMEOUT_MS = 5_000;
/** OpenAPI documents of a server are a few megabytes. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;
const CHAIN_MAX = 10;

export const networkProbes: Pick<Probes, 'resolve' | 'connect' | 'handshake' | 'requestDirectly'> =
  {
    resolve,
    connect,
    handshake,
    requestDirectly,
  };

async function resolve(host: string): Promise<DnsResult> {
  try {
    const addresses = await lookup(host, { all: true });
    return { addresses: addresses.map(({ address }) => address) };
  } catch (error) {
    return { code: codeOf(error), message: messageOf(error) };
  }
}

function connect({ host, port }: Target): Promise<ConnectResult> {
  return new Promise((done) => {
    const socket = connectTcp({ host, port });
    const end = (result: ConnectResult): void => {
      socket.destroy();
      done(result);
    };
    socket.setTimeout(CONNECT_TIMEOUT_MS, () =>
      end({
        kind: 'failed',
        code: 'ETIMEDOUT',
        message: `no response within ${CONNECT_TIMEOUT_MS / 1000} s`,
      }),
    );
    socket.once('connect', () => end({ kind: 'open' }));
    socket.once('error', (error) =>
      end({ kind: 'failed', code: codeOf(error), message: messageOf(error) }),
    );
  });
}

/** Presents no client certificate: the check of the front-proxy pair has its own request. */
function handshake({ host, port, serverName }: Target, trust: ServerTrust): Promise<TlsResult> {
  return new Promise((done) => {
    const socket = connectTls({
      host,
      port,
      ...(isIP(serverName) === 0 && { servername: serverName }),
      ...rootCertificates(trust),
      minVersion: 'TLSv1.2',
      // An invalid certificate is reported, so it must not end the handshake.
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
    });
    const timer = setTimeout(() => {
      const message = `no TLS handshake within ${HANDSHAKE_TIMEOUT_MS / 1000} s`;
      end({ kind: 'failed', code: 'ETIMEDOUT', message });
    }, HANDSHAKE_TIMEOUT_MS);
    const end = (result: TlsResult): void => {
      clearTimeout(timer);
      socket.destroy();
      done(result);
    };
    socket.once('secureConnect', () => {
      // Typed as an Error, but Node sets the code as a string.
      const problem: unknown = socket.authorizationError;
      end({
        kind: 'done',
        chain: certificateChain(socket.getPeerCertificate(true)),
        verifyCode: socket.authorized ? undefined : codeOf(problem),
      });
    });
    socket.once('error', (error) =>
      end({ kind: 'failed', code: codeOf(error), message: messageOf(error) }),
    );
    socket.once('close', () =>
      end({ kind: 'failed', code: 'ECONNRESET', message: 'the server closed the connection' }),
    );
  });
}

/** As for the aggregator: the caBundle, else the CAs of the system, else those of Node. */
function rootCertificates({ caCertificates = getCACertificates('system') }: ServerTrust): {
  ca?: string[];
} {
  return caCertificates.length > 0 ? { ca: [...caCertificates] } : {};
}

function certificateChain(leaf: DetailedPeerCertificate): X509Certificate[] {
  const chain: X509Certificate[] = [];
  let current: DetailedPeerCertificate | undefined = leaf;
  while (current?.raw !== undefined && chain.length < CHAIN_MAX) {
    chain.push(new X509Certificate(current.raw));
    const issuer: DetailedPeerCertificate | undefined = current.issuerCertificate;
    current = issuer === current ? undefined : issuer;
  }
  return chain;
}

function requestDirectly(
  { target, trust, identity }: DirectRoute,
  { path, groups, timeoutMs }: ProbeRequest,
): Promise<ProbeResponse> {
  const startMs = performance.now();
  return new Promise((done) => {
    const { host, port, serverName } = target;
    const call = request({
      host,
      port,
      path,
      agent: false,
      ...(isIP(serverName) === 0 && { servername: serverName }),
      ...rootCertificates(trust),
      ...identity,
      minVersion: 'TLSv1.2',
      rejectUnauthorized: !trust.insecureSkipTlsVerify,
      checkServerIdentity: (_, certificate) => checkServerIdentity(serverName, certificate),
      headers: {
        accept: 'application/json',
        'user-agent': 'tributary-doctor',
        [remoteUserHeaders.user]: AGGREGATOR_USER,
        [remoteUserHeaders.group]: [...groups],
      },
    });
    const timer = setTimeout(() => {
      end({
        kind: 'failed',
        code: 'ETIMEDOUT',
        message: `no response within ${timeoutMs / 1000} s`,
      });
    }, timeoutMs);
    const end = (result: ProbeResponse): void => {
      clearTimeout(timer);
      call.destroy();
      done(result);
    };
    const fail = (error: Error): void =>
      end({ kind: 'failed', code: codeOf(error), message: messageOf(error) });
    call.on('error', fail);
    call.once('response', (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('error', fail);
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > BODY_BYTES_MAX)
          fail(new Error(`the response is longer than ${BODY_BYTES_MAX} bytes`));
        else chunks.push(chunk);
      });
      response.once('end', () =>
        end({
          kind: 'response',
          status: response.statusCode ?? 0,
          headers: headersOf(response.headers),
          body: Buffer.concat(chunks),
          durationMs: performance.now() - startMs,
        }),
      );
    });
    call.end();
  });
}

function headersOf(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, String(value ?? '')]);
  return Object.fromEntries(entries) as Record<string, string>;
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (typeof error === 'string') return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : error instanceof Error ? error.message : 'UNKNOWN';
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message.trim() : String(error);
}
