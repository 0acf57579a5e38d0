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

function define<T>(
  parse: FlagValue<T>,
  [name, value, fallback]: readonly [name: string, value: string, fallback: string],
  help: string,
): Flag<T> {
  return { name, value, fallback, help, parse };
}

/** Every flag, by the name that the program knows it by. */
export function serverFlagDefinitions(program: string) {
  return {
    ...storageFlags(program),
    ...servingFlags,
    ...accessFlags,
    ...delegationFlags,
    ...operationFlags,
  };
}

const storageFlags = (program: string) => ({
  securePort: define(port, ['secure-port', 'PORT', '6443'], 'port for HTTPS; 0 picks a free one'),
  bindAddress: define(text, ['bind-address', 'IP', '127.0.0.1'], 'address to listen on'),
  dataDir: define(
    text,
    ['data-dir', 'DIR', `.${program}`],
    'certificates, database and admin.kubeconfig',
  ),
  storage: define(
    text,
    ['storage', 'ENGINE', 'memory'],
    'where objects are kept: memory or sqlite',
  ),
  etcdServers: define(
    notYet('the etcd engine is not there yet; --storage sqlite keeps objects on disk'),
    ['etcd-servers', 'URLS', ''],
    'not there yet: the same as --storage etcd://',
  ),
  group: define(
    text,
    ['group', 'NAME', ''],
    'API group to serve the kinds under (default: the one they are defined for)',
  ),
  memoryLimit: define(
    size,
    ['memory-limit', 'SIZE', ''],
    'bound on cached objects, such as 512Mi (default: half of the memory)',
  ),
  encryptionProviderConfig: define(
    text,
    ['encryption-provider-config', 'FILE', ''],
    'which resources are encrypted at rest, and with which keys (EncryptionConfiguration)',
  ),
});

const servingFlags = {
  tlsCertFile: define(
    text,
    ['tls-cert-file', 'FILE', ''],
    'serving certificate (PEM); made in the data directory when absent; read again when it changes',
  ),
  tlsPrivateKeyFile: define(
    text,
    ['tls-private-key-file', 'FILE', ''],
    'key of the serving certificate (PEM)',
  ),
  corsAllowedOrigins: define(
    originPatterns,
    ['cors-allowed-origins', 'PATTERNS', ''],
    'regular expressions of the origins whose pages may ask, separated by commas',
  ),
  strictTransportSecurityDirectives: define(
    hstsDirectives,
    ['strict-transport-security-directives', 'LIST', ''],
    'directives of Strict-Transport-Security, such as max-age=31536000,includeSubDomains',
  ),
  goawayChance: define(
    goawayChance,
    ['goaway-chance', 'FRACTION', '0'],
    'how often a connection of HTTP/2 is ended after a request, so that load spreads; at most 0.02',
  ),
};

const accessFlags = {
  clientCaFile: define(
    text,
    ['client-ca-file', 'FILE', ''],
    'who signs client certificates (PEM); made in the data directory when absent; read again when it changes',
  ),
  tokenAuthFile: define(
    text,
    ['token-auth-file', 'FILE', ''],
    'users by token: lines of token,user,uid,"group1,group2"; read again when it changes',
  ),
  anonymousAuth: define(
    flag,
    ['anonymous-auth', 'BOOL', 'true'],
    'whether who shows no credential is system:anonymous, or is refused',
  ),
  requestheaderClientCaFile: define(
    text,
    ['requestheader-client-ca-file', 'FILE', ''],
    'who signs the certificate of a front proxy that says users by headers (PEM)',
  ),
  requestheaderAllowedNames: define(
    list,
    ['requestheader-allowed-names', 'NAMES', ''],
    'common names of the certificates of front proxies; none means any that is signed',
  ),
  requestheaderUsernameHeaders: define(
    headerNames,
    ['requestheader-username-headers', 'NAMES', 'x-remote-user'],
    'headers by which a front proxy says the user',
  ),
  requestheaderUidHeaders: define(
    headerNames,
    ['requestheader-uid-headers', 'NAMES', ''],
    'headers by which a front proxy says the uid',
  ),
  requestheaderGroupHeaders: define(
    headerNames,
    ['requestheader-group-headers', 'NAMES', 'x-remote-group'],
    'headers by which a front proxy says the groups, one a line',
  ),
  requestheaderExtraHeadersPrefix: define(
    headerNames,
    ['requestheader-extra-headers-prefix', 'PREFIXES', 'x-remote-extra-'],
    'beginnings of the headers by which a front proxy says more of the user',
  ),
};

const ALONE = 'this server runs alone, with --client-ca-file and --token-auth-file';

const delegationFlags = {
  kubeconfig: define(
    notYet(`talking to a kube-apiserver is not there yet; ${ALONE}`),
    ['kubeconfig', 'FILE', ''],
    'not there yet: how to reach the kube-apiserver whose objects this server reads',
  ),
  authenticationKubeconfig: define(
    notYet(`delegated authentication is not there yet; ${ALONE}`),
    ['authentication-kubeconfig', 'FILE', ''],
    'not there yet: the kube-apiserver that is asked who a token belongs to',
  ),
  authorizationKubeconfig: define(
    notYet(`delegated authorization is not there yet; ${ALONE}`),
    ['authorization-kubeconfig', 'FILE', ''],
    'not there yet: the kube-apiserver that is asked what a user may do',
  ),
};

const operationFlags = {
  maxRequestsInflight: define(
    count,
    ['max-requests-inflight', 'NUMBER', '400'],
    'reads served at once; more wait their turn; 0 means no bound',
  ),
  maxMutatingRequestsInflight: define(
    count,
    ['max-mutating-requests-inflight', 'NUMBER', '200'],
    'writes served at once; more wait their turn; 0 means no bound',
  ),
  requestTimeout: define(
    duration,
    ['request-timeout', 'DURATION', '1m0s'],
    'how long a request may take, watches excepted',
  ),
  minRequestTimeout: define(
    count,
    ['min-request-timeout', 'SECONDS', '1800'],
    'watches without a wish end after a random time between this and its double',
  ),
  auditPolicyFile: define(
    text,
    ['audit-policy-file', 'FILE', ''],
    'which requests are written to the audit log (Policy of audit.k8s.io/v1)',
  ),
  auditLogPath: define(text, ['audit-log-path', 'FILE', ''], 'the audit log; - is standard output'),
  auditLogMaxsize: define(
    count,
    ['audit-log-maxsize', 'MEGABYTES', '100'],
    'size at which the audit log is put aside; 0 means never',
  ),
  auditLogMaxbackup: define(
    count,
    ['audit-log-maxbackup', 'NUMBER', '100'],
    'how many audit logs are kept aside; 0 means all',
  ),
  auditLogMaxage: define(
    count,
    ['audit-log-maxage', 'DAYS', '366'],
    'how long audit logs are kept aside; 0 means for ever',
  ),
  auditLogFormat: define(
    oneOf(['json']),
    ['audit-log-format', 'FORMAT', 'json'],
    'one event a line',
  ),
  loggingFormat: define(
    oneOf(['text', 'json']),
    ['logging-format', 'FORMAT', 'text'],
    'how the log on standard error is written: text or json',
  ),
  v: define(count, ['v', 'LEVEL', '0'], 'how much is logged; from 3 on a line for every request'),
  shutdownDelayDuration: define(
    duration,
    ['shutdown-delay-duration', 'DURATION', '0s'],
    'how long the server goes on when it is told to stop, not ready any more',
  ),
  shutdownWatchTerminationGracePeriod: define(
    duration,
    ['shutdown-watch-termination-grace-period', 'DURATION', '10s'],
    'within which watches are ended when the server stops, spread at random',
  ),
};
