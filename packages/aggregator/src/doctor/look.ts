import type { X509Certificate } from 'node:crypto';
import type { APIService } from '@tributary/api/apiregistration-v1';
import type { Service } from '@tributary/api/core-v1';
import type { EndpointSlice } from '@tributary/api/discovery-v1';
import type { RemoteServer } from '../registrations/registration.ts';
import type { Target } from '../targets/target.ts';

type ServiceReference = RemoteServer['service'];

/** `refused`: it may be there, but this user may not read it. */
export type Seen<T> =
  | { readonly kind: 'found'; readonly value: T }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly why: string };

/** The certificate by which servers recognise the aggregator. */
export type IdentitySeen =
  | { readonly kind: 'none'; readonly why: string }
  | {
      readonly kind: 'pair';
      readonly certFile: string;
      readonly cert: string;
      /** Undefined: the file is not there. */
      readonly key: string | undefined;
      /** Of its authority, as it lies beside it. */
      readonly caFile: string;
      readonly ca: string | undefined;
    };

export type Lookup =
  | { readonly addresses: readonly string[] }
  | { readonly code: string; readonly why: string };

export type Connection =
  | { readonly kind: 'open' }
  | { readonly kind: 'failed'; readonly code: string; readonly why: string };

export interface Whom {
  /** PEM of each authority; undefined: those of the system. */
  readonly authorities: readonly string[] | undefined;
  readonly insecure: boolean;
}

export type Handshake =
  | {
      readonly kind: 'done';
      /** The leaf first. */
      readonly chain: readonly X509Certificate[];
      /** Why the chain is not believed, as OpenSSL calls it. */
      readonly verifyCode: string | undefined;
    }
  | { readonly kind: 'failed'; readonly code: string; readonly why: string };

export type Answer =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Buffer;
      readonly tookMs: number;
    }
  | { readonly kind: 'failed'; readonly code: string; readonly why: string };

export interface Question {
  readonly path: string;
  /** Who asks, as the aggregator would say it. */
  readonly groups: readonly string[];
  readonly timeoutMs: number;
}

/** How a server is reached and believed. */
export interface Route {
  readonly target: Target;
  readonly whom: Whom;
  readonly identity: { readonly cert: string; readonly key: string };
}

/** Whom a role is bound to, as `kind:namespace:name`. */
export type Subjects = Seen<readonly string[]>;

/**
 * Everything that the doctor sees. It only reads. Throws `CannotAsk` when the API server itself does not answer.
 */
export interface Look {
  nowMs(): number;
  sleep(ms: number): Promise<void>;
  apiService(name: string): Promise<Seen<APIService>>;
  apiServices(): Promise<Seen<readonly APIService[]>>;
  service(reference: ServiceReference): Promise<Seen<Service>>;
  services(namespace: string): Promise<Seen<readonly Service[]>>;
  slices(reference: ServiceReference): Promise<Seen<readonly EndpointSlice[]>>;
  /** `data` of the ConfigMap in which the core says whom extension servers may believe. */
  trust(): Promise<Seen<Readonly<Record<string, string>>>>;
  /** Who may read that ConfigMap. */
  trustReaders(): Promise<Subjects>;
  identity(): Promise<IdentitySeen>;
  /** PEM of the authority that `tributary pki` made for a server; undefined: it made none. */
  madeAuthority(group: string): Promise<string | undefined>;
  lookUp(host: string): Promise<Lookup>;
  connect(target: Target): Promise<Connection>;
  handshake(target: Target, whom: Whom): Promise<Handshake>;
  /** Asks the server as the aggregator does. */
  ask(route: Route, question: Question): Promise<Answer>;
  /** Asks through the aggregator, as the user of this program. */
  askThrough(question: Omit<Question, 'groups'>): Promise<Answer>;
}

/** The API server could not be asked, so nothing is known. */
export class CannotAsk extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CannotAsk';
  }
}
