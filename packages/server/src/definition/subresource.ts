import type { FieldError, GroupVersionKind, KubeObject } from '@tributary/apimachinery';
import type { Static, TSchema } from 'typebox';
import type { ApiRequest, ApiResponse, UserInfo } from '../request/pipeline.ts';
import { type JsonSchema, schemaData } from '../schema/json-schema.ts';
import type { TypedKind } from '../schema/typed/typed-kind.ts';
import type { AdmissionRules } from './admission.ts';
import type { Read } from './reads.ts';

/** Paths of the replica counts of a scalable kind, in the storage version, such as `.spec.replicas`. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  /** A text field with a label selector in its query form, a `LabelSelector`, or a map of labels. */
  readonly labelSelectorPath?: string;
}

export interface ActionRequest<Object, Body> {
  /** The object of the action, in the storage version. Must not be changed. */
  readonly object: Object;
  readonly body: Body;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  readonly read: Read;
  /** Adds a warning for the client. */
  warn(text: string): void;
  /** Adds an audit annotation. */
  annotate(key: string, value: string): void;
  /** Changes the object in a compare-and-set loop, with all checks of an update unless it `writesAsIs`. */
  update(change: (object: Object) => Object, options?: ActionWrite): Promise<Object>;
  /** Deletes the object, with all checks of a delete. */
  remove(options?: ActionRemoval): Promise<void>;
}

export interface ActionWrite {
  /** Nothing is stored. Default: that of the request. */
  readonly dryRun?: boolean;
  /** A precondition; a mismatch is 409. */
  readonly uid?: string;
}

export interface ActionRemoval {
  readonly gracePeriodSeconds?: number;
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  /** Default: that of the request. */
  readonly dryRun?: boolean;
}

export interface ActionSubresource<Object = KubeObject> {
  readonly type: 'action';
  /** The kind of request and response. Default: the resource's own kind. */
  readonly kind: GroupVersionKind | undefined;
  readonly body: JsonSchema | undefined;
  /** The Go struct of `kind`, which is the body. */
  readonly typed: TypedKind | undefined;
  readonly applyDefaults: ((body: KubeObject) => void) | undefined;
  readonly alsoIn: readonly string[];
  readonly writesAsIs: boolean;
  /** Returns the object of the response; undefined is a Status of success. */
  readonly run: (request: ActionRequest<Object, unknown>) => Promise<object | undefined>;
}

export interface ConnectRequest<Object> {
  /** In the storage version. Must not be changed. */
  readonly object: Object;
  readonly request: ApiRequest;
  /** The path after the subresource, without the slash. */
  readonly path: string;
  readonly read: Read;
}

export type MissingRequest = Omit<ConnectRequest<never>, 'object'>;

export type ConnectMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface ConnectSubresource<Object = KubeObject> {
  readonly type: 'connect';
  readonly kind: GroupVersionKind | undefined;
  readonly methods: readonly ConnectMethod[];
  /** Serves requests below its own path too. */
  readonly subpath: boolean;
  /** A long-running request: no deadline, and not counted among those in flight. */
  readonly longRunning: boolean;
  /**
   * The object that a name in the path refers to, where the name has more parts, such as a port; may throw. Default:
   * the name itself.
   */
  readonly objectName?: (name: string) => string;
  /**
   * Authorizes the connection before the object is looked up, so that an unauthorized client does not learn whether it
   * exists.
   */
  readonly before?: (request: ApiRequest) => Promise<void>;
  readonly connect: (request: ConnectRequest<Object>) => Promise<ApiResponse>;
  /** Serves a connection to an object that does not exist. Default: NotFound. */
  readonly connectMissing?: (request: MissingRequest) => Promise<ApiResponse>;
}

export type CustomSubresource<Object = KubeObject> =
  | PartSubresource
  | ActionSubresource<Object>
  | ConnectSubresource<Object>;

/** An author's definition of an action: a POST to an object. */
export interface ActionInput<Object, Body> {
  readonly kind?: GroupVersionKind;
  readonly body?: Body extends TSchema ? Body : never;
  readonly run: (request: ActionRequest<Object, BodyOf<Body>>) => Promise<object | undefined>;
}

/** An action without a body schema accepts any body. */
type BodyOf<Body> = Body extends TSchema ? Static<Body> : unknown;

/** An author's definition of a connection: a console, a log, a proxy, anything that HTTP can carry. */
export type ConnectInput<Object> = Partial<Omit<ConnectSubresource<Object>, 'type'>> &
  Pick<ConnectSubresource<Object>, 'connect'>;

/**
 * A part of the object that is written separately, with PUT and PATCH of the whole object, and authorized as a
 * subresource.
 */
export interface PartInput<Object = KubeObject> {
  /** Default: all of them. */
  readonly verbs?: readonly PartVerb[];
  /** Copies everything but this part from the stored object. Changes `next`. */
  readonly prepareForUpdate: (next: Object, live: Object) => void;
  /** Default: the validation of a write of the whole object. */
  readonly validateUpdate?: (next: Object, live: Object) => readonly FieldError[];
  /** Fields that such a write resets, such as `spec`; it does not own them. */
  readonly resetFields?: readonly string[];
  /** Runs before such a write, in place of the update rule. */
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

/** Names of parts, actions and connections are free, apart from `status` and `scale`. */
export interface SubresourcesInput<
  Object = KubeObject,
  Bodies extends ActionBodies = ActionBodies,
> {
  /** The status is written separately. */
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

/** Subresources that may differ between versions. */
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
