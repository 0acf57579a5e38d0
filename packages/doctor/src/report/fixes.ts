/** Fixes that several checks share. */
import { join } from 'node:path';
import { annotations, type RemoteRegistration } from '@tributary/aggregator/api-services';
import type { Service } from '@tributary/api/core-v1';
import type { EndpointSlice } from '@tributary/api/discovery-v1';
import type { Fix } from './diagnosis.ts';

/** Flags and directories that make printed commands address the same cluster. */
export interface CommandContext {
  /** `--kubeconfig` and `--context`, if set. */
  readonly kubectlFlags: readonly string[];
  readonly dataDir: string;
  /** The data directory belongs to an aggregator in front of another cluster, whose trust the user must not change. */
  readonly isStandalone: boolean;
}

export const AUTHENTICATION_NAMESPACE = 'kube-system';
export const AUTHENTICATION_CONFIG_MAP = 'extension-apiserver-authentication';
export const AUTHENTICATION_READER_ROLE = 'extension-apiserver-authentication-reader';

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

/** Writes the CA that signed the server's certificate into the APIService. */
export function caBundleFix(name: string, ca: string | undefined): Fix {
  if (ca !== undefined) {
    const caBundle = Buffer.from(ca).toString('base64');
    return mergePatch(['apiservice', name], { spec: { caBundle } });
  }
  const blanks = {
    CA_BUNDLE: "the PEM of the CA that signed the server's certificate, as: base64 -w0 < ca.crt",
  };
  return mergePatch(['apiservice', name], { spec: { caBundle: 'CA_BUNDLE' } }, blanks);
}

/** Issues a serving pair for the TLS name that the aggregator expects, and puts its CA into the APIService. */
export function certificateFixes(
  { name, group, remote }: RemoteRegistration,
  { dataDir, kubectlFlags }: CommandContext,
  verb: 'init' | 'renew',
): readonly Fix[] {
  const { service, url } = remote;
  if (url !== undefined) {
    const host = url.hostname;
    const text = `start the server with a certificate that has ${host} as a subject alternative name`;
    return [{ kind: 'server', action: 'restart', text }];
  }
  const directory = join(dataDir, 'pki', 'servers', group);
  const server = ['--server', group, '--service', `${service.namespace}/${service.name}`];
  const kubectl = ['kubectl', ...kubectlFlags.map(shellQuote)].join(' ');
  const bundle = `$(cat ${shellQuote(join(directory, 'ca-bundle.txt'))})`;
  return [
    { kind: 'command', argv: ['tributary', 'pki', verb, '--data-dir', dataDir, ...server] },
    {
      kind: 'server',
      action: 'restart',
      text: `restart the server with the new pair (in a cluster: kubectl apply -f ${join(directory, 'secret.yaml')}, a Secret that its Deployment mounts)`,
      flags: [
        `--tls-cert-file=${join(directory, 'tls.crt')}`,
        `--tls-private-key-file=${join(directory, 'tls.key')}`,
      ],
    },
    {
      kind: 'script',
      script: `${kubectl} patch apiservice ${shellQuote(name)} --type=merge -p "{\\"spec\\":{\\"caBundle\\":\\"${bundle}\\"}}"`,
    },
  ];
}

export interface ServiceObjects {
  readonly service: Service | undefined;
  readonly slices: readonly EndpointSlice[];
}

/** Another program responds at the registered address: points the registration to the API server. */
export function redirectFix(
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
  const blanks = { HOST: 'a DNS name of the server' };
  const patch = { spec: { externalName: 'HOST' } };
  return mergePatch(['service', service.name, '-n', service.namespace], patch, blanks);
}

/** PORT stands for a number, so the operation is text and not an object. */
function portPatch(resource: readonly string[], operation: string): Fix {
  const blanks = { PORT: 'the port that the API server listens on' };
  return { kind: 'kubectl', args: ['patch', ...resource, '--type=json', '-p', operation], blanks };
}

/** Quotes a word for a POSIX shell. */
export function shellQuote(word: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
