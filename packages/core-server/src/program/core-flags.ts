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

/** The flags of the control plane, with the names of kube-apiserver. */
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
      'Limit concurrent requests by FlowSchemas and PriorityLevelConfigurations; otherwise by two fixed limits, for reads and writes.',
    ),
  };
}

const networkFlags = {
  serviceClusterIpRange: defineFlag(
    text,
    ['service-cluster-ip-range', 'CIDR', '10.0.0.0/24'],
    'CIDR from which Services are allocated cluster IPs.',
  ),
  advertiseAddress: defineFlag(
    text,
    ['advertise-address', 'IP', ''],
    'Address published as endpoint of the Service kubernetes (default: an address of this machine).',
  ),
  rootCaFile: defineFlag(
    text,
    ['root-ca-file', 'FILE', ''],
    'CA of the serving certificate, published in the ConfigMaps kube-root-ca.crt (PEM; default: the generated CA, or --tls-cert-file).',
  ),
  proxyClientCertFile: defineFlag(
    text,
    ['proxy-client-cert-file', 'FILE', ''],
    'Client certificate of the aggregator for requests to extension API servers (PEM).',
  ),
  proxyClientKeyFile: defineFlag(
    text,
    ['proxy-client-key-file', 'FILE', ''],
    'Private key of --proxy-client-cert-file (PEM).',
  ),
  allowLoopbackEndpoints: defineFlag(
    flag,
    ['allow-loopback-endpoints', 'BOOL', 'true'],
    'Allow loopback addresses in endpoints, which upstream rejects.',
  ),
  eventTtl: defineFlag(
    duration,
    ['event-ttl', 'DURATION', '1h0m0s'],
    'How long Events are retained.',
  ),
};

/** In the format of kube-controller-manager: `*`, names, and names with a minus. */
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
    'Controllers to run: * for all, NAME to enable one, -NAME to disable one.',
  ),
};

const serviceAccountFlags = {
  serviceAccountIssuer: defineFlag(
    list,
    ['service-account-issuer', 'LIST', 'https://kubernetes.default.svc'],
    'Issuers of service account tokens. The first one issues tokens, all are accepted.',
  ),
  serviceAccountKeyFile: defineFlag(
    list,
    ['service-account-key-file', 'LIST', ''],
    'Additional keys that verify service account tokens (PEM).',
  ),
  serviceAccountSigningKeyFile: defineFlag(
    text,
    ['service-account-signing-key-file', 'FILE', ''],
    'Private key that signs service account tokens (PEM; default: generated in the data directory).',
  ),
  serviceAccountMaxTokenExpiration: defineFlag(
    duration,
    ['service-account-max-token-expiration', 'DURATION', '0s'],
    'Maximum expiration of service account tokens; longer requests are shortened; 0 for no maximum.',
  ),
  apiAudiences: defineFlag(
    list,
    ['api-audiences', 'LIST', ''],
    'Audiences of this server in tokens (default: the service account issuers).',
  ),
};

const tokenFlags = {
  enableBootstrapTokenAuth: defineFlag(
    flag,
    ['enable-bootstrap-token-auth', 'BOOL', 'false'],
    'Accept bootstrap tokens: Secrets of type bootstrap.kubernetes.io/token in kube-system.',
  ),
  authenticationConfig: defineFlag(
    text,
    ['authentication-config', 'FILE', ''],
    'AuthenticationConfiguration with external token issuers, reloaded when it changes.',
  ),
  authenticationTokenWebhookConfigFile: defineFlag(
    text,
    ['authentication-token-webhook-config-file', 'FILE', ''],
    'Kubeconfig of a webhook that authenticates bearer tokens.',
  ),
  authenticationTokenWebhookCacheTtl: defineFlag(
    duration,
    ['authentication-token-webhook-cache-ttl', 'DURATION', '2m0s'],
    'How long responses of the token webhook are cached.',
  ),
  authenticationTokenWebhookVersion: defineFlag(
    oneOf(['v1', 'v1beta1']),
    ['authentication-token-webhook-version', 'VERSION', 'v1beta1'],
    'API version of the TokenReview sent to the token webhook.',
  ),
  oidcIssuerUrl: defineFlag(text, ['oidc-issuer-url', 'URL', ''], 'URL of an OpenID issuer.'),
  oidcClientId: defineFlag(
    text,
    ['oidc-client-id', 'ID', ''],
    'Client ID that tokens of the OpenID issuer must have as audience.',
  ),
  oidcCaFile: defineFlag(
    text,
    ['oidc-ca-file', 'FILE', ''],
    'CA of the certificate of the OpenID issuer (PEM; default: the roots of Node.js).',
  ),
  oidcUsernameClaim: defineFlag(
    text,
    ['oidc-username-claim', 'CLAIM', 'sub'],
    'Claim to use as user name.',
  ),
  oidcUsernamePrefix: defineFlag(
    text,
    ['oidc-username-prefix', 'TEXT', ''],
    'Prefix of user names, - for none (default: the issuer and #, unless the claim is email).',
  ),
  oidcGroupsClaim: defineFlag(text, ['oidc-groups-claim', 'CLAIM', ''], 'Claim to use as groups.'),
  oidcGroupsPrefix: defineFlag(text, ['oidc-groups-prefix', 'TEXT', ''], 'Prefix of groups.'),
  oidcSigningAlgs: defineFlag(
    list,
    ['oidc-signing-algs', 'LIST', 'RS256'],
    'Accepted signing algorithms of the OpenID issuer.',
  ),
  oidcRequiredClaim: defineFlag(
    list,
    ['oidc-required-claim', 'LIST', ''],
    'Claims required in tokens, as name=value.',
  ),
};

const authorizationFlags = {
  authorizationMode: defineFlag(
    list,
    ['authorization-mode', 'LIST', 'RBAC'],
    'Ordered list of authorizers: RBAC, Webhook, AlwaysAllow.',
  ),
  authorizationWebhookConfigFile: defineFlag(
    text,
    ['authorization-webhook-config-file', 'FILE', ''],
    'Kubeconfig of the webhook of the authorization mode Webhook.',
  ),
  authorizationWebhookCacheAuthorizedTtl: defineFlag(
    duration,
    ['authorization-webhook-cache-authorized-ttl', 'DURATION', '5m0s'],
    'How long allowed decisions of the authorization webhook are cached.',
  ),
  authorizationWebhookCacheUnauthorizedTtl: defineFlag(
    duration,
    ['authorization-webhook-cache-unauthorized-ttl', 'DURATION', '30s'],
    'How long other decisions of the authorization webhook are cached.',
  ),
};

export type CoreFlags = FlagValues<ReturnType<typeof coreFlagDefinitions>>;

/** Parses and validates the flags of the control plane together with those of an addition. */
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

/** As upstream: at least one seat is required. */
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
  const usesWebhook = authorizationMode.includes('Webhook');
  if (usesWebhook !== (authorizationWebhookConfigFile !== '')) {
    throw new FlagError(
      '--authorization-mode Webhook and --authorization-webhook-config-file go together',
    );
  }
}
