/** A row of the differential table: a short script of requests, as data. */
import { createHash } from 'node:crypto';
import type { Json } from './json.ts';

/** A kind that rows are about, such as `flunders.v1alpha1`; a suite names all of its kinds. */
export type KindId = string;

export type Verb =
  | 'get'
  | 'list'
  | 'watch'
  | 'create'
  | 'update'
  | 'patch'
  | 'delete'
  | 'deletecollection';

/** Features of more than one kind and verb. */
export type Feature =
  | 'discovery'
  | 'openapi'
  | 'health and version'
  | 'authentication'
  | 'routing'
  | 'negotiation'
  | 'authorization'
  | 'escalation'
  | 'impersonation'
  | 'namespace lifecycle'
  | 'custom resources'
  | 'service account tokens';

export type Covers = { kind: KindId; verb: Verb } | { feature: Feature };

/** The user of a request. A suite's targets have a credential for each that its rows use. */
export type Identity =
  | 'admin'
  | 'nobody'
  | 'bad-token'
  | 'foreign-certificate'
  /** Users with a token: alice is in the group `dev`, bob in none. */
  | 'alice'
  | 'bob'
  /** A user with a certificate, in the groups `dev` and `ops`. */
  | 'carol'
  /** The aggregator, which may say on whose behalf it comes; and one of its authority that may not. */
  | 'front-proxy'
  | 'front-proxy-other';

/** A smaller picture of a body that says more than the program promises (see views.ts). */
export type View =
  | 'shape'
  | 'openapi'
  | 'checks'
  | 'paths'
  | 'rules'
  | 'conditions'
  | DiscoveryView
  | DefinitionsView;

/** Of a discovery document: these resources, with their subresources, and the groups that have any of them. */
export interface DiscoveryView {
  resources: readonly string[];
  groups: readonly string[];
}

/** Of an OpenAPI document of either version: definitions without prose, and the operations of these paths. */
export interface DefinitionsView {
  /** These, and what they refer to in the same package. */
  definitions: readonly string[];
  paths: readonly string[];
}

export interface RequestStep {
  /** Unique in its row; placeholders and differences use it. */
  name: string;
  method?: string;
  path: string;
  query?: Readonly<Record<string, string | readonly string[]>>;
  /** A list is that many headers of one name. */
  headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Text is sent as it is; anything else as JSON. */
  body?: Json;
  protocol?: 'h1' | 'h2';
  as?: Identity;
  view?: View;
  /** Only prepares the next steps: its status is compared, its headers and body are not. */
  setup?: true;
  /** Asked again until this is so, where the original answers from something that follows. */
  until?: Until;
}

/** A status, a text in the body, or several texts that are all there, or not there any more. */
export type Until =
  | number
  | string
  | { readonly has: readonly string[] }
  | { readonly lacks: readonly string[] };

export interface WatchStep {
  name: string;
  watch: Pick<RequestStep, 'path' | 'query' | 'headers' | 'protocol' | 'as'>;
  /** Run once the watch is open. */
  during?: readonly Step[];
  /** How many events to wait for; `closed` waits until the server ends the stream. */
  events: number | 'closed';
  /** Keeps bookmarks that only mark time; they come when the server likes, so they are left out otherwise. */
  keepBookmarks?: true;
}

export type Step = RequestStep | WatchStep;

export interface Row {
  /** Unique; golden answers, the to-do list and the list of differences refer to it. */
  name: string;
  covers: Covers;
  /**
   * Paths, queries, headers and bodies may say `{ns}` (the row's own namespace, also a prefix for names without one),
   * `{rv:STEP}`, `{uid:STEP}`, `{name:STEP}`, `{continue:STEP}`, `{etag:STEP}`, `{token:STEP}` (of status) and
   * `{clusterIP:STEP}`, taken from the same target's earlier answer;
   * `STEP#2` is the third item or event of an answer. resourceVersion 1 is one that every target has forgotten.
   */
  steps: readonly Step[];
}

export interface RowGroup {
  /** The name of the golden file. */
  name: string;
  rows: readonly Row[];
}

export function isWatchStep(step: Step): step is WatchStep {
  return 'watch' in step;
}

/** The steps of a row and those inside its watches, in the order in which their answers arrive. */
export function allSteps(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) =>
    isWatchStep(step) ? [...allSteps(step.during ?? []), step] : [step],
  );
}

/** A short name for namespaces and labels; the digest tells rows apart whose names begin alike. */
export function slug(name: string): string {
  const words = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 30);
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 5);
  return `${words}-${digest}`.replace(/--/g, '-');
}
