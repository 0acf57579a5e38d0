import type { EndpointSlice } from '@tributary/api/discovery-v1';
import { addressOf } from '../backend/explain-failure.ts';
import { annotations, type RemoteRegistration } from '../registrations/registration.ts';
import type { Target } from '../targets/target.ts';
import { type Fix, type Judgement, unseen, well } from './finding.ts';
import {
  certificateFixes,
  externalNameFix,
  type Place,
  pointElsewhere,
  type ServiceObjects,
} from './fixes.ts';
import type { Connection, Handshake, Lookup } from './look.ts';

export function judgeLookup(
  { name, remote }: RemoteRegistration,
  host: string,
  found: Lookup,
): Judgement {
  if ('addresses' in found) return well(`${host} is ${found.addresses.slice(0, 3).join(', ')}`);
  const { url } = remote;
  const annotate: Fix = {
    kind: 'kubectl',
    args: ['annotate', 'apiservice', name, '--overwrite', `${annotations.url}=URL`],
    blanks: { URL: 'https://HOST:PORT with a name that DNS knows' },
  };
  return {
    outcome: 'broken',
    words: `DNS has no address for ${host}: ${found.why}`,
    matters: `${url === undefined ? 'the Service is an ExternalName' : 'the registration has a URL'}, and its name leads nowhere`,
    fixes: [url === undefined ? externalNameFix(remote) : annotate],
  };
}

/** What cannot be reached from here may be reachable from the aggregator, which then says so. */
const FROM_HERE = new Set(['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);

export function judgeConnection(
  registration: RemoteRegistration,
  { target, connection }: { target: Target; connection: Connection },
  { objects, isAvailable }: { objects: ServiceObjects; isAvailable: boolean },
): Judgement {
  const address = addressOf(target);
  if (connection.kind === 'open') return well(`${address} accepts connections`);
  const { code, why } = connection;
  if (FROM_HERE.has(code) && isAvailable) {
    return unseen(
      `${address} cannot be reached from this machine (${why}), but from the aggregator`,
    );
  }
  const words =
    code === 'ECONNREFUSED'
      ? `${address} refuses connections: nobody listens there`
      : `${address} cannot be reached from this machine: ${why}`;
  return {
    outcome: 'broken',
    words,
    matters: 'the server does not run, or does not listen where its registration leads',
    fixes: startFixes(target, objects.slices, 'start'),
    otherwise: [pointElsewhere(registration, objects)],
  };
}

/** A pod is replaced by who made it; any other program is started by hand. */
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
  const text = `${action} the server at ${address}; its log says why it does not answer`;
  return [{ kind: 'server', action, text }];
}

export function judgeHandshake(
  registration: RemoteRegistration,
  { target, handshake }: { target: Target; handshake: Handshake },
  { objects, place }: { objects: ServiceObjects; place: Place },
): Judgement {
  const address = addressOf(target);
  if (handshake.kind === 'done') return well(`${address} speaks TLS`);
  const { code, why } = handshake;
  if (code === 'ETIMEDOUT') {
    return {
      outcome: 'broken',
      words: `${address} accepts connections and then says nothing: ${why}`,
      matters: 'the process is frozen or overloaded, or something in between swallows what is sent',
      fixes: startFixes(target, objects.slices, 'restart'),
      otherwise: [pointElsewhere(registration, objects)],
    };
  }
  if (isNoTls(code)) {
    return {
      outcome: 'broken',
      words: `${address} does not speak TLS: ${why}`,
      matters: 'the aggregator speaks HTTPS alone; identities never travel in clear text',
      fixes: certificateFixes(registration, place, 'init'),
      otherwise: [pointElsewhere(registration, objects)],
    };
  }
  return {
    outcome: 'broken',
    words: `${address} breaks off the TLS handshake: ${why}`,
    matters: 'no connection can be made',
    fixes: startFixes(target, objects.slices, 'restart'),
    otherwise: certificateFixes(registration, place, 'init'),
  };
}

function isNoTls(code: string): boolean {
  return (
    code === 'EPROTO' ||
    code === 'ERR_SSL_WRONG_VERSION_NUMBER' ||
    code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG'
  );
}
