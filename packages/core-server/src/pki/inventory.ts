/** What a directory of certificates has to hold, as data: making, renewing and judging all follow it. */
import { hostname } from 'node:os';
import { isServerName, type LeafRequest, nameKey } from '@tributary/server/pki';

/** `<file>.crt` is a bundle: one certificate is of `<file>.key`, others are trusted as well while a CA is rolled. */
export interface AuthoritySpec {
  readonly file: string;
  readonly commonName: string;
  /** Who trusts it, for people. */
  readonly purpose: string;
  /** Another authority that must have another key. */
  readonly apartFrom?: string;
}

export interface LeafSpec extends LeafRequest {
  readonly file: string;
  /** The file of the authority that signs it. */
  readonly authority: string;
}

export interface Inventory {
  readonly authorities: readonly AuthoritySpec[];
  readonly leaves: readonly LeafSpec[];
  /** The name of the pair that signs the tokens of service accounts: `<file>.key` and `<file>.pub`. */
  readonly signingKey?: string;
}

export interface ServingNames {
  /** DNS names by which clients reach the server, besides its own and those of the `kubernetes` Service. */
  readonly names?: readonly string[];
  /** Addresses: the one it advertises, the cluster IP of the `kubernetes` Service. */
  readonly addresses?: readonly string[];
}

const LOOPBACK = ['localhost', '127.0.0.1', '::1'];
const SERVICE = 'kubernetes.default.svc';

/** The names are kubeadm's, but for the CA of serving certificates, which kubeadm does not separate. */
export function controlPlaneInventory({ names = [], addresses = [] }: ServingNames): Inventory {
  refuseWrongNames([...names, ...addresses]);
  const ownNames = [hostname()].filter(isServerName); // not every machine has a name that one can ask for
  return {
    authorities: [
      { file: 'ca', commonName: 'kubernetes', purpose: 'clients' },
      { file: 'server-ca', commonName: 'kubernetes-server-ca', purpose: 'serving' },
      {
        file: 'front-proxy-ca',
        commonName: 'front-proxy-ca',
        purpose: 'front proxy',
        apartFrom: 'ca',
      },
    ],
    leaves: [
      {
        file: 'apiserver',
        authority: 'server-ca',
        commonName: 'kube-apiserver',
        usage: 'server',
        names: distinctNames([
          'kubernetes',
          'kubernetes.default',
          SERVICE,
          `${SERVICE}.cluster.local`,
          ...LOOPBACK,
          ...ownNames,
          ...names,
          ...addresses,
        ]),
      },
      {
        file: 'front-proxy-client',
        authority: 'front-proxy-ca',
        commonName: 'front-proxy-client',
        usage: 'client',
      },
      {
        file: 'admin',
        authority: 'ca',
        commonName: 'kubernetes-admin',
        organizations: ['system:masters'],
        usage: 'client',
      },
    ],
    signingKey: 'sa',
  };
}

export interface ServiceName {
  readonly namespace: string;
  readonly name: string;
}

/** The aggregator asks for `<name>.<namespace>.svc` whatever address it dials. */
export function extensionServerInventory(group: string, service: ServiceName): Inventory {
  const host = `${service.name}.${service.namespace}`;
  return {
    authorities: [{ file: 'ca', commonName: `${group}-ca`, purpose: 'serving' }],
    leaves: [
      {
        file: 'tls',
        authority: 'ca',
        commonName: `${host}.svc`,
        usage: 'server',
        names: [`${host}.svc`, host, `${host}.svc.cluster.local`],
      },
    ],
  };
}

export function fileNames({ authorities, leaves, signingKey }: Inventory): string[] {
  return [
    ...authorities.flatMap(({ file }) => [`${file}.key`, `${file}.crt`]),
    ...leaves.flatMap(({ file }) => [`${file}.key`, `${file}.crt`]),
    ...(signingKey === undefined ? [] : [`${signingKey}.key`, `${signingKey}.pub`]),
  ];
}

/** The first of equal names stays. */
export function distinctNames(names: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const name of names) {
    if (!byKey.has(nameKey(name))) byKey.set(nameKey(name), name);
  }
  return [...byKey.values()];
}

function refuseWrongNames(names: readonly string[]): void {
  const wrong = names.find((name) => !isServerName(name));
  if (wrong === undefined) return;
  throw new Error(`${JSON.stringify(wrong)} is neither a DNS name nor an address`);
}
