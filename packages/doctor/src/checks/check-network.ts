import { annotations, type RemoteRegistration } from '@tributary/aggregator/api-services';
import type { EndpointSlice } from '@tributary/api/discovery-v1';
import type { Target } from '@tributary/proxy';
import { addressOf } from '@tributary/proxy';
import type { ConnectResult, DnsResult, TlsResult } from '../probes/probes.ts';
import { type CheckResult, type Fix, passed, unknown } from '../report/diagnosis.ts';
import {
  type CommandContext,
  certificateFixes,
  externalNameFix,
  redirectFix,
  type ServiceObjects,
} from '../report/fixes.ts';

export function checkDns(
  { name, remote }: RemoteRegistration,
  host: string,
  result: DnsResult,
): CheckResult {
  if ('addresses' in result) {
    return passed(`${host} is ${result.addresses.slice(0, 3).join(', ')}`);
  }
  const { url } = remote;
  const annotate: Fix = {
    kind: 'kubectl',
    args: ['annotate', 'apiservice', name, '--overwrite', `${annotations.url}=URL`],
    blanks: { URL: 'https://HOST:PORT with a name that resolves' },
  };
  return {
    status: 'failed',
    message: `DNS has no address for ${host}: ${result.message}`,
    impact: `${url === undefined ? 'the Service is an ExternalName' : 'the APIService has a URL'}, and its name does not resolve`,
    fixes: [url === undefined ? externalNameFix(remote) : annotate],
  };
}

/** The aggregator may reach the server when this machine does not; the condition shows that. */
const UNREACHABLE_CODES = new Set(['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);

export function checkConnect(
  registration: RemoteRegistration,
  { target, connection }: { target: Target; connection: ConnectResult },
  { objects, isAvailable }: { objects: ServiceObjects; isAvailable: boolean },
): CheckResult {
  const address = addressOf(target);
  if (connection.kind === 'open') return passed(`${address} accepts connections`);
  const { code, message } = connection;
  if (UNREACHABLE_CODES.has(code) && isAvailable) {
    return unknown(
      `${address} cannot be reached from this machine (${message}), but the aggregator reaches it`,
    );
  }
  const problem =
    code === 'ECONNREFUSED'
      ? `${address} refuses connections: no program listens there`
      : `${address} cannot be reached from this machine: ${message}`;
  return {
    status: 'failed',
    message: problem,
    impact: 'the server does not run, or does not listen at the registered address',
    fixes: startFixes(target, objects.slices, 'start'),
    alternatives: [redirectFix(registration, objects)],
  };
}

/** A deleted pod is replaced by its controller; other programs are started by hand. */
export function startFixes(
  target: Target,
  slices: readonly EndpointSlice[],
  action: 'start' | 'restart',
): readonly Fix[] {
  const address = addressOf(target);
  const pod = slices
    .flatMap(({ endpoints }) => endpoints ?? [])
    .find(({ addresses }) => addresses?.[0] === target.host)?.targetRef;
  if (pod?.kind === 'Pod' && pod.name !== undefined) {
    const inNamespace = pod.namespace === undefined ? [] : ['-n', pod.namespace];
    return [
      { kind: 'kubectl', args: ['logs', pod.name, ...inNamespace, '--previous'] },
      { kind: 'kubectl', args: ['delete', 'pod', pod.name, ...inNamespace] },
    ];
  }
  const text = `${action} the server at ${address}; its log shows why it does not respond`;
  return [{ kind: 'server', action, text }];
}

export function checkTls(
  registration: RemoteRegistration,
  { target, handshake }: { target: Target; handshake: TlsResult },
  { objects, context }: { objects: ServiceObjects; context: CommandContext },
): CheckResult {
  const address = addressOf(target);
  if (handshake.kind === 'done') return passed(`${address} speaks TLS`);
  const { code, message } = handshake;
  if (code === 'ETIMEDOUT') {
    return {
      status: 'failed',
      message: `${address} accepts connections and then sends nothing: ${message}`,
      impact: 'the process is stopped or overloaded, or the network drops its packets',
      fixes: startFixes(target, objects.slices, 'restart'),
      alternatives: [redirectFix(registration, objects)],
    };
  }
  if (isPlainText(code)) {
    return {
      status: 'failed',
      message: `${address} does not speak TLS: ${message}`,
      impact: 'the aggregator uses HTTPS only, and never sends user information in plain text',
      fixes: certificateFixes(registration, context, 'init'),
      alternatives: [redirectFix(registration, objects)],
    };
  }
  return {
    status: 'failed',
    message: `${address} aborts the TLS handshake: ${message}`,
    impact: 'the aggregator cannot connect',
    fixes: startFixes(target, objects.slices, 'restart'),
    alternatives: certificateFixes(registration, context, 'init'),
  };
}

function isPlainText(code: string): boolean {
  return (
    code === 'EPROTO' ||
    code === 'ERR_SSL_WRONG_VERSION_NUMBER' ||
    code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG'
  );
}
