import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  FlagError,
  helpText,
  parseServerFlags,
  type ServerFlags,
  serverFlagTable,
} from './flags.ts';

function flagsOf(...args: string[]): ServerFlags {
  const flags = parseServerFlags('wardle', args);
  assert.ok(flags !== 'help');
  return flags;
}

test('every flag has a default', () => {
  assert.deepEqual(flagsOf(), {
    securePort: 6443,
    bindAddress: '127.0.0.1',
    dataDir: '.wardle',
    storage: 'memory',
    etcdServers: '',
    group: '',
    memoryLimit: undefined,
    encryptionProviderConfig: '',
    tlsCertFile: '',
    tlsPrivateKeyFile: '',
    corsAllowedOrigins: [],
    strictTransportSecurityDirectives: [],
    goawayChance: 0,
    clientCaFile: '',
    tokenAuthFile: '',
    anonymousAuth: true,
    requestheaderClientCaFile: '',
    requestheaderAllowedNames: [],
    requestheaderUsernameHeaders: ['x-remote-user'],
    requestheaderUidHeaders: [],
    requestheaderGroupHeaders: ['x-remote-group'],
    requestheaderExtraHeadersPrefix: ['x-remote-extra-'],
    kubeconfig: '',
    authenticationKubeconfig: '',
    authenticationSkipLookup: false,
    authenticationTolerateLookupFailure: false,
    authenticationTokenWebhookCacheTtl: 10_000,
    authorizationKubeconfig: '',
    authorizationAlwaysAllowPaths: ['/healthz', '/readyz', '/livez'],
    authorizationWebhookCacheAuthorizedTtl: 10_000,
    authorizationWebhookCacheUnauthorizedTtl: 10_000,
    maxRequestsInflight: 400,
    maxMutatingRequestsInflight: 200,
    requestTimeout: 60_000,
    minRequestTimeout: 1800,
    auditPolicyFile: '',
    auditLogPath: '',
    auditLogMaxsize: 100,
    auditLogMaxbackup: 100,
    auditLogMaxage: 366,
    auditLogFormat: 'json',
    loggingFormat: 'text',
    v: 0,
    shutdownDelayDuration: 0,
    shutdownWatchTerminationGracePeriod: 10_000,
  });
  assert.equal(serverFlagTable('wardle').length, Object.keys(flagsOf()).length);
});

const set: { args: string[]; want: Partial<ServerFlags> }[] = [
  { args: ['--secure-port=0'], want: { securePort: 0 } },
  { args: ['--secure-port=1', '--secure-port=2'], want: { securePort: 2 } },
  { args: ['--memory-limit', '2Gi'], want: { memoryLimit: 2 * 2 ** 30 } },
  { args: ['--anonymous-auth=false'], want: { anonymousAuth: false } },
  { args: ['--anonymous-auth'], want: { anonymousAuth: true } },
  { args: ['-v=3'], want: { v: 3 } },
  { args: ['-v', '4'], want: { v: 4 } },
  { args: ['--v=5'], want: { v: 5 } },
  { args: ['--request-timeout=1m30s'], want: { requestTimeout: 90_000 } },
  {
    args: ['--requestheader-allowed-names=a, b', '--requestheader-allowed-names=C'],
    want: { requestheaderAllowedNames: ['a', 'b', 'C'] },
  },
  {
    args: ['--requestheader-uid-headers=X-Remote-Uid'],
    want: { requestheaderUidHeaders: ['x-remote-uid'] },
  },
  {
    args: ['--cors-allowed-origins=^https://a$,//b(:|$)'],
    want: { corsAllowedOrigins: [/^https:\/\/a$/, /\/\/b(:|$)/] },
  },
  {
    args: ['--strict-transport-security-directives=max-age=1,preload'],
    want: { strictTransportSecurityDirectives: ['max-age=1', 'preload'] },
  },
  { args: ['--goaway-chance=0.02'], want: { goawayChance: 0.02 } },
  { args: ['--kubeconfig=a'], want: { kubeconfig: 'a' } },
  { args: ['--authentication-kubeconfig', 'a'], want: { authenticationKubeconfig: 'a' } },
  { args: ['--authorization-kubeconfig', 'a'], want: { authorizationKubeconfig: 'a' } },
  {
    args: ['--authorization-always-allow-paths=/a*', '--authorization-always-allow-paths=/b'],
    want: { authorizationAlwaysAllowPaths: ['/a*', '/b'] },
  },
  {
    args: ['--authentication-token-webhook-cache-ttl=1m'],
    want: { authenticationTokenWebhookCacheTtl: 60_000 },
  },
];
for (const { args, want } of set) {
  test(`${args.join(' ')} sets its field`, () => {
    const flags = flagsOf(...args);
    for (const [field, value] of Object.entries(want)) {
      assert.deepEqual(flags[field as keyof ServerFlags], value);
    }
  });
}

const wrong = [
  { args: ['--secure-port=http'], says: /--secure-port http: must be a port number/ },
  { args: ['--secure-port=65536'], says: /must be a port number from 0 to 65535/ },
  { args: ['--no-such-flag'], says: /no-such-flag/ },
  { args: ['extra'], says: /extra/ },
  { args: ['--memory-limit=lots'], says: /--memory-limit lots: must be a number of bytes/ },
  { args: ['--tls-cert-file=a'], says: /must be set together/ },
  { args: ['--anonymous-auth=maybe'], says: /--anonymous-auth maybe: must be true or false/ },
  { args: ['--max-requests-inflight=-1'], says: /can't be a negative number/ },
  { args: ['--max-requests-inflight=many'], says: /must be a non-negative integer/ },
  { args: ['--request-timeout=soon'], says: /--request-timeout soon: time: invalid duration/ },
  { args: ['--shutdown-delay-duration=-1s'], says: /can't be a negative duration/ },
  { args: ['--logging-format=xml'], says: /--logging-format xml: must be text or json/ },
  { args: ['--audit-log-format=legacy'], says: /--audit-log-format legacy: must be json/ },
  { args: ['--goaway-chance=0.5'], says: /can not be less than 0 or greater than 0.02/ },
  { args: ['--requestheader-group-headers=a,,b'], says: /empty value in "requestheader-group/ },
  { args: ['--requestheader-uid-headers=x-uid'], says: /the standard X-Remote-Uid header/ },
  { args: ['--cors-allowed-origins=example.com'], says: /does not pin to start\/end of host/ },
  { args: ['--cors-allowed-origins=^($'], says: /invalid regular expression/ },
  {
    args: ['--etcd-servers=http://e:2379'],
    says: /--etcd-servers: the etcd engine is not supported yet/,
  },
  {
    args: ['--authorization-always-allow-paths=/a*,/b*/c'],
    says: /--authorization-always-allow-paths: only trailing \* allowed in "b\*\/c"/,
  },
  {
    args: ['--authorization-webhook-cache-authorized-ttl=-1s'],
    says: /can't be a negative duration/,
  },
  { args: ['--strict-transport-security-directives=x'], says: /allowed values: max-age=/ },
];
for (const { args, says } of wrong) {
  test(`${args.join(' ')} is a FlagError`, () => {
    assert.throws(
      () => parseServerFlags('wardle', args),
      (error) => error instanceof FlagError && says.test(error.message),
    );
  });
}

test('help lists every flag with its default', () => {
  assert.equal(parseServerFlags('wardle', ['--help']), 'help');
  const text = helpText('wardle', 'Serves flunders.', serverFlagTable('wardle'));
  for (const { name, fallback } of serverFlagTable('wardle')) {
    assert.ok(text.includes(`--${name} `), name);
    assert.ok(text.includes(fallback), name);
  }
});
