import type { KeyPair } from '@tributary/server/pki';
import { type EnsuredPki, ensurePki } from './ensure.ts';
import { controlPlaneInventory, type ServingNames } from './inventory.ts';

export interface ControlPlaneOptions extends ServingNames {
  readonly nowMs: number;
}

/** PEM of everything that a control plane with aggregation serves and verifies with. The CAs are bundles. */
export interface ControlPlanePki {
  /** Verifies users. */
  readonly clientCa: string;
  /** Verifies this server; belongs into kubeconfigs and `kube-root-ca.crt`. */
  readonly servingCa: string;
  readonly serving: KeyPair;
  /** Verifies aggregators, which may say on whose behalf they come. */
  readonly frontProxyCa: string;
  /** The aggregator's identity towards extension servers. */
  readonly frontProxyClient: KeyPair;
  /** In the group `system:masters`. */
  readonly admin: KeyPair;
  /** Signs and verifies the tokens of service accounts. */
  readonly serviceAccount: { readonly key: string; readonly publicKeys: string };
  /** The files that had to be made anew; empty when everything was good. */
  readonly made: readonly string[];
}

/** Reads every certificate of a control plane, and makes what is missing, broken or runs out within 30 days. */
export async function controlPlanePki(
  directory: string,
  options: ControlPlaneOptions,
): Promise<ControlPlanePki> {
  return partsOf(await ensurePki(directory, controlPlaneInventory(options), options));
}

/** The same on a running server: answers the certificates when some of them were renewed, otherwise undefined. */
export async function renewIfDue(
  directory: string,
  options: ControlPlaneOptions,
): Promise<ControlPlanePki | undefined> {
  const pki = await controlPlanePki(directory, options);
  return pki.made.length > 0 ? pki : undefined;
}

/** New leaves, whether or not they are due. They keep the names that they had. */
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
