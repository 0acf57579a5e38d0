/** The expected content of a certificate directory, as data for creation, renewal and inspection. */
import { hostname } from 'node:os';
import { isServerName, type LeafRequest, nameKey } from '@tributary/server/pki';

/** `<file>.crt` is a bundle: one certificate belongs to `<file>.key`, others are trusted while a CA is replaced. */
export interface AuthoritySpec {
  readonly file: string;
  readonly commonName: string;
  /** The purpose as `pki` prints it. */
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
  /** The base name of the key pair of service account tokens: `<file>.key` and `<file>.pub`. */
  readonly signingKey?: string;
}

export interface ServingNames {
  /** DNS names of the server, beside its host name and those of the Service `kubernetes`. */
  readonly names?: readonly string[];
  /** Addresses: the advertised one and the cluster IP of the Service `kubernetes`. */
  readonly addresses?: readonly string[];
}

const LOOPBACK = ['localhost', '127.0.0.1', '::1'];
const SERVICE = 'kubernetes.default.svc';

/** The names are kubeadm's, except for the CA of serving certificates, which kubeadm does not separate. */
export function controlPlaneInventory({ names = [], addresses = [] }: ServingNames): Inventory {
  rejectInvalidNames([...names, ...addresses]);
  const ownNames = [hostname()].filter(isServerName); // The host name may not be a valid DNS name.
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

/** The aggregator verifies `<name>.<namespace>.svc` whatever address it dials. */
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

/** Keeps the first of equal names. */
export function distinctNames(names: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const name of names) {
    if (!byKey.has(nameKey(name))) byKey.set(nameKey(name), name);
  }
  return [...byKey.values()];
}

function rejectInvalidNames(names: readonly string[]): void {
  const wrong = names.find((name) => !isServerName(name));
  if (wrong === undefined) return;
  throw new Error(`${JSON.stringify(wrong)} is neither a DNS name nor an address`);
}
