import { StatusError } from '@tributary/apimachinery';
import type { Client } from '@tributary/client';
import { systemClock } from '@tributary/client';
import { SharedInformers } from '@tributary/client/controller';
import {
  type ApiDefinition,
  type ApiServer,
  type Authorizer,
  createServer,
  type UserInfo,
} from '@tributary/server';
import { type AddressPool, addressPool } from '../addresses/address-pool.ts';
import { coreApis, namespaceKind } from '../apis.ts';
import { authenticateHeaders } from '../authentication/authenticate-headers.ts';
import { identityTokens } from '../authentication/identity-tokens.ts';
import { issueServiceAccountToken, reviewToken } from '../authentication/index.ts';
import { liveObjects } from '../authentication/service-account/live-objects.ts';
import { privilegedGroups } from '../authorization/privileged-groups.ts';
import { unionAuthorizer } from '../authorization/union.ts';
import { webhookRules } from '../authorization/webhook-authorizer.ts';
import { syncErrorCounter } from '../controllers/garbage-collection/sync-errors.ts';
import type { ControllerOptions } from '../controllers/start-controllers.ts';
import { bootstrapSecrets } from '../controllers/token-cleaner.ts';
import { markTokenUse } from '../controllers/token-use.ts';
import { judgingEntry } from '../custom-resources/definition/validation-thread/validation-entry.ts';
import type { FlowController } from '../flow-control/flow-controller.ts';
import { rbacAuthorizer } from '../rbac/rbac-authorizer.ts';
import { RbacIndex } from '../rbac/rbac-index.ts';
import {
  everythingAllowed,
  type RulesResolver,
  rbacRules,
  unionRules,
} from '../rbac/rules-listing.ts';
import { componentHealth } from './component-health.ts';
import type { CoreServerConfig } from './core-config.ts';
import type { CoreExtension } from './core-extension.ts';
import { coreFlowControl } from './core-flow-control.ts';
import { CoreState } from './core-state.ts';
import { discoveryRoute } from './discovery-route.ts';

const EVENT_TTL_SECONDS = 3600;

/** Who the server is to itself. */
const ownUser: UserInfo = {
  name: 'system:apiserver',
  uid: '',
  groups: ['system:masters', 'system:authenticated'],
  extra: {},
};

/** A control plane whose port is not open yet and whose controllers do not run. */
export interface AssembledCore {
  readonly server: ApiServer;
  readonly client: Client;
  /** The same, of what is kept here, whichever other server claims it. */
  readonly ownClient: Client;
  /** The same for controllers, by another name. */
  readonly controllerClient: Client;
  readonly informers: SharedInformers;
  readonly index: RbacIndex;
  /** Absent when reads and writes are only counted. */
  readonly flowControl: FlowController | undefined;
  readonly pool: AddressPool;
  readonly state: CoreState;
  readonly controllers: ControllerOptions;
  readonly extension: CoreExtension | undefined;
}

export function assembleCore(config: CoreServerConfig): AssembledCore {
  const { clock = systemClock, log, serviceAccounts } = config;
  const state = new CoreState(config);
  const index = new RbacIndex();
  const pool = addressPool({ range: config.serviceRange });
  const { issuers, apiAudiences = issuers, keys } = serviceAccounts;
  const roles = authorizerOf(config, index);
  const extension: CoreExtension | undefined = config.extend?.({
    client: () => client,
    informers: () => informers,
    clock,
    log,
    apis: () => apis,
    live: () => server.live,
    authorize: roles,
  });
  const authorize = extension?.authorize?.(roles) ?? roles;
  const ownApis = coreApis({
    authorize,
    index,
    client: () => client,
    rulesFor: rulesOf(config, index),
    addresses: pool,
    endpointRules: { allowLoopback: config.allowLoopbackEndpoints ?? false },
    componentHealth: () => componentHealth(config),
    eventTtlSeconds: config.eventTtlSeconds ?? EVENT_TTL_SECONDS,
    requestToken: (request) => issueServiceAccountToken(issuing, request),
    reviewToken: (review) =>
      reviewToken(
        { lookup: tokens.lookup, authenticate: authenticateHeaders, apiAudiences },
        review,
      ),
    nowMs: () => clock.nowMs(),
  });
  const apis: readonly ApiDefinition[] = [...ownApis, ...(extension?.apis ?? [])];
  const flowControl = coreFlowControl(config);
  const collectorErrors = syncErrorCounter();
  const server = createServer(apis, {
    ...config.server,
    log,
    judging: { entry: judgingEntry, ...config.server.judging },
    authorizer: authorize,
    namespaces: namespaceKind,
    lookUpToken: (token) => tokens.ofRequests(token),
    routes: [...(extension?.routes ?? []), ...discoveryRoute(config)],
    healthChecks: [...(config.server.healthChecks ?? []), ...(extension?.healthChecks ?? [])],
    ...(flowControl && { flowControl }),
    ...(extension?.isLongRunning && { isLongRunning: extension.isLongRunning }),
    registerMetrics: (registry) => {
      config.server.registerMetrics?.(registry);
      flowControl?.registerMetrics(registry);
      registry.add(collectorErrors);
      extension?.registerMetrics?.(registry);
    },
  });
  // Owners of fields are called as upstream calls them: tools know these names.
  const client = server.client({ user: ownUser, userAgent: 'kube-apiserver' });
  const ownClient = server.client({ user: ownUser, userAgent: 'kube-apiserver', onlyHere: true });
  const controllerClient = server.client({ user: ownUser, userAgent: 'kube-controller-manager' });
  const informers = new SharedInformers({
    client,
    clock,
    onError: (error, resource) => {
      log.verbose(2, 'A resource cannot be followed', { resource, err: String(error) });
      if (isNeeded(error, resource)) config.onUnservable?.(error);
    },
  });
  const live = liveObjects(client, informers);
  const joining = config.bootstrapTokens ? bootstrapSecrets(client, clock) : undefined;
  const issuing = {
    keys: () => keys,
    issuer: issuers[0] ?? '',
    apiAudiences,
    live,
    nowMs: () => clock.nowMs(),
    ...(serviceAccounts.maxExpirationSeconds !== undefined && {
      maxExpirationSeconds: serviceAccounts.maxExpirationSeconds,
    }),
  };
  const tokens = identityTokens({
    ...issuing,
    issuers,
    staticTokens: () => state.tokens,
    epoch: () => state.accountsGone,
    onLegacyTokenUse: (use) => {
      markTokenUse(client, use).catch((error: unknown) => {
        log.error(error, 'The use of a token could not be noted', { secret: use.name });
      });
    },
    ...(joining && { bootstrapSecret: (name) => joining.store.get(`kube-system/${name}`) }),
    ...(config.jwtIssuers && { jwtIssuers: config.jwtIssuers }),
    ...(config.tokenWebhook && { webhook: config.tokenWebhook }),
  });
  const controllers: ControllerOptions = {
    trust: () => state.trust,
    rootCa: () => state.servingCa,
    joining,
    disabled: config.disabledControllers,
    onCollectorSyncError: () => collectorErrors.with().add(),
    ownMetadata: server.metadataOf,
    tokenSecrets: () => ({ key: keys.signing, rootCa: state.servingCa }),
  };
  return {
    server,
    client,
    ownClient,
    controllerClient,
    informers,
    index,
    flowControl,
    pool,
    state,
    controllers,
    extension,
  };
}

/** Administrators first, whatever else decides. */
function authorizerOf(
  { authorizationModes = ['RBAC'], authorizationWebhook }: CoreServerConfig,
  index: RbacIndex,
): Authorizer {
  const byMode: Readonly<Record<string, Authorizer | undefined>> = {
    RBAC: rbacAuthorizer(index),
    Webhook: authorizationWebhook,
    AlwaysAllow: () => ({ allowed: true }),
  };
  const chosen = authorizationModes.flatMap((mode) => {
    const authorize = byMode[mode];
    return authorize === undefined ? [] : [{ name: mode.toLowerCase(), authorize }];
  });
  const privileged = {
    name: 'kubernetes.io/system-privileged-group',
    authorize: privilegedGroups(),
  };
  return unionAuthorizer([privileged, ...chosen]);
}

/** What the same authorizers can list; what administrators may do is not listed, as upstream. */
function rulesOf(
  { authorizationModes = ['RBAC'], authorizationWebhook }: CoreServerConfig,
  index: RbacIndex,
): RulesResolver {
  const byMode: Readonly<Record<string, RulesResolver | undefined>> = {
    RBAC: rbacRules(index),
    Webhook: authorizationWebhook && webhookRules,
    AlwaysAllow: everythingAllowed,
  };
  return unionRules(authorizationModes.flatMap((mode) => byMode[mode] ?? []));
}

/**
 * An object that cannot be read, among those by which the server authorizes, admits and routes. What it follows with a selector are
 * objects that it looks after, such as the published certificates.
 */
function isNeeded(error: unknown, resource: string): error is StatusError {
  if (!(error instanceof StatusError) || resource.endsWith(')')) return false;
  return error.reason === 'StorageReadError';
}
