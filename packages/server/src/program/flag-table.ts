import { remoteUserHeaders } from '@tributary/client/http';
import {
  count,
  duration,
  type FlagValue,
  flag,
  goawayChance,
  headerNames,
  hstsDirectives,
  list,
  notYet,
  oneOf,
  openPathPatterns,
  originPatterns,
  port,
  size,
  text,
} from './flag-values.ts';

/** One flag of a server program. Names are those Kubernetes operators know. */
export interface Flag<T = unknown> {
  readonly name: string;
  readonly value: string;
  readonly fallback: string;
  readonly help: string;
  readonly parse: FlagValue<T>;
}

export function defineFlag<T>(
  parse: FlagValue<T>,
  [name, value, fallback]: readonly [name: string, value: string, fallback: string],
  help: string,
): Flag<T> {
  return { name, value, fallback, help, parse };
}

/** Every flag of an extension server, by the name that the program knows it by. */
export function serverFlagDefinitions(program: string) {
  return { ...commonFlagDefinitions(program), ...groupFlag, ...delegationFlags };
}

/** What every server has, whatever it serves. */
export function commonFlagDefinitions(program: string) {
  return { ...storageFlags(program), ...servingFlags, ...accessFlags, ...operationFlags };
}

const groupFlag = {
  group: defineFlag(
    text,
    ['group', 'NAME', ''],
    'API group to serve the kinds under (default: the one they are defined for)',
  ),
};

/** Where objects are kept and requests come in; every program has its own data directory. */
const storageFlags = (program: string) => ({
  securePort: defineFlag(
    port,
    ['secure-port', 'PORT', '6443'],
    'port for HTTPS; 0 picks a free one',
  ),
  bindAddress: defineFlag(text, ['bind-address', 'IP', '127.0.0.1'], 'address to listen on'),
  dataDir: defineFlag(
    text,
    ['data-dir', 'DIR', `.${program}`],
    'certificates, database and admin.kubeconfig',
  ),
  storage: defineFlag(
    text,
    ['storage', 'ENGINE', 'memory'],
    'where objects are kept: memory or sqlite',
  ),
  etcdServers: defineFlag(
    notYet('the etcd engine is not there yet; --storage sqlite keeps objects on disk'),
    ['etcd-servers', 'URLS', ''],
    'not there yet: the same as --storage etcd://',
  ),
  memoryLimit: defineFlag(
    size,
    ['memory-limit', 'SIZE', ''],
    'bound on cached objects, such as 512Mi (default: half of the memory)',
  ),
  encryptionProviderConfig: defineFlag(
    text,
    ['encryption-provider-config', 'FILE', ''],
    'which resources are encrypted at rest, and with which keys (EncryptionConfiguration)',
  ),
});

const servingFlags = {
  tlsCertFile: defineFlag(
    text,
    ['tls-cert-file', 'FILE', ''],
    'serving certificate (PEM); made in the data directory when absent; read again when it changes',
  ),
  tlsPrivateKeyFile: defineFlag(
    text,
    ['tls-private-key-file', 'FILE', ''],
    'key of the serving certificate (PEM)',
  ),
  corsAllowedOrigins: defineFlag(
    originPatterns,
    ['cors-allowed-origins', 'PATTERNS', ''],
    'regular expressions of the origins whose pages may ask, separated by commas',
  ),
  strictTransportSecurityDirectives: defineFlag(
    hstsDirectives,
    ['strict-transport-security-directives', 'LIST', ''],
    'directives of Strict-Transport-Security, such as max-age=31536000,includeSubDomains',
  ),
  goawayChance: defineFlag(
    goawayChance,
    ['goaway-chance', 'FRACTION', '0'],
    'how often a connection of HTTP/2 is ended after a request, so that load spreads; at most 0.02',
  ),
};

const accessFlags = {
  clientCaFile: defineFlag(
    text,
    ['client-ca-file', 'FILE', ''],
    'who signs client certificates (PEM); made in the data directory when absent; read again when it changes',
  ),
  tokenAuthFile: defineFlag(
    text,
    ['token-auth-file', 'FILE', ''],
    'users by token: lines of token,user,uid,"group1,group2"; read again when it changes',
  ),
  anonymousAuth: defineFlag(
    flag,
    ['anonymous-auth', 'BOOL', 'true'],
    'whether who shows no credential is system:anonymous, or is refused',
  ),
  requestheaderClientCaFile: defineFlag(
    text,
    ['requestheader-client-ca-file', 'FILE', ''],
    'who signs the certificate of a front proxy that says users by headers (PEM)',
  ),
  requestheaderAllowedNames: defineFlag(
    list,
    ['requestheader-allowed-names', 'NAMES', ''],
    'common names of the certificates of front proxies; none means any that is signed',
  ),
  requestheaderUsernameHeaders: defineFlag(
    headerNames,
    ['requestheader-username-headers', 'NAMES', remoteUserHeaders.user],
    'headers by which a front proxy says the user',
  ),
  requestheaderUidHeaders: defineFlag(
    headerNames,
    ['requestheader-uid-headers', 'NAMES', ''],
    'headers by which a front proxy says the uid',
  ),
  requestheaderGroupHeaders: defineFlag(
    headerNames,
    ['requestheader-group-headers', 'NAMES', remoteUserHeaders.group],
    'headers by which a front proxy says the groups, one a line',
  ),
  requestheaderExtraHeadersPrefix: defineFlag(
    headerNames,
    ['requestheader-extra-headers-prefix', 'PREFIXES', remoteUserHeaders.extraPrefix],
    'beginnings of the headers by which a front proxy says more of the user',
  ),
};

/** How an extension server asks a core. In a pod, its service account stands in for each kubeconfig that is absent. */
const delegationFlags = {
  kubeconfig: defineFlag(
    text,
    ['kubeconfig', 'FILE', ''],
    'the kube-apiserver in whose namespaces the objects of this server live',
  ),
  authenticationKubeconfig: defineFlag(
    text,
    ['authentication-kubeconfig', 'FILE', ''],
    'the kube-apiserver that is asked who a token belongs to, and whose certificates to believe',
  ),
  authenticationSkipLookup: defineFlag(
    flag,
    ['authentication-skip-lookup', 'BOOL', 'false'],
    'whether it is left unasked whose certificates to believe: only the flags say so',
  ),
  authenticationTolerateLookupFailure: defineFlag(
    flag,
    ['authentication-tolerate-lookup-failure', 'BOOL', 'false'],
    'whether this server is ready also while it cannot read whose certificates to believe',
  ),
  authenticationTokenWebhookCacheTtl: defineFlag(
    duration,
    ['authentication-token-webhook-cache-ttl', 'DURATION', '10s'],
    'how long an answer about a token counts',
  ),
  authorizationKubeconfig: defineFlag(
    text,
    ['authorization-kubeconfig', 'FILE', ''],
    'the kube-apiserver that is asked what a user may do',
  ),
  authorizationAlwaysAllowPaths: defineFlag(
    openPathPatterns,
    ['authorization-always-allow-paths', 'PATTERNS', '/healthz,/readyz,/livez'],
    'paths that nobody is asked about; one that ends with * is a beginning',
  ),
  authorizationWebhookCacheAuthorizedTtl: defineFlag(
    duration,
    ['authorization-webhook-cache-authorized-ttl', 'DURATION', '10s'],
    'how long it counts that a user may do something',
  ),
  authorizationWebhookCacheUnauthorizedTtl: defineFlag(
    duration,
    ['authorization-webhook-cache-unauthorized-ttl', 'DURATION', '10s'],
    'how long it counts that a user may not',
  ),
};

const operationFlags = {
  maxRequestsInflight: defineFlag(
    count,
    ['max-requests-inflight', 'NUMBER', '400'],
    'reads served at once; more wait their turn; 0 means no bound',
  ),
  maxMutatingRequestsInflight: defineFlag(
    count,
    ['max-mutating-requests-inflight', 'NUMBER', '200'],
    'writes served at once; more wait their turn; 0 means no bound',
  ),
  requestTimeout: defineFlag(
    duration,
    ['request-timeout', 'DURATION', '1m0s'],
    'how long a request may take, watches excepted',
  ),
  minRequestTimeout: defineFlag(
    count,
    ['min-request-timeout', 'SECONDS', '1800'],
    'watches without a wish end after a random time between this and its double',
  ),
  auditPolicyFile: defineFlag(
    text,
    ['audit-policy-file', 'FILE', ''],
    'which requests are written to the audit log (Policy of audit.k8s.io/v1)',
  ),
  auditLogPath: defineFlag(
    text,
    ['audit-log-path', 'FILE', ''],
    'the audit log; - is standard output',
  ),
  auditLogMaxsize: defineFlag(
    count,
    ['audit-log-maxsize', 'MEGABYTES', '100'],
    'size at which the audit log is put aside; 0 means never',
  ),
  auditLogMaxbackup: defineFlag(
    count,
    ['audit-log-maxbackup', 'NUMBER', '100'],
    'how many audit logs are kept aside; 0 means all',
  ),
  auditLogMaxage: defineFlag(
    count,
    ['audit-log-maxage', 'DAYS', '366'],
    'how long audit logs are kept aside; 0 means for ever',
  ),
  auditLogFormat: defineFlag(
    oneOf(['json']),
    ['audit-log-format', 'FORMAT', 'json'],
    'one event a line',
  ),
  loggingFormat: defineFlag(
    oneOf(['text', 'json']),
    ['logging-format', 'FORMAT', 'text'],
    'how the log on standard error is written: text or json',
  ),
  v: defineFlag(
    count,
    ['v', 'LEVEL', '0'],
    'how much is logged; from 3 on a line for every request',
  ),
  shutdownDelayDuration: defineFlag(
    duration,
    ['shutdown-delay-duration', 'DURATION', '0s'],
    'how long the server goes on when it is told to stop, not ready any more',
  ),
  shutdownWatchTerminationGracePeriod: defineFlag(
    duration,
    ['shutdown-watch-termination-grace-period', 'DURATION', '10s'],
    'within which watches are ended when the server stops, spread at random',
  ),
};
