import { isIP } from 'node:net';
import {
  commonFlagDefinitions,
  defineFlag,
  duration,
  FlagError,
  type FlagValues,
  flag,
  parseFlags,
  pathPatterns,
  requireTogether,
  text,
} from '@tributary/server/program';
import { aggregationFlags } from '../aggregation/aggregation-flags.ts';

/** Every flag of the stand-alone aggregator. Names that upstream has are upstream's. */
export function standaloneFlagDefinitions(program: string) {
  const {
    tokenAuthFile: _tokens,
    anonymousAuth: _anonymous,
    ...common
  } = commonFlagDefinitions(program);
  return {
    kubeconfig: defineFlag(
      text,
      ['kubeconfig', 'FILE', ''],
      'Kubeconfig of the cluster, and of the user for requests to it (default: as kubectl finds it).',
    ),
    context: defineFlag(
      text,
      ['context', 'NAME', ''],
      'Context of the kubeconfig (default: its current context).',
    ),
    ...common,
    securePort: { ...common.securePort, fallback: '6444' }, // beside a control plane on the same machine
    storage: {
      ...common.storage,
      fallback: 'sqlite',
      help: 'Storage of APIServices: sqlite or memory.',
    },
    dataDir: {
      ...common.dataDir,
      fallback: '.tributary-aggregator',
      help: 'Directory of the certificates, the database and aggregator.kubeconfig.',
    },
    clientCaFile: {
      ...common.clientCaFile,
      help: 'PEM file of the CAs that sign client certificates in shared mode (default: those of the cluster); read again when it changes.',
    },
    ...proxyFlags,
    ...delegationFlags,
  };
}

const proxyFlags = {
  proxyClientCertFile: defineFlag(
    text,
    ['proxy-client-cert-file', 'FILE', ''],
    'PEM file of the client certificate with which the aggregator authenticates to extension API servers (default: generated in the data directory).',
  ),
  proxyClientKeyFile: defineFlag(
    text,
    ['proxy-client-key-file', 'FILE', ''],
    'PEM file of the key of that certificate.',
  ),
  allowLoopbackEndpoints: defineFlag(
    flag,
    ['allow-loopback-endpoints', 'BOOL', 'false'],
    'Allow loopback addresses as endpoints of services, which upstream refuses.',
  ),
  ...aggregationFlags,
};

const delegationFlags = {
  authenticationTokenWebhookCacheTtl: defineFlag(
    duration,
    ['authentication-token-webhook-cache-ttl', 'DURATION', '10s'],
    'Time that results of TokenReviews are cached in shared mode.',
  ),
  authorizationAlwaysAllowPaths: defineFlag(
    pathPatterns,
    ['authorization-always-allow-paths', 'PATTERNS', '/healthz,/readyz,/livez'],
    'Paths that need no authorization in shared mode; * at the end matches any suffix.',
  ),
  authorizationWebhookCacheAuthorizedTtl: defineFlag(
    duration,
    ['authorization-webhook-cache-authorized-ttl', 'DURATION', '10s'],
    'Time that allowed decisions of the cluster are cached in shared mode.',
  ),
  authorizationWebhookCacheUnauthorizedTtl: defineFlag(
    duration,
    ['authorization-webhook-cache-unauthorized-ttl', 'DURATION', '10s'],
    'Time that denied decisions of the cluster are cached in shared mode.',
  ),
};

export type StandaloneFlags = FlagValues<ReturnType<typeof standaloneFlagDefinitions>>;

export function parseStandaloneFlags(
  program: string,
  args: readonly string[],
): StandaloneFlags | 'help' {
  const flags = parseFlags(standaloneFlagDefinitions(program), args);
  if (flags === 'help') return flags;
  requireTogether(flags);
  if ((flags.proxyClientCertFile === '') !== (flags.proxyClientKeyFile === '')) {
    throw new FlagError('--proxy-client-cert-file and --proxy-client-key-file go together');
  }
  requireMode(flags);
  return flags;
}

/** With a certificate of its own, or told whose certificates to believe, it is for others, too. */
export function isShared(flags: StandaloneFlags): boolean {
  return [flags.tlsCertFile, flags.clientCaFile, flags.requestheaderClientCaFile].some(Boolean);
}

/** A client of a single-user aggregator needs its credential; still, it listens on loopback only. */
function requireMode(flags: StandaloneFlags): void {
  if (isShared(flags)) {
    if (flags.tlsCertFile !== '') return;
    throw new FlagError(
      '--client-ca-file and --requestheader-client-ca-file are for a shared aggregator, which needs --tls-cert-file and --tls-private-key-file',
    );
  }
  if (isLoopback(flags.bindAddress)) return;
  throw new FlagError(
    `--bind-address ${flags.bindAddress}: an aggregator for one user listens on a loopback address; for others it needs --tls-cert-file and --tls-private-key-file, and asks the cluster who they are and what they may do`,
  );
}

function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}
