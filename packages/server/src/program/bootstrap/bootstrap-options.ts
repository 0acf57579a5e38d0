import {
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
} from '@tributary/apimachinery';

/** Installation of a server. Everything but the image has a default. */
export interface BootstrapOptions {
  /** The container image; its entry point is the server's program. */
  readonly image: string;
  /** Default: the first label of the group, and `-system`. */
  readonly namespace?: string;
  /** Name of the Service, the Deployment and the service account. Default: that label, and `-apiserver`. */
  readonly service?: string;
  /** The CAs by which the aggregator verifies the server's certificate. Default: those of its machine. */
  readonly trust?: ServingTrust;
  /** Content of the serving Secret. Without it a Secret of that name must be created separately. */
  readonly serving?: ServingSecret;
  /** A PersistentVolumeClaim for the store. Without it objects are lost with the pod. */
  readonly storageClaim?: string;
}

export type ServingTrust =
  | { readonly kind: 'ca' /** PEM. */; readonly ca: string }
  /** Allows a man in the middle to read and change everything. Never the default. */
  | { readonly kind: 'nothing is verified' };

/** PEM. */
export interface ServingSecret {
  readonly cert: string;
  readonly key: string;
  readonly ca?: string;
}

/** The options with their defaults, and the group as part of object names. */
export interface Installation extends BootstrapOptions {
  /** Prefix of the names of cluster-scoped objects, so that those of two servers differ. */
  readonly owner: string;
  readonly namespace: string;
  readonly service: string;
}

export const SERVICE_PORT = 443;
/** The default port of every server; an account without root privileges may open it. */
export const CONTAINER_PORT = 6443;

/** Reports an invalid name before a cluster rejects half of the objects. */
export class BootstrapOptionError extends Error {
  readonly option: string;

  constructor(option: string, value: string, why: string) {
    super(`${option} ${JSON.stringify(value)}: ${why}`);
    this.name = 'BootstrapOptionError';
    this.option = option;
  }
}

export function installationOf(
  owner: string,
  options: BootstrapOptions,
  defaults: { readonly namespace: string; readonly service: string },
): Installation {
  const { namespace = defaults.namespace, service = defaults.service } = options;
  requireName('namespace', namespace, dns1123LabelErrors);
  requireName('service', service, dns1035LabelErrors);
  if (options.storageClaim !== undefined) {
    requireName('storageClaim', options.storageClaim, dns1123SubdomainErrors);
  }
  requireImage(options.image);
  return { ...options, owner, namespace, service };
}

export function secretName({ service }: Pick<Installation, 'service'>): string {
  return `${service}-tls`;
}

function requireName(option: string, value: string, errorsOf: (value: string) => string[]): void {
  const [why] = errorsOf(value);
  if (why !== undefined) throw new BootstrapOptionError(option, value, why);
}

/** As the API server validates it: not empty, and without surrounding whitespace. */
function requireImage(image: string): void {
  if (image === '') throw new BootstrapOptionError('image', image, 'say which image to run');
  if (/\s/.test(image))
    throw new BootstrapOptionError('image', image, 'must not have blanks in it');
}
