import {
  type CommonFlags,
  commonFlagDefinitions,
  defineFlag,
  duration,
  type FlagDefinitions,
  FlagError,
  type FlagValue,
  type FlagValues,
  flag,
  list,
  oneOf,
  parseFlags,
  requireTogether,
  text,
} from '@tributary/server/program';
import { type ControllerName, controllerNames } from '../controllers/start-controllers.ts';

/** Every flag of the control plane. Names are those of kube-apiserver. */
export function coreFlagDefinitions(program: string) {
  const common = commonFlagDefinitions(program);
  return {
    ...common,
    storage: { ...common.storage, fallback: 'sqlite' },
    dataDir: { ...common.dataDir, fallback: '.tributary' },
    ...networkFlags,
    ...controllerFlags,
    ...serviceAccountFlags,
    ...tokenFlags,
    ...authorizationFlags,
    enablePriorityAndFairness: defineFlag(
      flag,
      ['enable-priority-and-fairness', 'BOOL', 'true'],
      'whether requests are served by FlowSchemas and PriorityLevelConfigurations; otherwise reads and writes are counted',
    ),
  };
}

const networkFlags = {
  serviceClusterIpRange: defineFlag(
    text,
    ['service-cluster-ip-range', 'CIDR', '10.0.0.0/24'],
    'addresses that services are given',
  ),
  advertiseAddress: defineFlag(
    text,
    ['advertise-address', 'IP', ''],
    'where programs inside the cluster find this server (default: an address of this machine)',
  ),
  rootCaFile: defineFlag(
    text,
    ['root-ca-file', 'FILE', ''],
    'who signed the serving certificate, for kube-root-ca.crt (PEM; default: the own CA, or the file of the serving certificate)',
  ),
  proxyClientCertFile: defineFlag(
    text,
    ['proxy-client-cert-file', 'FILE', ''],
    'certificate by which extension servers know this server as their front proxy (PEM)',
  ),
  proxyClientKeyFile: defineFlag(
    text,
    ['proxy-client-key-file', 'FILE', ''],
    'key of that certificate (PEM)',
  ),
  allowLoopbackEndpoints: defineFlag(
    flag,
    ['allow-loopback-endpoints', 'BOOL', 'true'],
    'whether servers on this machine may be endpoints of services; upstream never allows it',
  ),
  eventTtl: defineFlag(duration, ['event-ttl', 'DURATION', '1h0m0s'], 'how long events are kept'),
};

/** As upstream's controller manager takes it: `*`, names, and names with a minus. */
const disabledControllers: FlagValue<ReadonlySet<ControllerName>> = (value, name) => {
  const wanted = list(value, name);
  for (const one of wanted) {
    const known = one.replace(/^-/, '') as ControllerName;
    if (one !== '*' && !controllerNames.includes(known)) {
      throw new FlagError(`--${name} ${one}: there are: ${controllerNames.join(', ')}`);
    }
  }
  return new Set(
    controllerNames.filter(
      (one) => wanted.includes(`-${one}`) || !(wanted.includes('*') || wanted.includes(one)),
    ),
  );
};

const controllerFlags = {
  controllers: defineFlag(
    disabledControllers,
    ['controllers', 'LIST', '*'],
    'controllers to run: * for all of them, a name for one, -name for all but one',
  ),
};

const serviceAccountFlags = {
  serviceAccountIssuer: defineFlag(
    list,
    ['service-account-issuer', 'LIST', 'https://kubernetes.default.svc'],
    'in whose name tokens of service accounts are issued; the first signs, all are believed',
  ),
  serviceAccountKeyFile: defineFlag(
    list,
    ['service-account-key-file', 'LIST', ''],
    'further keys by which such tokens are believed (PEM)',
  ),
  serviceAccountSigningKeyFile: defineFlag(
    text,
    ['service-account-signing-key-file', 'FILE', ''],
    'key that signs such tokens (PEM); made in the data directory when absent',
  ),
  serviceAccountMaxTokenExpiration: defineFlag(
    duration,
    ['service-account-max-token-expiration', 'DURATION', '0s'],
    'longest life of a token; longer wishes are shortened; 0 means no bound',
  ),
  apiAudiences: defineFlag(
    list,
    ['api-audiences', 'LIST', ''],
    'who this server is to tokens (default: the issuers)',
  ),
};

const tokenFlags = {
  enableBootstrapTokenAuth: defineFlag(
    flag,
    ['enable-bootstrap-token-auth', 'BOOL', 'false'],
    'whether Secrets of the type bootstrap.kubernetes.io/token let nodes in',
  ),
  authenticationConfig: defineFlag(
    text,
    ['authentication-config', 'FILE', ''],
    'outside issuers of tokens (AuthenticationConfiguration); read again when it changes',
  ),
  authenticationTokenWebhookConfigFile: defineFlag(
    text,
    ['authentication-token-webhook-config-file', 'FILE', ''],
    'a service that is asked who a token belongs to (kubeconfig)',
  ),
  authenticationTokenWebhookCacheTtl: defineFlag(
    duration,
    ['authentication-token-webhook-cache-ttl', 'DURATION', '2m0s'],
    'how long its answers hold',
  ),
  authenticationTokenWebhookVersion: defineFlag(
    oneOf(['v1', 'v1beta1']),
    ['authentication-token-webhook-version', 'VERSION', 'v1beta1'],
    'version of the TokenReview that it is sent',
  ),
  oidcIssuerUrl: defineFlag(text, ['oidc-issuer-url', 'URL', ''], 'an outside issuer of tokens'),
  oidcClientId: defineFlag(text, ['oidc-client-id', 'ID', ''], 'who its tokens must be for'),
  oidcCaFile: defineFlag(
    text,
    ['oidc-ca-file', 'FILE', ''],
    'who signs the certificate of that issuer (PEM; default: the roots of Node)',
  ),
  oidcUsernameClaim: defineFlag(
    text,
    ['oidc-username-claim', 'CLAIM', 'sub'],
    'claim that is the name of the user',
  ),
  oidcUsernamePrefix: defineFlag(
    text,
    ['oidc-username-prefix', 'TEXT', ''],
    'put before it, - for nothing (default: the issuer and #, unless the claim is email)',
  ),
  oidcGroupsClaim: defineFlag(
    text,
    ['oidc-groups-claim', 'CLAIM', ''],
    'claim that has the groups of the user',
  ),
  oidcGroupsPrefix: defineFlag(text, ['oidc-groups-prefix', 'TEXT', ''], 'put before each of them'),
  oidcSigningAlgs: defineFlag(
    list,
    ['oidc-signing-algs', 'LIST', 'RS256'],
    'how its tokens may be signed',
  ),
  oidcRequiredClaim: defineFlag(
    list,
    ['oidc-required-claim', 'LIST', ''],
    'claims that a token must have, as name=value',
  ),
};

const authorizationFlags = {
  authorizationMode: defineFlag(
    list,
    ['authorization-mode', 'LIST', 'RBAC'],
    'who decides what users may do, in this order: RBAC, Webhook, AlwaysAllow',
  ),
  authorizationWebhookConfigFile: defineFlag(
    text,
    ['authorization-webhook-config-file', 'FILE', ''],
    'the service that is asked in the mode Webhook (kubeconfig)',
  ),
  authorizationWebhookCacheAuthorizedTtl: defineFlag(
    duration,
    ['authorization-webhook-cache-authorized-ttl', 'DURATION', '5m0s'],
    'how long it is believed that somebody may do something',
  ),
  authorizationWebhookCacheUnauthorizedTtl: defineFlag(
    duration,
    ['authorization-webhook-cache-unauthorized-ttl', 'DURATION', '30s'],
    'how long it is believed that somebody may not',
  ),
};

export type CoreFlags = FlagValues<ReturnType<typeof coreFlagDefinitions>>;

/** The flags of a program that is more than a control plane are read together, and all of them are checked. */
export function parseCoreFlags<More extends FlagDefinitions>(
  program: string,
  args: readonly string[],
  more: More,
): (CoreFlags & FlagValues<More>) | 'help' {
  const flags = parseFlags({ ...coreFlagDefinitions(program), ...more }, args) as
    | (CoreFlags & FlagValues<More>)
    | 'help';
  if (flags === 'help') return flags;
  requireTogether(flags satisfies CommonFlags);
  if ((flags.proxyClientCertFile === '') !== (flags.proxyClientKeyFile === '')) {
    throw new FlagError('--proxy-client-cert-file and --proxy-client-key-file go together');
  }
  requireModes(flags);
  requireSeats(flags);
  return flags;
}

/** As upstream: without a seat nobody could be served. */
function requireSeats(flags: CoreFlags): void {
  const { maxRequestsInflight: reads, maxMutatingRequestsInflight: writes } = flags;
  if (!flags.enablePriorityAndFairness || reads + writes > 0) return;
  throw new FlagError(
    `invalid configuration: MaxRequestsInFlight=${reads} and MaxMutatingRequestsInFlight=${writes}; they must add up to something positive`,
  );
}

const MODES = ['RBAC', 'Webhook', 'AlwaysAllow'];

function requireModes({ authorizationMode, authorizationWebhookConfigFile }: CoreFlags): void {
  if (authorizationMode.length === 0) {
    throw new FlagError('--authorization-mode: at least one mode is needed');
  }
  for (const mode of authorizationMode) {
    if (!MODES.includes(mode)) {
      throw new FlagError(`--authorization-mode ${mode}: there are: ${MODES.join(', ')}`);
    }
  }
  if (new Set(authorizationMode).size < authorizationMode.length) {
    throw new FlagError('--authorization-mode names a mode twice');
  }
  const asksWebhook = authorizationMode.includes('Webhook');
  if (asksWebhook !== (authorizationWebhookConfigFile !== '')) {
    throw new FlagError(
      '--authorization-mode Webhook and --authorization-webhook-config-file go together',
    );
  }
}
