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
      'the kube-apiserver that everything else is passed on to, and as whom (default: as kubectl finds it)',
    ),
    context: defineFlag(
      text,
      ['context', 'NAME', ''],
      'the context of the kubeconfig (default: its current one)',
    ),
    ...common,
    securePort: { ...common.securePort, fallback: '6444' }, // beside a control plane on the same machine
    storage: {
      ...common.storage,
      fallback: 'sqlite',
      help: 'where APIServices are kept: sqlite or memory',
    },
    dataDir: {
      ...common.dataDir,
      fallback: '.tributary-aggregator',
      help: 'certificates, database and aggregator.kubeconfig',
    },
    clientCaFile: {
      ...common.clientCaFile,
      help: 'who signs client certificates of a shared aggregator (PEM; default: as the cluster says); read again when it changes',
    },
    ...proxyFlags,
    ...delegationFlags,
  };
}

const proxyFlags = {
  proxyClientCertFile: defineFlag(
    text,
    ['proxy-client-cert-file', 'FILE', ''],
    'certificate by which extension servers know the aggregator as their front proxy (PEM; made in the data directory when absent)',
  ),
  proxyClientKeyFile: defineFlag(
    text,
    ['proxy-client-key-file', 'FILE', ''],
    'key of that certificate (PEM)',
  ),
  allowLoopbackEndpoints: defineFlag(
    flag,
    ['allow-loopback-endpoints', 'BOOL', 'false'],
    'whether servers on this machine may be endpoints of services; upstream never allows it',
  ),
  ...aggregationFlags,
};

const delegationFlags = {
  authenticationTokenWebhookCacheTtl: defineFlag(
    duration,
    ['authentication-token-webhook-cache-ttl', 'DURATION', '10s'],
    'how long an answer of the cluster about a token counts, when shared',
  ),
  authorizationAlwaysAllowPaths: defineFlag(
    pathPatterns,
    ['authorization-always-allow-paths', 'PATTERNS', '/healthz,/readyz,/livez'],
    'paths that the cluster is not asked about, when shared; one that ends with * is a beginning',
  ),
  authorizationWebhookCacheAuthorizedTtl: defineFlag(
    duration,
    ['authorization-webhook-cache-authorized-ttl', 'DURATION', '10s'],
    'how long it counts that a user may do something, when shared',
  ),
  authorizationWebhookCacheUnauthorizedTtl: defineFlag(
    duration,
    ['authorization-webhook-cache-unauthorized-ttl', 'DURATION', '10s'],
    'how long it counts that a user may not, when shared',
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
