import {
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
} from '@tributary/apimachinery';

/** How a server is installed. Everything but the image has a default. */
export interface BootstrapOptions {
  /** The container image; its entry point is the server's program. */
  readonly image: string;
  /** Default: the first label of the group, and `-system`. */
  readonly namespace?: string;
  /** Of the Service, and of the Deployment and the account behind it. Default: that label, and `-apiserver`. */
  readonly service?: string;
  /** Whom the aggregator trusts to sign the server's certificate. Without it: the authorities of its machine. */
  readonly trust?: ServingTrust;
  /** Put into a Secret. Without it: a Secret of that name is made by somebody else. */
  readonly serving?: ServingSecret;
  /** A PersistentVolumeClaim for the store. Without it objects live as long as the pod. */
  readonly storageClaim?: string;
}

export type ServingTrust =
  | { readonly kind: 'ca' /** PEM. */; readonly ca: string }
  /** Whoever is between them can read and change everything. Never the default. */
  | { readonly kind: 'nothing is verified' };

/** PEM. */
export interface ServingSecret {
  readonly cert: string;
  readonly key: string;
  readonly ca?: string;
}

/** The options with their defaults, and what the group is called in the names of objects. */
export interface Installation extends BootstrapOptions {
  /** Begins the names of cluster-scoped objects, so that those of two servers do not meet. */
  readonly owner: string;
  readonly namespace: string;
  readonly service: string;
}

export const SERVICE_PORT = 443;
/** As every server has it by default; an account that is not root may open it. */
export const CONTAINER_PORT = 6443;

/** What cannot be the name of something is refused in words, before a cluster refuses half of the objects. */
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

/** As the API server judges it: there, and without blanks around it. */
function requireImage(image: string): void {
  if (image === '') throw new BootstrapOptionError('image', image, 'say which image to run');
  if (/\s/.test(image))
    throw new BootstrapOptionError('image', image, 'must not have blanks in it');
}
