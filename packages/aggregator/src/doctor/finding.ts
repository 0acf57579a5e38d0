/** What the doctor says: hop by hop, and at the first broken one what to do. */

/** In the order of a request; each needs those before it. */
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
 * One step of a repair. `blanks` are words in capitals that only the reader can replace, each with what belongs there.
 * kubectl gets `input` on its standard input.
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
  /** What has to be done to the program itself. */
  | {
      readonly kind: 'server';
      readonly action: 'start' | 'restart' | 'change';
      readonly text: string;
      /** That it has to be started with. */
      readonly flags?: readonly string[];
    };

export type Blanks = Readonly<Record<string, string>>;

/** What was found at one hop. */
export type Judgement =
  | { readonly outcome: 'well' | 'unseen' | 'skipped'; readonly words: string }
  | Broken;

export interface Broken {
  readonly outcome: 'broken';
  /** What was seen. */
  readonly words: string;
  readonly matters: string;
  /** All of them, in this order. */
  readonly fixes: readonly Fix[];
  /** In place of them, where the reason is another one. */
  readonly otherwise?: readonly Fix[];
}

/** `unseen`: could not be judged from here. `skipped`: does not apply. */
export type HopResult = {
  readonly hop: Hop;
  readonly outcome: Judgement['outcome'] | 'not-tried';
  readonly words: string;
};

export interface Finding extends Omit<Broken, 'outcome' | 'words'> {
  readonly hop: Hop;
  readonly seen: string;
}

export interface Examination {
  readonly name: string;
  /** A hop that is not seen from here is well when the server answers through it. */
  readonly verdict: 'well' | 'broken';
  readonly hops: readonly HopResult[];
  readonly finding: Finding | undefined;
}

export function well(words: string): Judgement {
  return { outcome: 'well', words };
}

export function unseen(words: string): Judgement {
  return { outcome: 'unseen', words };
}

export function skipped(words: string): Judgement {
  return { outcome: 'skipped', words };
}
