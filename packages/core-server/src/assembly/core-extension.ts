import type { Client, Clock } from '@tributary/client';
import type { RemoteGroups, SharedInformers } from '@tributary/client/controller';
import type {
  ApiDefinition,
  Authorizer,
  HealthCheck,
  LiveResources,
  Logger,
} from '@tributary/server';
import type { MetricsRegistry } from '@tributary/server/operations';
import type { LongRunningCheck } from '@tributary/server/request';
import type { Route } from '@tributary/server/routing';
import type { ResolveService } from '../custom-resources/serving/call-webhook.ts';

/** Dependencies of an extension, available before the server exists. */
export interface ExtensionDependencies {
  /** Acts as an administrator. Requests succeed from `start` on. */
  readonly client: Client;
  readonly informers: SharedInformers;
  readonly clock: Clock;
  readonly log: Logger;
  /** The configured authorization modes, without `CoreExtension.authorize`. */
  readonly authorize: Authorizer;
}

/** The server that an extension is started with. */
export interface HostServer {
  /** All built-in APIs, those of the extension included. */
  readonly apis: readonly ApiDefinition[];
  /** The built-in APIs and custom resources. */
  readonly live: LiveResources;
  readonly signal: AbortSignal;
}

/** Another part of the program that serves in the same process as the control plane: the aggregator. */
export interface CoreExtension {
  /** Its own APIs; `core` are the built-in ones. */
  apis(core: readonly ApiDefinition[]): readonly ApiDefinition[];
  /** Routes that take precedence over all others. */
  readonly routes: readonly Route[];
  readonly healthChecks?: readonly HealthCheck[];
  registerMetrics?(registry: MetricsRegistry): void;
  /** Recognizes long-running requests among those that the extension proxies. */
  readonly isLongRunning?: LongRunningCheck;
  /** Wraps the authorizer of the configured modes. */
  authorize?(authorizer: Authorizer): Authorizer;
  /** Groups served by other servers, whose objects namespace deletion must delete; undefined before `start`. */
  readonly remoteGroups?: () => RemoteGroups | undefined;
  /** Resolves the Service of a conversion webhook to an endpoint. Throws the reason when there is none. */
  readonly resolveService?: ResolveService;
  /** Runs before the port opens, with a server that handles in-process requests. Must not wait for other servers. */
  start(server: HostServer): Promise<void>;
  /** Runs before the port closes. */
  close(): Promise<void>;
}
