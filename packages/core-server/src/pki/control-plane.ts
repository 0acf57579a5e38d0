import type { KeyPair } from '@tributary/server/pki';
import { type EnsuredPki, ensurePki } from './ensure.ts';
import { controlPlaneInventory, type ServingNames } from './inventory.ts';

export interface ControlPlaneOptions extends ServingNames {
  readonly nowMs: number;
}

/** PEM of all certificates and keys of a control plane with aggregation. The CAs are bundles. */
export interface ControlPlanePki {
  /** Verifies client certificates. */
  readonly clientCa: string;
  /** Verifies this server; published in kubeconfigs and `kube-root-ca.crt`. */
  readonly servingCa: string;
  readonly serving: KeyPair;
  /** Verifies aggregators, which may send identity headers. */
  readonly frontProxyCa: string;
  /** The aggregator's client certificate towards extension API servers. */
  readonly frontProxyClient: KeyPair;
  /** A client certificate in the group `system:masters`. */
  readonly admin: KeyPair;
  /** Signs and verifies service account tokens. */
  readonly serviceAccount: { readonly key: string; readonly publicKeys: string };
  /** Files that were created; empty when all were valid. */
  readonly made: readonly string[];
}

/** Reads the certificates of a control plane, and creates those that are missing, invalid or expire within 30 days. */
export async function controlPlanePki(
  directory: string,
  options: ControlPlaneOptions,
): Promise<ControlPlanePki> {
  return partsOf(await ensurePki(directory, controlPlaneInventory(options), options));
}

/** The same for a running server: returns the certificates when some were renewed, otherwise undefined. */
export async function renewIfDue(
  directory: string,
  options: ControlPlaneOptions,
): Promise<ControlPlanePki | undefined> {
  const pki = await controlPlanePki(directory, options);
  return pki.made.length > 0 ? pki : undefined;
}

/** Renews all leaves, due or not. They keep their names. */
export async function renewControlPlane(
  directory: string,
  options: ControlPlaneOptions,
): Promise<ControlPlanePki> {
  const inventory = controlPlaneInventory(options);
  return partsOf(
    await ensurePki(directory, inventory, { nowMs: options.nowMs, renewLeaves: true }),
  );
}

function partsOf({ files, made }: EnsuredPki): ControlPlanePki {
  const text = (name: string): string => files.get(name) ?? '';
  const pair = (name: string): KeyPair => ({
    cert: text(`${name}.crt`),
    key: text(`${name}.key`),
  });
  return {
    clientCa: text('ca.crt'),
    servingCa: text('server-ca.crt'),
    serving: pair('apiserver'),
    frontProxyCa: text('front-proxy-ca.crt'),
    frontProxyClient: pair('front-proxy-client'),
    admin: pair('admin'),
    serviceAccount: { key: text('sa.key'), publicKeys: text('sa.pub') },
    made,
  };
}
