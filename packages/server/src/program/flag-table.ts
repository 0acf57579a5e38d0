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
  oneOf,
  originPatterns,
  pathPatterns,
  port,
  size,
  text,
  unsupported,
} from './flag-values.ts';

/** One flag of a server program, with upstream's name where it has one. */
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

/** Every flag of an extension API server, by the field of its value. */
export function serverFlagDefinitions(program: string) {
  return { ...commonFlagDefinitions(program), ...groupFlag, ...delegationFlags };
}

/** The flags that every server program has. */
export function commonFlagDefinitions(program: string) {
  return { ...storageFlags(program), ...servingFlags, ...accessFlags, ...operationFlags };
}

const groupFlag = {
  group: defineFlag(
    text,
    ['group', 'NAME', ''],
    'Serve the resources under this API group. Default: the group of their definition.',
  ),
};

/** Storage and serving address. The default data directory is named for the program. */
const storageFlags = (program: string) => ({
  securePort: defineFlag(
    port,
    ['secure-port', 'PORT', '6443'],
    'Serve HTTPS on this port; 0 picks a free one.',
  ),
  bindAddress: defineFlag(text, ['bind-address', 'IP', '127.0.0.1'], 'Listen on this IP address.'),
  dataDir: defineFlag(
    text,
    ['data-dir', 'DIR', `.${program}`],
    'Directory of the issued certificates, the database and admin.kubeconfig.',
  ),
  storage: defineFlag(text, ['storage', 'ENGINE', 'memory'], 'Storage engine: memory or sqlite.'),
  etcdServers: defineFlag(
    unsupported('the etcd engine is not supported yet; --storage sqlite stores objects on disk'),
    ['etcd-servers', 'URLS', ''],
    'Not supported yet; the same as --storage etcd://.',
  ),
  memoryLimit: defineFlag(
    size,
    ['memory-limit', 'SIZE', ''],
    `Limit the memory of the watch cache, such as 512Mi. Default: half of the machine's memory.`,
  ),
  encryptionProviderConfig: defineFlag(
    text,
    ['encryption-provider-config', 'FILE', ''],
    'EncryptionConfiguration file: which resources are encrypted in storage, and with which keys.',
  ),
});

const servingFlags = {
  tlsCertFile: defineFlag(
    text,
    ['tls-cert-file', 'FILE', ''],
    'PEM file of the serving certificate. Default: issue one in the data directory. Reloaded when it changes.',
  ),
  tlsPrivateKeyFile: defineFlag(
    text,
    ['tls-private-key-file', 'FILE', ''],
    'PEM file of the private key that matches --tls-cert-file.',
  ),
  corsAllowedOrigins: defineFlag(
    originPatterns,
    ['cors-allowed-origins', 'PATTERNS', ''],
    'Comma-separated regular expressions of the origins that may send cross-origin (CORS) requests.',
  ),
  strictTransportSecurityDirectives: defineFlag(
    hstsDirectives,
    ['strict-transport-security-directives', 'LIST', ''],
    'Directives of the Strict-Transport-Security header (HSTS), such as max-age=31536000,includeSubDomains.',
  ),
  goawayChance: defineFlag(
    goawayChance,
    ['goaway-chance', 'FRACTION', '0'],
    'Probability that an HTTP/2 connection is closed (GOAWAY) after a request, to rebalance load; at most 0.02.',
  ),
};

const accessFlags = {
  clientCaFile: defineFlag(
    text,
    ['client-ca-file', 'FILE', ''],
    'PEM file of the CAs that sign client certificates. Default: issue one in the data directory. Reloaded when it changes.',
  ),
  tokenAuthFile: defineFlag(
    text,
    ['token-auth-file', 'FILE', ''],
    'CSV file of static bearer tokens: token,user,uid,"group1,group2". Reloaded when it changes.',
  ),
  anonymousAuth: defineFlag(
    flag,
    ['anonymous-auth', 'BOOL', 'true'],
    'Allow unauthenticated requests as system:anonymous.',
  ),
  requestheaderClientCaFile: defineFlag(
    text,
    ['requestheader-client-ca-file', 'FILE', ''],
    'PEM file of the CAs that sign client certificates of front proxies, whose identity headers are trusted.',
  ),
  requestheaderAllowedNames: defineFlag(
    list,
    ['requestheader-allowed-names', 'NAMES', ''],
    'Common names of the client certificates of front proxies. Default: every certificate of the CA.',
  ),
  requestheaderUsernameHeaders: defineFlag(
    headerNames,
    ['requestheader-username-headers', 'NAMES', remoteUserHeaders.user],
    'Request headers from which the username is read.',
  ),
  requestheaderUidHeaders: defineFlag(
    headerNames,
    ['requestheader-uid-headers', 'NAMES', ''],
    'Request headers from which the UID is read.',
  ),
  requestheaderGroupHeaders: defineFlag(
    headerNames,
    ['requestheader-group-headers', 'NAMES', remoteUserHeaders.group],
    'Request headers from which groups are read, one group per header.',
  ),
  requestheaderExtraHeadersPrefix: defineFlag(
    headerNames,
    ['requestheader-extra-headers-prefix', 'PREFIXES', remoteUserHeaders.extraPrefix],
    'Prefixes of the request headers from which extra attributes of the user are read.',
  ),
};

/** Delegation to a core server. In a pod, the service account replaces each absent kubeconfig. */
const delegationFlags = {
  kubeconfig: defineFlag(
    text,
    ['kubeconfig', 'FILE', ''],
    'Kubeconfig of the core server whose namespaces contain the objects of this server.',
  ),
  authenticationKubeconfig: defineFlag(
    text,
    ['authentication-kubeconfig', 'FILE', ''],
    'Kubeconfig of the core server that reviews tokens and publishes the client CAs.',
  ),
  authenticationSkipLookup: defineFlag(
    flag,
    ['authentication-skip-lookup', 'BOOL', 'false'],
    'Do not read the client CAs from the core server; use those of the flags only.',
  ),
  authenticationTolerateLookupFailure: defineFlag(
    flag,
    ['authentication-tolerate-lookup-failure', 'BOOL', 'false'],
    'Be ready although the client CAs cannot be read from the core server.',
  ),
  authenticationTokenWebhookCacheTtl: defineFlag(
    duration,
    ['authentication-token-webhook-cache-ttl', 'DURATION', '10s'],
    'How long to cache the result of a token review.',
  ),
  authorizationKubeconfig: defineFlag(
    text,
    ['authorization-kubeconfig', 'FILE', ''],
    'Kubeconfig of the core server that authorizes requests.',
  ),
  authorizationAlwaysAllowPaths: defineFlag(
    pathPatterns,
    ['authorization-always-allow-paths', 'PATTERNS', '/healthz,/readyz,/livez'],
    'Paths that are served without authorization. A trailing * matches any suffix.',
  ),
  authorizationWebhookCacheAuthorizedTtl: defineFlag(
    duration,
    ['authorization-webhook-cache-authorized-ttl', 'DURATION', '10s'],
    `How long to cache 'authorized' results of access reviews.`,
  ),
  authorizationWebhookCacheUnauthorizedTtl: defineFlag(
    duration,
    ['authorization-webhook-cache-unauthorized-ttl', 'DURATION', '10s'],
    `How long to cache 'unauthorized' results of access reviews.`,
  ),
};

const operationFlags = {
  maxRequestsInflight: defineFlag(
    count,
    ['max-requests-inflight', 'NUMBER', '400'],
    'Maximum number of read requests in flight; further ones are queued. 0 means no limit.',
  ),
  maxMutatingRequestsInflight: defineFlag(
    count,
    ['max-mutating-requests-inflight', 'NUMBER', '200'],
    'Maximum number of mutating requests in flight; further ones are queued. 0 means no limit.',
  ),
  requestTimeout: defineFlag(
    duration,
    ['request-timeout', 'DURATION', '1m0s'],
    'Timeout of requests, except watches and other long-running ones.',
  ),
  minRequestTimeout: defineFlag(
    count,
    ['min-request-timeout', 'SECONDS', '1800'],
    'Minimum timeout of watches without one of their own; each is picked at random up to twice this value.',
  ),
  auditPolicyFile: defineFlag(
    text,
    ['audit-policy-file', 'FILE', ''],
    'Audit policy file (Policy of audit.k8s.io/v1): which requests are logged.',
  ),
  auditLogPath: defineFlag(
    text,
    ['audit-log-path', 'FILE', ''],
    'File of the audit log; - is standard output.',
  ),
  auditLogMaxsize: defineFlag(
    count,
    ['audit-log-maxsize', 'MEGABYTES', '100'],
    'Size at which the audit log is rotated; 0 means never.',
  ),
  auditLogMaxbackup: defineFlag(
    count,
    ['audit-log-maxbackup', 'NUMBER', '100'],
    'Number of rotated audit logs to retain; 0 means all.',
  ),
  auditLogMaxage: defineFlag(
    count,
    ['audit-log-maxage', 'DAYS', '366'],
    'Days to retain rotated audit logs; 0 means forever.',
  ),
  auditLogFormat: defineFlag(
    oneOf(['json']),
    ['audit-log-format', 'FORMAT', 'json'],
    'Format of the audit log: json, one event per line.',
  ),
  loggingFormat: defineFlag(
    oneOf(['text', 'json']),
    ['logging-format', 'FORMAT', 'text'],
    'Format of the log on standard error: text or json.',
  ),
  v: defineFlag(count, ['v', 'LEVEL', '0'], 'Log verbosity; from 3 on every request is logged.'),
  shutdownDelayDuration: defineFlag(
    duration,
    ['shutdown-delay-duration', 'DURATION', '0s'],
    'How long to serve requests after the signal to stop, while /readyz fails.',
  ),
  shutdownWatchTerminationGracePeriod: defineFlag(
    duration,
    ['shutdown-watch-termination-grace-period', 'DURATION', '10s'],
    'Time over which open watches are closed during shutdown, spread at random.',
  ),
};
