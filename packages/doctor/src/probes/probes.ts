import type { X509Certificate } from 'node:crypto';
import type { RemoteServer } from '@tributary/aggregator/api-services';
import type { APIService } from '@tributary/api/apiregistration-v1';
import type { Service } from '@tributary/api/core-v1';
import type { EndpointSlice } from '@tributary/api/discovery-v1';
import type { Target } from '@tributary/proxy';

type ServiceReference = RemoteServer['service'];

/** The user as whom discovery is requested. */
export const AGGREGATOR_USER = 'system:kube-aggregator';

/** `forbidden`: this user may not read the object, which may exist. */
export type ReadResult<T> =
  | { readonly kind: 'found'; readonly value: T }
  | { readonly kind: 'missing' }
  | { readonly kind: 'forbidden'; readonly message: string };

/** The client certificate that the aggregator presents to API servers. */
export type FrontProxyPair =
  | { readonly kind: 'none'; readonly message: string }
  | {
      readonly kind: 'pair';
      readonly certFile: string;
      readonly cert: string;
      /** Undefined: the file cannot be read. */
      readonly key: string | undefined;
      /** The CA of the certificate, in the same directory. */
      readonly caFile: string;
      readonly ca: string | undefined;
    };

export type DnsResult =
  | { readonly addresses: readonly string[] }
  | { readonly code: string; readonly message: string };

export type ConnectResult =
  | { readonly kind: 'open' }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

export interface ServerTrust {
  /** PEM of each CA; undefined: the CAs of the system. */
  readonly caCertificates: readonly string[] | undefined;
  readonly insecureSkipTlsVerify: boolean;
}

export type TlsResult =
  | {
      readonly kind: 'done';
      /** Leaf first. */
      readonly chain: readonly X509Certificate[];
      /** OpenSSL's code when verification fails. */
      readonly verifyCode: string | undefined;
    }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

export type ProbeResponse =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Buffer;
      readonly durationMs: number;
    }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

export interface ProbeRequest {
  readonly path: string;
  /** Groups of the requesting user, sent in X-Remote-Group. */
  readonly groups: readonly string[];
  readonly timeoutMs: number;
}

/** How to reach an API server as the aggregator does. */
export interface DirectRoute {
  readonly target: Target;
  readonly trust: ServerTrust;
  readonly identity: { readonly cert: string; readonly key: string };
}

/** Subjects of role bindings, as `kind:namespace:name`. */
export type Subjects = ReadResult<readonly string[]>;

/** All input of the checks. Reads only. Throws `ClusterUnavailable` when the API server does not respond. */
export interface Probes {
  nowMs(): number;
  sleep(ms: number): Promise<void>;
  apiService(name: string): Promise<ReadResult<APIService>>;
  apiServices(): Promise<ReadResult<readonly APIService[]>>;
  service(reference: ServiceReference): Promise<ReadResult<Service>>;
  services(namespace: string): Promise<ReadResult<readonly Service[]>>;
  endpointSlices(reference: ServiceReference): Promise<ReadResult<readonly EndpointSlice[]>>;
  /** `data` of the ConfigMap kube-system/extension-apiserver-authentication. */
  authenticationConfig(): Promise<ReadResult<Readonly<Record<string, string>>>>;
  /** Subjects that may read that ConfigMap. */
  authenticationReaders(): Promise<Subjects>;
  frontProxyPair(): Promise<FrontProxyPair>;
  /** PEM of the CA that `tributary pki` created for the group's server, if it did. */
  localCa(group: string): Promise<string | undefined>;
  resolve(host: string): Promise<DnsResult>;
  connect(target: Target): Promise<ConnectResult>;
  handshake(target: Target, trust: ServerTrust): Promise<TlsResult>;
  /** Sends the request to the API server as the aggregator does. */
  requestDirectly(route: DirectRoute, request: ProbeRequest): Promise<ProbeResponse>;
  /** Sends the request to the aggregator, as the user of the kubeconfig. */
  requestThroughAggregator(request: Omit<ProbeRequest, 'groups'>): Promise<ProbeResponse>;
}

/** The API server does not respond, so nothing can be diagnosed. */
export class ClusterUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ClusterUnavailable';
  }
}
