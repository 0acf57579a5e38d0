/** Repairs that several hops have in common. */
import { join } from 'node:path';
import type { Service } from '@tributary/api/core-v1';
import type { EndpointSlice } from '@tributary/api/discovery-v1';
import { annotations, type RemoteRegistration } from '../registrations/registration.ts';
import type { Fix } from './finding.ts';

/** Where the reader is: what commands have to say so that they are about the same cluster. */
export interface Place {
  /** `--kubeconfig` and `--context`, if they were given. */
  readonly kubectlFlags: readonly string[];
  readonly dataDir: string;
  /** The directory is of an aggregator in front of somebody else's cluster, whose trust is not the user's to change. */
  readonly isStandalone: boolean;
}

export const TRUST_NAMESPACE = 'kube-system';
export const TRUST_NAME = 'extension-apiserver-authentication';
export const TRUST_ROLE = 'extension-apiserver-authentication-reader';

export function mergePatch(
  resource: readonly string[],
  patch: object,
  blanks?: Readonly<Record<string, string>>,
): Fix {
  const args = ['patch', ...resource, '--type=merge', '-p', JSON.stringify(patch)];
  return { kind: 'kubectl', args, ...(blanks && { blanks }) };
}

export function jsonPatch(
  resource: readonly string[],
  operation: { readonly op: string; readonly path: string; readonly value: unknown },
): Fix {
  const args = ['patch', ...resource, '--type=json', '-p', JSON.stringify([operation])];
  return { kind: 'kubectl', args };
}

/** The authority that signed the server's certificate, into the registration. */
export function caBundleFix(name: string, authority: string | undefined): Fix {
  if (authority !== undefined) {
    const caBundle = Buffer.from(authority).toString('base64');
    return mergePatch(['apiservice', name], { spec: { caBundle } });
  }
  const blanks = {
    CA_BUNDLE: "the PEM of the CA that signed the server's certificate, as: base64 -w0 < ca.crt",
  };
  return mergePatch(['apiservice', name], { spec: { caBundle: 'CA_BUNDLE' } }, blanks);
}

/** A new pair for the name that the aggregator asks for, given to the server and believed by the registration. */
export function certificateFixes(
  { name, group, remote }: RemoteRegistration,
  { dataDir, kubectlFlags }: Place,
  verb: 'init' | 'renew',
): readonly Fix[] {
  const { service, url } = remote;
  if (url !== undefined) {
    const host = url.hostname;
    const text = `give the server a certificate with ${host} among its subject alternative names`;
    return [{ kind: 'server', action: 'restart', text }];
  }
  const directory = join(dataDir, 'pki', 'servers', group);
  const of = ['--server', group, '--service', `${service.namespace}/${service.name}`];
  const kubectl = ['kubectl', ...kubectlFlags.map(quoted)].join(' ');
  const bundle = `$(cat ${quoted(join(directory, 'ca-bundle.txt'))})`;
  return [
    { kind: 'command', argv: ['tributary', 'pki', verb, '--data-dir', dataDir, ...of] },
    {
      kind: 'server',
      action: 'restart',
      text: `start the server with the new pair (in a cluster: kubectl apply -f ${join(directory, 'secret.yaml')}, which its Deployment mounts)`,
      flags: [
        `--tls-cert-file=${join(directory, 'tls.crt')}`,
        `--tls-private-key-file=${join(directory, 'tls.key')}`,
      ],
    },
    {
      kind: 'script',
      script: `${kubectl} patch apiservice ${quoted(name)} --type=merge -p "{\\"spec\\":{\\"caBundle\\":\\"${bundle}\\"}}"`,
    },
  ];
}

export interface ServiceObjects {
  readonly service: Service | undefined;
  readonly slices: readonly EndpointSlice[];
}

/** Somebody else answers where the registration leads: lead it to the API server. */
export function pointElsewhere(
  { name, remote }: RemoteRegistration,
  { service, slices }: ServiceObjects,
): Fix {
  const { namespace, name: serviceName, port } = remote.service;
  if (remote.url !== undefined) {
    const args = ['annotate', 'apiservice', name, '--overwrite', `${annotations.url}=URL`];
    return { kind: 'kubectl', args, blanks: { URL: 'https://HOST:PORT of the API server' } };
  }
  const inNamespace = ['-n', namespace];
  if (service?.spec.type === 'ExternalName') return externalNameFix(remote);
  const [slice] = slices;
  const managed = service?.spec.selector !== undefined;
  if (managed || slice === undefined) {
    const index = service?.spec.ports?.findIndex((one) => one.port === port) ?? 0;
    const operation = `[{"op":"add","path":"/spec/ports/${Math.max(index, 0)}/targetPort","value":PORT}]`;
    return portPatch(['service', serviceName, ...inNamespace], operation);
  }
  const portName = service?.spec.ports?.find((one) => one.port === port)?.name ?? '';
  const index = slice.ports?.findIndex(({ name = '' }) => name === portName) ?? 0;
  const operation = `[{"op":"replace","path":"/ports/${Math.max(index, 0)}/port","value":PORT}]`;
  return portPatch(['endpointslice', slice.metadata.name ?? '', ...inNamespace], operation);
}

export function externalNameFix({ service }: RemoteRegistration['remote']): Fix {
  const blanks = { HOST: 'a DNS name at which the server is reached' };
  const patch = { spec: { externalName: 'HOST' } };
  return mergePatch(['service', service.name, '-n', service.namespace], patch, blanks);
}

/** A number, so it cannot be made from an object. */
function portPatch(resource: readonly string[], operation: string): Fix {
  const blanks = { PORT: 'where the API server listens' };
  return { kind: 'kubectl', args: ['patch', ...resource, '--type=json', '-p', operation], blanks };
}

/** For a POSIX shell. */
export function quoted(word: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
