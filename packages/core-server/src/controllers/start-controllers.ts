import type { Informer } from '@tributary/client';
import type { TokenSecretSurroundings } from '../authentication/index.ts';
import { keepFlowControl } from '../flow-control/keep-configuration.ts';
import { runFlowSchemaStatus } from '../flow-control/schema-status.ts';
import type { Secret } from '../generated/core-v1.ts';
import { runBootstrapTokenCleaner } from './bootstrap-secrets.ts';
import { runClusterRoleAggregation } from './cluster-role-aggregation.ts';
import { runIdentityLease } from './identity-lease.ts';
import { runNamespaceController } from './namespace/namespace-controller.ts';
import { runRootCaPublisher } from './root-ca.ts';
import { runServiceAccountController } from './service-accounts.ts';
import type { ControllerSurroundings } from './surroundings.ts';
import { keepSystemNamespaces } from './system-namespaces.ts';
import { runTokenSecretController } from './token-secrets.ts';
import type { Trust } from './trust-data.ts';
import { runTrustPublisher } from './trust-publisher.ts';

export interface ControllerOptions {
  /** What extension servers are told to believe. */
  readonly trust: () => Trust;
  /** PEM of who signs the certificate of this server. */
  readonly rootCa: () => string;
  readonly tokenSecrets: () => TokenSecretSurroundings;
  /** Secrets by which nodes join; undefined when they are not believed. */
  readonly joining: Informer<Secret> | undefined;
}

export interface RunningControllers {
  /** Certificates have changed: what is published of them is written again. */
  certificatesChanged(): void;
  /** When all of them have ended, after the signal. */
  readonly done: Promise<unknown>;
}

/** Everything that keeps a control plane in order by itself. */
export function startControllers(
  { trust, rootCa, tokenSecrets, joining }: ControllerOptions,
  surroundings: ControllerSurroundings,
): RunningControllers {
  const publishing = [
    runTrustPublisher(trust, surroundings),
    runRootCaPublisher(rootCa, surroundings),
  ];
  keepSystemNamespaces(surroundings);
  keepFlowControl(surroundings);
  joining?.start();
  surroundings.signal.addEventListener('abort', () => void joining?.close(), { once: true });
  const done = Promise.allSettled([
    ...publishing.map((one) => one.done),
    runNamespaceController(surroundings),
    runServiceAccountController(surroundings),
    runClusterRoleAggregation(surroundings),
    runTokenSecretController(tokenSecrets, surroundings),
    runIdentityLease(surroundings),
    runFlowSchemaStatus(surroundings),
    ...(joining ? [runBootstrapTokenCleaner(joining, surroundings)] : []),
  ]);
  return {
    certificatesChanged: () => {
      for (const one of publishing) one.again();
    },
    done,
  };
}
