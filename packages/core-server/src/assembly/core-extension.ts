import type { Client, Clock } from '@tributary/client';
import type { SharedInformers } from '@tributary/client/controller';
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
import type { RemoteGroups } from '../controllers/namespace/remote-groups.ts';
import type { ResolveService } from '../custom-resources/serving/call-webhook.ts';

/** What an extension of the control plane is given. The functions answer once the server is assembled. */
export interface ExtensionDependencies {
  /** The server as an administrator, in this process. */
  readonly client: () => Client;
  readonly informers: () => SharedInformers;
  readonly clock: Clock;
  readonly log: Logger;
  /** Everything that this process serves by itself from its start to its end, the extension's own kinds included. */
  readonly apis: () => readonly ApiDefinition[];
  /** The same with what comes and goes meanwhile, such as custom resources. */
  readonly live: () => LiveResources;
  /** Who may do what. */
  readonly authorize: Authorizer;
}

/** Another part of the program that serves beside the control plane, in the same process: the aggregator. */
export interface CoreExtension {
  /** Kinds of its own. */
  readonly apis: readonly ApiDefinition[];
  /** Asked before everything else. */
  readonly routes: readonly Route[];
  readonly healthChecks?: readonly HealthCheck[];
  registerMetrics?(registry: MetricsRegistry): void;
  /** What it passes on and that lives as long as its client wants. */
  readonly isLongRunning?: LongRunningCheck;
  /** Decides in place of roles where it has something to say, and asks them otherwise. */
  authorize?(roles: Authorizer): Authorizer;
  /** Groups that other servers serve, for whoever empties namespaces; there once it is started. */
  readonly remoteGroups?: () => RemoteGroups | undefined;
  /** Where a service answers at the moment, for webhooks; throws why nowhere. There once it is started. */
  readonly resolveService?: ResolveService;
  /** The server answers in this process, its port is not open yet. Waits for nobody but the store. */
  start(signal: AbortSignal): Promise<void>;
  /** Before the port is closed. */
  close(): Promise<void>;
}
