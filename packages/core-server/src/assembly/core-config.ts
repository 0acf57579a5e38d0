import type { Client, Clock } from '@tributary/client';
import type {
  Authorizer,
  Reload,
  RunningServer,
  ServerConfig,
  StaticTokens,
} from '@tributary/server';
import type { AudienceTokenLookup, KeySet } from '../authentication/index.ts';
import type { ControllerName } from '../controllers/start-controllers.ts';
import type { CoreExtension, ExtensionDependencies } from './core-extension.ts';

export interface CoreServerConfig {
  readonly server: Omit<
    ServerConfig,
    'authorizer' | 'namespaces' | 'lookUpToken' | 'loopback' | 'routes' | 'tokens' | 'log'
  >;
  readonly log: NonNullable<ServerConfig['log']>;
  readonly clock?: Clock;
  readonly tokens?: StaticTokens;
  /** PEM of the certificate authority of the serving certificate. */
  readonly servingCa: string;
  readonly serviceAccounts: {
    readonly keys: KeySet;
    /** Accepted issuers of service account tokens. The first one is the issuer of new tokens. */
    readonly issuers: readonly string[];
    /** Audiences of this server. Default: the issuers. */
    readonly apiAudiences?: readonly string[];
    readonly maxExpirationSeconds?: number;
  };
  /** The CIDR of cluster IPs, such as `10.0.0.0/24`. */
  readonly serviceRange: string;
  /** Whether endpoints may have loopback addresses. Default: no, as upstream. */
  readonly allowLoopbackEndpoints?: boolean;
  /** The endpoint address of the Service `kubernetes`. Default: an address of this machine. */
  readonly advertiseAddress?: string;
  /** Whether flow schemas and priority levels limit requests. Default: yes. */
  readonly priorityAndFairness?: boolean;
  /** Default: an hour. */
  readonly eventTtlSeconds?: number;
  /** Whether bootstrap tokens authenticate. Default: no. */
  readonly bootstrapTokens?: boolean;
  readonly jwtIssuers?: AudienceTokenLookup;
  readonly tokenWebhook?: AudienceTokenLookup;
  /** Creates the part of the program that serves beside the core API: the aggregator. */
  readonly extend?: ((dependencies: ExtensionDependencies) => CoreExtension) | undefined;
  /** Controllers that do not run. Default: none. */
  readonly disabledControllers?: ReadonlySet<ControllerName> | undefined;
  /** Authorizers in the order in which they decide. Default: RBAC. */
  readonly authorizationModes?: readonly ('RBAC' | 'Webhook' | 'AlwaysAllow')[] | undefined;
  /** The authorizer of the mode `Webhook`. */
  readonly authorizationWebhook?: Authorizer;
  /**
   * Called when a stored object that authorization, admission or routing needs cannot be decoded; programs exit then.
   * Default: the informer retries for ever, and whatever depends on the object is not served.
   */
  readonly onUnservable?: (reason: Error) => void;
}

export interface CoreReload extends Reload {
  readonly servingCa?: string;
}

export interface RunningCoreServer extends Omit<RunningServer, 'reload'> {
  /** An in-process client with the rights of an administrator. */
  readonly client: Client;
  reload(reload: CoreReload): void;
}
