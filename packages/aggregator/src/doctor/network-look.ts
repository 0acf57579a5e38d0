/** How the doctor sees servers: every connection is its own, and every wait has an end. */
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
import type { Target } from '../targets/target.ts';
import { AGGREGATOR_USER } from './judge-access.ts';
import type { Answer, Connection, Handshake, Look, Lookup, Question, Route, Whom } from './look.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const HANDSHAKE_TIMEOUT_MS = 5_000;
/** OpenAPI documents of a server are a few megabytes. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;
const CHAIN_MAX = 10;

export const networkLook: Pick<Look, 'lookUp' | 'connect' | 'handshake' | 'ask'> = {
  lookUp,
  connect,
  handshake,
  ask,
};

async function lookUp(host: string): Promise<Lookup> {
  try {
    const found = await lookup(host, { all: true });
    return { addresses: found.map(({ address }) => address) };
  } catch (error) {
    return { code: codeOf(error), why: reasonOf(error) };
  }
}

function connect({ host, port }: Target): Promise<Connection> {
  return new Promise((resolve) => {
    const socket = connectTcp({ host, port });
    const end = (connection: Connection): void => {
      socket.destroy();
      resolve(connection);
    };
    socket.setTimeout(CONNECT_TIMEOUT_MS, () =>
      end({
        kind: 'failed',
        code: 'ETIMEDOUT',
        why: `no answer in ${CONNECT_TIMEOUT_MS / 1000} s`,
      }),
    );
    socket.once('connect', () => end({ kind: 'open' }));
    socket.once('error', (error) =>
      end({ kind: 'failed', code: codeOf(error), why: reasonOf(error) }),
    );
  });
}

/** Without a certificate of ours: whether that is believed is another question. */
function handshake({ host, port, serverName }: Target, whom: Whom): Promise<Handshake> {
  return new Promise((resolve) => {
    const socket = connectTls({
      host,
      port,
      ...(isIP(serverName) === 0 && { servername: serverName }),
      ...rootsOf(whom),
      minVersion: 'TLSv1.2',
      // What is wrong with the certificate is to be said, not to end the conversation.
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
    });
    const timer = setTimeout(() => {
      const why = `no TLS handshake in ${HANDSHAKE_TIMEOUT_MS / 1000} s`;
      end({ kind: 'failed', code: 'ETIMEDOUT', why });
    }, HANDSHAKE_TIMEOUT_MS);
    const end = (seen: Handshake): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(seen);
    };
    socket.once('secureConnect', () => {
      // Node says its code where the type says an error.
      const problem: unknown = socket.authorizationError;
      end({
        kind: 'done',
        chain: chainOf(socket.getPeerCertificate(true)),
        verifyCode: socket.authorized ? undefined : codeOf(problem),
      });
    });
    socket.once('error', (error) =>
      end({ kind: 'failed', code: codeOf(error), why: reasonOf(error) }),
    );
    socket.once('close', () =>
      end({ kind: 'failed', code: 'ECONNRESET', why: 'the server closed the connection' }),
    );
  });
}

/** Without a caBundle those of the system count, as for the aggregator; where it has none, those that come with Node. */
function rootsOf({ authorities = getCACertificates('system') }: Whom): { ca?: string[] } {
  return authorities.length > 0 ? { ca: [...authorities] } : {};
}

function chainOf(leaf: DetailedPeerCertificate): X509Certificate[] {
  const chain: X509Certificate[] = [];
  let current: DetailedPeerCertificate | undefined = leaf;
  while (current?.raw !== undefined && chain.length < CHAIN_MAX) {
    chain.push(new X509Certificate(current.raw));
    const issuer: DetailedPeerCertificate | undefined = current.issuerCertificate;
    current = issuer === current ? undefined : issuer;
  }
  return chain;
}

function ask({ target, whom, identity }: Route, question: Question): Promise<Answer> {
  const beganMs = performance.now();
  return new Promise((resolve) => {
    const { host, port, serverName } = target;
    const call = request({
      host,
      port,
      path: question.path,
      agent: false,
      ...(isIP(serverName) === 0 && { servername: serverName }),
      ...rootsOf(whom),
      ...identity,
      minVersion: 'TLSv1.2',
      rejectUnauthorized: !whom.insecure,
      checkServerIdentity: (_, certificate) => checkServerIdentity(serverName, certificate),
      headers: {
        accept: 'application/json',
        'user-agent': 'tributary-doctor',
        'x-remote-user': AGGREGATOR_USER,
        'x-remote-group': [...question.groups],
      },
    });
    const timer = setTimeout(() => {
      end({
        kind: 'failed',
        code: 'ETIMEDOUT',
        why: `nothing within ${question.timeoutMs / 1000} s`,
      });
    }, question.timeoutMs);
    const end = (answer: Answer): void => {
      clearTimeout(timer);
      call.destroy();
      resolve(answer);
    };
    const fail = (error: Error): void =>
      end({ kind: 'failed', code: codeOf(error), why: reasonOf(error) });
    call.on('error', fail);
    call.once('response', (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('error', fail);
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > BODY_BYTES_MAX)
          fail(new Error(`the answer is longer than ${BODY_BYTES_MAX} bytes`));
        else chunks.push(chunk);
      });
      response.once('end', () =>
        end({
          kind: 'answer',
          status: response.statusCode ?? 0,
          headers: headersOf(response.headers),
          body: Buffer.concat(chunks),
          tookMs: performance.now() - beganMs,
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

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message.trim() : String(error);
}
