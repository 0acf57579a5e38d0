import type { Secret } from '@tributary/api/core-v1';
import type { Informer } from '@tributary/client';
import type { ControllerDependencies, RemoteGroups } from '@tributary/client/controller';
import type { TokenSecretOptions } from '../authentication/index.ts';
import { runFlowControlEnsurer } from '../flow-control/ensure-configuration.ts';
import { runFlowSchemaStatus } from '../flow-control/schema-status.ts';
import { runClusterRoleAggregation } from './cluster-role-aggregation.ts';
import { runGarbageCollector } from './garbage-collection/garbage-collector.ts';
import type { LocalMetadata } from './garbage-collection/local-monitor.ts';
import { runIdentityLease } from './identity-lease.ts';
import { runLegacyTokenTracking } from './legacy-token-tracking.ts';
import { runNamespaceController } from './namespace/namespace-controller.ts';
import type { Trust } from './published-trust.ts';
import { runRootCaPublisher } from './root-ca-publisher.ts';
import { runTokenSecretController } from './service-account-tokens.ts';
import { runServiceAccountController } from './service-accounts.ts';
import { runSystemNamespaces } from './system-namespaces.ts';
import { runBootstrapTokenCleaner } from './token-cleaner.ts';
import { runTrustPublisher } from './trust-publisher.ts';
import {
  runClaimProtection,
  runVolumeAttributesClassProtection,
  runVolumeProtection,
} from './volume-protection.ts';

export interface ControllerOptions {
  /** The content of the ConfigMap extension-apiserver-authentication. */
  readonly trust: () => Trust;
  /** PEM of the authority of the serving certificate. */
  readonly rootCa: () => string;
  readonly tokenSecrets: () => TokenSecretOptions;
  /** Secrets of bootstrap tokens; undefined when they are not accepted. */
  readonly bootstrapTokens: Informer<Secret> | undefined;
  /** Groups that other servers serve; undefined when there are none. */
  readonly remoteGroups?: RemoteGroups | undefined;
  /** Controllers that do not run, or run in another program. */
  readonly disabled?: ReadonlySet<ControllerName> | undefined;
  /** Called when the garbage collector's discovery fails, or a resource cannot be listed in time. */
  readonly onCollectorSyncError?: (() => void) | undefined;
  /** Watches of resources that this process stores. */
  readonly localMetadata?: LocalMetadata | undefined;
}

export interface RunningControllers {
  /** Publishes changed certificates. */
  certificatesChanged(): void;
  /** Resolves when all controllers have ended after the signal. */
  readonly done: Promise<unknown>;
}

/** The controllers of upstream's kube-controller-manager, by their names in `--controllers`. */
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

/** Starts the controllers of a control plane. */
export function startControllers(
  options: ControllerOptions,
  dependencies: ControllerDependencies,
): RunningControllers {
  const {
    trust,
    rootCa,
    tokenSecrets,
    bootstrapTokens,
    remoteGroups,
    disabled = new Set(),
  } = options;
  bootstrapTokens?.start();
  dependencies.signal.addEventListener('abort', () => void bootstrapTokens?.close(), {
    once: true,
  });
  runSystemNamespaces(dependencies);
  runFlowControlEnsurer(dependencies);
  const published = runTrustPublisher(trust, dependencies);
  let rootCaAgain = () => {};
  const byName: Readonly<Record<ControllerName, () => Promise<void>>> = {
    'clusterrole-aggregation-controller': () => runClusterRoleAggregation(dependencies),
    'garbage-collector-controller': () =>
      runGarbageCollector(dependencies, {
        remoteGroups,
        onSyncError: options.onCollectorSyncError,
        localMetadata: options.localMetadata,
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
      if (bootstrapTokens) await runBootstrapTokenCleaner(bootstrapTokens, dependencies);
    },
    'volumeattributesclass-protection-controller': () =>
      runVolumeAttributesClassProtection(dependencies),
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
      published.resync();
      rootCaAgain();
    },
    done,
  };
}
