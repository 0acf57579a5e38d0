/** The hops of a request to an API server, and the result of checking them. */

/** In the order of a request; each hop depends on those before it. */
export const HOPS = [
  'apiservice',
  'registration',
  'service',
  'endpoints',
  'dns',
  'tcp',
  'tls',
  'tls-name',
  'ca',
  'client-certificate',
  'headers',
  'authorization',
  'discovery',
  'openapi',
  'condition',
] as const;
export type Hop = (typeof HOPS)[number];

export const hopTitles: Readonly<Record<Hop, string>> = {
  apiservice: 'APIService',
  registration: 'registration',
  service: 'Service',
  endpoints: 'endpoints',
  dns: 'DNS',
  tcp: 'TCP',
  tls: 'TLS',
  'tls-name': 'TLS name',
  ca: 'CA',
  'client-certificate': 'client certificate',
  headers: 'headers',
  authorization: 'authorization',
  discovery: 'discovery',
  openapi: 'OpenAPI',
  condition: 'condition',
};

/**
 * One step of a repair. `blanks` are words in capitals that only the reader can replace, each with its meaning.
 * kubectl reads `input` from standard input.
 */
export type Fix =
  | {
      readonly kind: 'kubectl';
      readonly args: readonly string[];
      readonly input?: object;
      readonly blanks?: Blanks;
    }
  | { readonly kind: 'command'; readonly argv: readonly string[]; readonly blanks?: Blanks }
  /** For a POSIX shell. */
  | { readonly kind: 'script'; readonly script: string }
  /** A change to the API server itself. */
  | {
      readonly kind: 'server';
      readonly action: 'start' | 'restart' | 'change';
      readonly text: string;
      /** Flags to start it with. */
      readonly flags?: readonly string[];
    };

export type Blanks = Readonly<Record<string, string>>;

/** `unknown`: cannot be checked from this machine. `skipped`: does not apply. */
export type CheckResult =
  | { readonly status: 'passed' | 'unknown' | 'skipped'; readonly message: string }
  | Failed;

export interface Failed {
  readonly status: 'failed';
  readonly message: string;
  readonly impact: string;
  /** All of them, in this order. */
  readonly fixes: readonly Fix[];
  /** To be tried instead of `fixes`, when the cause is a different one. */
  readonly alternatives?: readonly Fix[];
}

export interface HopResult {
  readonly hop: Hop;
  readonly status: CheckResult['status'] | 'not-run';
  readonly message: string;
}

export interface Problem extends Omit<Failed, 'status'> {
  readonly hop: Hop;
}

export interface Diagnosis {
  /** Of the APIService. */
  readonly name: string;
  /** An unknown hop does not break it: the API server responds through it. */
  readonly status: 'healthy' | 'broken';
  readonly hops: readonly HopResult[];
  readonly problem: Problem | undefined;
}

export function passed(message: string): CheckResult {
  return { status: 'passed', message };
}

export function unknown(message: string): CheckResult {
  return { status: 'unknown', message };
}

export function skipped(message: string): CheckResult {
  return { status: 'skipped', message };
}
