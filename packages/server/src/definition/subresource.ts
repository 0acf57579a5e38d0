import type { FieldError, GroupVersionKind, KubeObject } from '@tributary/apimachinery';
import type { Static, TSchema } from 'typebox';
import type { ApiRequest, ApiResponse, UserInfo } from '../request/pipeline.ts';
import { type JsonSchema, schemaData } from '../schema/json-schema.ts';
import type { TypedKind } from '../schema/typed/typed-kind.ts';
import type { AdmissionRules } from './admission.ts';
import type { Read } from './reads.ts';

/** Where a kind that can be scaled keeps its numbers, in the storage version, such as `.spec.replicas`. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  /** A text field with a label selector in its query form, a `LabelSelector`, or a map of labels. */
  readonly labelSelectorPath?: string;
}

export interface ActionRequest<Object, Body> {
  /** The object the action is about, in the storage version. Not to be changed. */
  readonly object: Object;
  readonly body: Body;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  readonly read: Read;
  /** Tells the client something beside the answer. */
  warn(text: string): void;
  /** Writes something into the audit log. */
  annotate(key: string, value: string): void;
  /** Changes the object in a compare-and-set loop, with everything an update is checked for unless it `writesAsIs`. */
  update(change: (object: Object) => Object, options?: ActionWrite): Promise<Object>;
  /** Deletes the object, with everything that is asked before. */
  remove(options?: ActionRemoval): Promise<void>;
}

export interface ActionWrite {
  /** Nothing of it is stored. Default: as the request says. */
  readonly dryRun?: boolean;
  /** What the stored object must be; otherwise 409. */
  readonly uid?: string;
}

export interface ActionRemoval {
  readonly gracePeriodSeconds?: number;
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  /** Default: as the request says. */
  readonly dryRun?: boolean;
}

export interface ActionSubresource<Object = KubeObject> {
  readonly type: 'action';
  /** What is sent and answered. Default: the resource's own kind. */
  readonly kind: GroupVersionKind | undefined;
  readonly body: JsonSchema | undefined;
  /** What is sent is an object of `kind`, which is a Go struct upstream. */
  readonly typed: TypedKind | undefined;
  readonly applyDefaults: ((body: KubeObject) => void) | undefined;
  readonly alsoIn: readonly string[];
  readonly writesAsIs: boolean;
  /** An object is answered as it is, nothing is answered with a Status of success. */
  readonly run: (request: ActionRequest<Object, unknown>) => Promise<object | undefined>;
}

export interface ConnectRequest<Object> {
  /** In the storage version. Not to be changed. */
  readonly object: Object;
  readonly request: ApiRequest;
  /** What follows the subresource in the path, without the slash. */
  readonly path: string;
  readonly read: Read;
}

export type MissingRequest = Omit<ConnectRequest<never>, 'object'>;

export type ConnectMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface ConnectSubresource<Object = KubeObject> {
  readonly type: 'connect';
  readonly kind: GroupVersionKind | undefined;
  readonly methods: readonly ConnectMethod[];
  /** Takes requests below its own path too. */
  readonly subpath: boolean;
  /** Lives longer than an ordinary request: no deadline, and not counted among those in flight. */
  readonly longRunning: boolean;
  /** Which object a name in the path means, where it says more, such as a port; may refuse. Default: itself. */
  readonly objectName?: (name: string) => string;
  /** Refuses before anybody looks whether there is such an object; who may not connect does not learn of it. */
  readonly before?: (request: ApiRequest) => Promise<void>;
  readonly connect: (request: ConnectRequest<Object>) => Promise<ApiResponse>;
  /** Takes a connection to an object that does not exist. Default: NotFound. */
  readonly connectMissing?: (request: MissingRequest) => Promise<ApiResponse>;
}

export type CustomSubresource<Object = KubeObject> =
  | PartSubresource
  | ActionSubresource<Object>
  | ConnectSubresource<Object>;

/** An action as an author writes it: POST to an object, and something is done with it. */
export interface ActionInput<Object, Body> {
  readonly kind?: GroupVersionKind;
  readonly body?: Body extends TSchema ? Body : never;
  readonly run: (request: ActionRequest<Object, BodyOf<Body>>) => Promise<object | undefined>;
}

/** An action that does not say what it is sent may be sent anything. */
type BodyOf<Body> = Body extends TSchema ? Static<Body> : unknown;

/** A connection as an author writes it: a console, a log, a proxy, anything that HTTP can carry. */
export type ConnectInput<Object> = Partial<Omit<ConnectSubresource<Object>, 'type'>> &
  Pick<ConnectSubresource<Object>, 'connect'>;

/**
 * A part of the object that is written by itself, with PUT and PATCH of the whole object: who may write it may be
 * somebody else.
 */
export interface PartInput<Object = KubeObject> {
  /** Default: all of them. */
  readonly verbs?: readonly PartVerb[];
  /** Takes over from the stored object what is not this part. It changes `next`. */
  readonly prepareForUpdate: (next: Object, live: Object) => void;
  /** Default: what a write of the whole object is judged by. */
  readonly validateUpdate?: (next: Object, live: Object) => readonly FieldError[];
  /** Fields that such a write takes over, such as `spec`: nobody comes to own them by it. */
  readonly resetFields?: readonly string[];
  /** Asked before such a write, in place of the rule for updates. */
  readonly admit?: AdmissionRules<Object>['update'];
}

export type PartVerb = 'get' | 'patch' | 'update';
const partVerbs: readonly PartVerb[] = ['get', 'patch', 'update'];

export interface PartSubresource extends PartInput {
  readonly type: 'part';
  readonly kind: undefined;
  readonly verbs: readonly PartVerb[];
}

/** The schemas of the bodies of actions, by name; unknown for those that have none. */
export type ActionBodies = Readonly<Record<string, unknown>>;

/** The names of parts, actions and connections are free, apart from `status` and `scale`. */
export interface SubresourcesInput<
  Object = KubeObject,
  Bodies extends ActionBodies = ActionBodies,
> {
  /** The status is written apart from everything else. */
  readonly status?: boolean;
  readonly scale?: ScalePaths;
  readonly parts?: Readonly<Record<string, PartInput<Object>>>;
  readonly actions?: { readonly [Name in keyof Bodies]: ActionInput<Object, Bodies[Name]> };
  readonly connections?: Readonly<Record<string, ConnectInput<Object>>>;
}

/** With options of kinds that Kubernetes itself serves. */
export interface UpstreamSubresourcesInput<
  Object = KubeObject,
  Bodies extends ActionBodies = ActionBodies,
> extends SubresourcesInput<Object, Bodies> {
  readonly actions?: { readonly [Name in keyof Bodies]: UpstreamActionInput<Object, Bodies[Name]> };
}

export interface UpstreamActionInput<Object, Body> extends ActionInput<Object, Body> {
  /** In place of `body`: the Go struct of `kind`. */
  readonly typed?: TypedKind;
  /** Sets the defaults of such a body, in place. */
  readonly applyDefaults?: (body: KubeObject) => void;
  /** Other groups and versions in which the same body may be sent, such as `policy/v1beta1`. */
  readonly alsoIn?: readonly string[];
  /** Its writes bypass validation, admission and field ownership: no other request can write these fields. */
  readonly writesAsIs?: boolean;
}

export interface Subresources {
  readonly status: boolean;
  readonly scale: ScalePaths | undefined;
  readonly custom: ReadonlyMap<string, CustomSubresource>;
}

/** Those that versions may differ in. */
export type VersionSubresourcesInput = Pick<SubresourcesInput, 'status' | 'scale'>;
export type VersionSubresources = Pick<Subresources, 'status' | 'scale'>;

export function versionSubresourcesOf(input: VersionSubresourcesInput): VersionSubresources {
  const { status = false, scale } = input;
  return { status, scale };
}

export function subresourcesOf(kind: string, input: UpstreamSubresourcesInput): Subresources {
  const { status = false, scale, parts = {}, actions = {}, connections = {} } = input;
  const custom = new Map<string, CustomSubresource>();
  const add = (name: string, one: CustomSubresource) => {
    if (!/^[a-z]+$/.test(name)) {
      throw new Error(`${kind}: the name of subresource ${name} must be lower case letters`);
    }
    if (custom.has(name) || name === 'status' || name === 'scale') {
      throw new Error(`${kind}: there is more than one subresource ${name}`);
    }
    custom.set(name, one);
  };
  for (const [name, one] of Object.entries(parts)) {
    add(name, { verbs: partVerbs, ...one, type: 'part', kind: undefined });
  }
  for (const [name, one] of Object.entries(actions)) add(name, actionOf(one));
  for (const [name, one] of Object.entries(connections)) add(name, connectionOf(one));
  if (scale) for (const path of Object.values(scale)) requirePath(kind, path);
  return { status, scale, custom };
}

function actionOf({
  kind,
  body,
  typed,
  applyDefaults,
  run,
  alsoIn = [],
  writesAsIs = false,
}: UpstreamActionInput<KubeObject, TSchema>): ActionSubresource {
  const form = { alsoIn, writesAsIs };
  return {
    type: 'action',
    kind,
    body: body && schemaData(body),
    typed,
    applyDefaults,
    run,
    ...form,
  };
}

function connectionOf(input: ConnectInput<KubeObject>): ConnectSubresource {
  return {
    type: 'connect',
    kind: undefined,
    methods: ['GET', 'POST'],
    subpath: false,
    longRunning: true,
    ...input,
  };
}

function requirePath(kind: string, path: string): void {
  if (!/^(\.[A-Za-z_][A-Za-z0-9_]*)+$/.test(path)) {
    throw new Error(`${kind}: ${path} is no path of fields such as .spec.replicas`);
  }
}
