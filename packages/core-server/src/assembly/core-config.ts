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
    'authorizer' | 'namespaces' | 'lookUpToken' | 'routes' | 'tokens' | 'log'
  >;
  readonly log: NonNullable<ServerConfig['log']>;
  readonly clock?: Clock;
  readonly tokens?: StaticTokens;
  /** PEM of who signs the certificate of this server. */
  readonly servingCa: string;
  readonly serviceAccounts: {
    readonly keys: KeySet;
    /** The first signs, all are believed. */
    readonly issuers: readonly string[];
    /** Who this server is to tokens. Default: the issuers. */
    readonly apiAudiences?: readonly string[];
    readonly maxExpirationSeconds?: number;
  };
  /** Of cluster IPs, such as `10.0.0.0/24`. */
  readonly serviceRange: string;
  /** Whether servers on this machine may be endpoints of services. Default: no, as upstream. */
  readonly allowLoopbackEndpoints?: boolean;
  /** Where programs inside the cluster find this server. Default: an address of this machine. */
  readonly advertiseAddress?: string;
  /** Whether requests are served by flow schemas and priority levels. Default: yes. */
  readonly priorityAndFairness?: boolean;
  /** Default: an hour. */
  readonly eventTtlSeconds?: number;
  /** Whether tokens by which nodes join are believed. Default: no. */
  readonly bootstrapTokens?: boolean;
  readonly jwtIssuers?: AudienceTokenLookup;
  readonly tokenWebhook?: AudienceTokenLookup;
  /** Another part of the program that serves beside the core: the aggregator. */
  readonly extend?: ((dependencies: ExtensionDependencies) => CoreExtension) | undefined;
  /** Controllers that do not run here. Default: none of them. */
  readonly disabledControllers?: ReadonlySet<ControllerName> | undefined;
  /** Who decides what users may do, in this order. Default: roles alone. */
  readonly authorizationModes?: readonly ('RBAC' | 'Webhook' | 'AlwaysAllow')[] | undefined;
  /** Who is asked in the mode `Webhook`. */
  readonly authorizationWebhook?: Authorizer;
  /**
   * Called when an object that the server needs to authorize, admit or route requests is in the store and cannot be read: a program
   * ends then. Default: it tries again for ever, and what depends on the object is not served.
   */
  readonly onUnservable?: (reason: Error) => void;
}

export interface CoreReload extends Reload {
  readonly servingCa?: string;
}

export interface RunningCoreServer extends Omit<RunningServer, 'reload'> {
  /** The server as an administrator, in this process. */
  readonly client: Client;
  reload(reload: CoreReload): void;
}
