import type { Secret } from '@tributary/api/core-v1';
import type { Informer } from '@tributary/client';
import type { ControllerDependencies, RemoteGroups } from '@tributary/client/controller';
import type { TokenSecretOptions } from '../authentication/index.ts';
import { runFlowControlEnsurer } from '../flow-control/ensure-configuration.ts';
import { runFlowSchemaStatus } from '../flow-control/schema-status.ts';
import type { Trust } from './cluster-authentication-info.ts';
import { runTrustPublisher } from './cluster-authentication-trust.ts';
import { runClusterRoleAggregation } from './cluster-role-aggregation.ts';
import { runGarbageCollector } from './garbage-collection/garbage-collector.ts';
import type { OwnMetadata } from './garbage-collection/local-monitor.ts';
import { runIdentityLease } from './identity-lease.ts';
import { runLegacyTokenTracking } from './legacy-token-tracking.ts';
import { runNamespaceController } from './namespace/namespace-controller.ts';
import { runRootCaPublisher } from './root-ca-publisher.ts';
import { runTokenSecretController } from './service-account-tokens.ts';
import { runServiceAccountController } from './service-accounts.ts';
import { keepSystemNamespaces } from './system-namespaces.ts';
import { runBootstrapTokenCleaner } from './token-cleaner.ts';
import {
  runAttributesClassProtection,
  runClaimProtection,
  runVolumeProtection,
} from './volume-protection.ts';

export interface ControllerOptions {
  /** What extension servers are told to believe. */
  readonly trust: () => Trust;
  /** PEM of who signs the certificate of this server. */
  readonly rootCa: () => string;
  readonly tokenSecrets: () => TokenSecretOptions;
  /** Secrets by which nodes join; undefined when they are not believed. */
  readonly joining: Informer<Secret> | undefined;
  /** Groups that other servers serve; undefined when there are none. */
  readonly remoteGroups?: RemoteGroups | undefined;
  /** Those that somebody else runs, or nobody. */
  readonly disabled?: ReadonlySet<ControllerName> | undefined;
  /** The garbage collector does not know what is served, or could not list it in time. */
  readonly onCollectorSyncError?: (() => void) | undefined;
  /** What is kept in this process. */
  readonly ownMetadata?: OwnMetadata | undefined;
}

export interface RunningControllers {
  /** Certificates have changed: what is published of them is written again. */
  certificatesChanged(): void;
  /** When all of them have ended, after the signal. */
  readonly done: Promise<unknown>;
}

/** What upstream runs in a program of its own, by the names that its flag `--controllers` knows. */
export const controllerNames = [
  'clusterrole-aggregation-controller',
  'garbage-collector-controller',
  'namespace-controller',
  'persistentvolume-protection-controller',
  'persistentvolumeclaim-protection-controller',
  'root-ca-certificate-publisher-controller',
  'serviceaccount-controller',
  'serviceaccount-token-controller',
  'token-cleaner-controller',
  'volumeattributesclass-protection-controller',
] as const;
export type ControllerName = (typeof controllerNames)[number];

/** Everything that keeps a control plane in order by itself. */
export function startControllers(
  options: ControllerOptions,
  dependencies: ControllerDependencies,
): RunningControllers {
  const { trust, rootCa, tokenSecrets, joining, remoteGroups, disabled = new Set() } = options;
  joining?.start();
  dependencies.signal.addEventListener('abort', () => void joining?.close(), { once: true });
  keepSystemNamespaces(dependencies);
  runFlowControlEnsurer(dependencies);
  const published = runTrustPublisher(trust, dependencies);
  let rootCaAgain = () => {};
  const byName: Readonly<Record<ControllerName, () => Promise<void>>> = {
    'clusterrole-aggregation-controller': () => runClusterRoleAggregation(dependencies),
    'garbage-collector-controller': () =>
      runGarbageCollector(dependencies, {
        remoteGroups,
        onSyncError: options.onCollectorSyncError,
        ownMetadata: options.ownMetadata,
      }),
    'namespace-controller': () =>
      runNamespaceController(dependencies, { ...(remoteGroups && { remoteGroups }) }),
    'persistentvolume-protection-controller': () => runVolumeProtection(dependencies),
    'persistentvolumeclaim-protection-controller': () => runClaimProtection(dependencies),
    'root-ca-certificate-publisher-controller': () => {
      const { done, again } = runRootCaPublisher(rootCa, dependencies);
      rootCaAgain = again;
      return done;
    },
    'serviceaccount-controller': () => runServiceAccountController(dependencies),
    'serviceaccount-token-controller': () => runTokenSecretController(tokenSecrets, dependencies),
    'token-cleaner-controller': async () => {
      if (joining) await runBootstrapTokenCleaner(joining, dependencies);
    },
    'volumeattributesclass-protection-controller': () => runAttributesClassProtection(dependencies),
  };
  const done = Promise.allSettled([
    published.done,
    runIdentityLease(dependencies),
    runLegacyTokenTracking(dependencies),
    runFlowSchemaStatus(dependencies),
    ...controllerNames.filter((name) => !disabled.has(name)).map((name) => byName[name]()),
  ]);
  return {
    certificatesChanged: () => {
      published.again();
      rootCaAgain();
    },
    done,
  };
}
