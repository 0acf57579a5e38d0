import { parseJson, type Status, stringifyJson } from '@tributary/apimachinery';
import type {
  ApiRequest,
  ApiResponse,
  RequestAudit,
  RequestContext,
  UserInfo,
} from '../../request/pipeline.ts';

import { jsonText } from './json-text.ts';
import type { AuditDecision, AuditStage } from './policy.ts';
import {
  aboutText,
  NO_NAMES,
  namesOf,
  type ObjectNames,
  type RequestTexts,
} from './request-texts.ts';

/** Longer bodies are omitted, with a note in the event: a list of all objects would not fit any log. */
const auditBodyBytesMax = 1024 * 1024;
const TRUNCATED = 'audit.k8s.io/truncated';

/** Shared by all records of a log. */
interface RecordDependencies {
  /** Texts that are shared by the events of similar requests. */
  readonly texts: RequestTexts;
  readonly timeText: (ms: number) => string;
  readonly write: (event: AuditEvent) => void;
  readonly nowMs: () => number;
}

interface RecordOptions {
  readonly decision: AuditDecision;
  readonly context: RequestContext;
  /** Absent for a request that is not authenticated. */
  readonly user: UserInfo | undefined;
}

/** The state of a request at a stage. Its text is built later, together with those of other requests. */
export interface AuditEvent {
  readonly record: AuditRecord;
  readonly stage: AuditStage;
  readonly nowMs: number;
  readonly impersonated: string;
  readonly objectNames: ObjectNames;
  readonly requestObject: string;
  readonly responseStatus: string;
  readonly responseObject: string;
  /** The number of annotations at this stage. */
  readonly annotations: number;
}

/** Collects an event per stage while a request is served. */
export class AuditRecord implements RequestAudit {
  readonly #means: RecordDependencies;
  readonly #request: ApiRequest;
  readonly #decision: AuditDecision;
  readonly #user: UserInfo | undefined;
  readonly #receivedMs: number;
  /** The text before the stage. */
  readonly #head: string;
  #received: string | undefined;
  #annotations: (readonly [key: string, value: string])[] | undefined;
  #impersonated = '';
  #objectNames: ObjectNames = NO_NAMES;
  #requestObject = '';
  /** Size of a body that is not JSON: its content is known once the handler has decoded it. */
  #unreadBytes = 0;
  #responseStatus = '';
  #responseObject = '';

  constructor(
    request: ApiRequest,
    means: RecordDependencies,
    { decision, context, user }: RecordOptions,
  ) {
    this.#request = request;
    this.#means = means;
    this.#decision = decision;
    this.#user = user;
    this.#receivedMs = context.receivedMs;
    const id = jsonText(context.auditId);
    this.#head = `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"${decision.level}","auditID":${id},"stage":"`;
  }

  annotate(key: string, value: string): void {
    this.#annotations ??= [];
    for (const [known] of this.#annotations) if (known === key) return;
    this.#annotations.push([key, value]);
  }

  impersonate(user: UserInfo, constraint = ''): void {
    const mode =
      constraint === ''
        ? ''
        : `,"authenticationMetadata":{"impersonationConstraint":${jsonText(constraint)}}`;
    this.#impersonated = `,"impersonatedUser":${this.#means.texts.user(user)}${mode}`;
  }

  /** The body as received. */
  requestBody(bytes: Uint8Array): void {
    const { verb } = this.#request.info;
    const isObject = verb === 'create' || verb === 'update';
    const wantsObject = this.#decision.level.startsWith('Request');
    if (bytes.length === 0 || (!isObject && !wantsObject)) return;
    const parsed = tryParse(bytes);
    if (parsed === undefined) {
      this.#unreadBytes = bytes.length;
      return;
    }
    if (isObject) this.#objectNames = namesOf(parsed);
    const shown =
      verb.startsWith('delete') && typeof parsed === 'object' && parsed !== null
        ? deleteOptions(parsed)
        : parsed;
    if (wantsObject) this.#requestObject = this.#objectField('requestObject', bytes, shown);
  }

  requestObject(object: object): void {
    const { verb } = this.#request.info;
    const isObject = verb === 'create' || verb === 'update';
    if (!isObject && !verb.startsWith('delete')) return;
    if (this.#unreadBytes > 0) {
      if (isObject) this.#objectNames = namesOf(object);
      this.#showUnread(isObject ? object : deleteOptions(object));
    } else if (isObject && this.#requestObject !== '') {
      this.#requestObject = this.#requestField(object);
    }
  }

  /** A body in YAML or protobuf, which only the handler decodes. */
  #showUnread(object: object): void {
    if (!this.#decision.level.startsWith('Request')) return;
    const field = this.#unreadBytes > auditBodyBytesMax ? '' : this.#requestField(object);
    // YAML aliases make a large object from few bytes.
    const isTooLong = field === '' || field.length > auditBodyBytesMax;
    if (isTooLong) this.annotate(TRUNCATED, 'true');
    else this.#requestObject = field;
  }

  #requestField(object: object): string {
    const shown = this.#decision.omitManagedFields ? withoutManagedFields(object) : object;
    return `,"requestObject":${escapeHtml(stringifyJson(shown))}`;
  }

  response(response: ApiResponse): void {
    this.#responseStatus = `,"responseStatus":${statusText(response)}`;
    if (this.#decision.level !== 'RequestResponse') return;
    if (!this.#request.info.isResourceRequest) return;
    const bytes = bodyOf(response);
    if (bytes === undefined) return;
    if (bytes.length > auditBodyBytesMax) {
      this.annotate(TRUNCATED, 'true');
      return;
    }
    const parsed = tryParse(bytes);
    if (parsed !== undefined) {
      this.#responseObject = this.#objectField('responseObject', bytes, parsed);
    }
  }

  /** The handler failed with a bug, which is logged and reported to the client elsewhere. */
  failed(error: unknown): void {
    const message = `APIServer panic'd: ${error instanceof Error ? error.message : String(error)}`;
    const status = { status: 'Failure', message, reason: 'InternalError', code: 500 };
    this.#responseStatus = `,"responseStatus":${escapeHtml(JSON.stringify({ metadata: {}, ...status }))}`;
  }

  stage(stage: AuditStage): void {
    if (this.#decision.omitStages.includes(stage)) return;
    const { nowMs, write } = this.#means;
    write({
      record: this,
      stage,
      nowMs: stage === 'RequestReceived' ? this.#receivedMs : nowMs(),
      impersonated: this.#impersonated,
      objectNames: this.#objectNames,
      requestObject: this.#requestObject,
      responseStatus: this.#responseStatus,
      responseObject: this.#responseObject,
      annotations: this.#annotations?.length ?? 0,
    });
  }

  /** The line of one event, with its line break. */
  lineOf(event: AuditEvent): string {
    const { timeText } = this.#means;
    this.#received ??= timeText(this.#receivedMs);
    const now = event.nowMs === this.#receivedMs ? this.#received : timeText(event.nowMs);
    return (
      `${this.#head}${event.stage}",${this.#about(event)}${event.responseStatus}${event.requestObject}` +
      `${event.responseObject},"requestReceivedTimestamp":"${this.#received}",` +
      `"stageTimestamp":"${now}"${this.#annotationText(event)}}\n`
    );
  }

  /** The text from the URI to the object. */
  #about({ impersonated, objectNames }: AuditEvent): string {
    const { texts } = this.#means;
    const isUsual = impersonated === '' && objectNames === NO_NAMES;
    if (isUsual) return texts.about(this.#request, this.#user);
    return aboutText(this.#request, {
      user: texts.user(this.#user),
      impersonated,
      source: texts.source(this.#request),
      names: objectNames,
    });
  }

  #objectField(name: string, bytes: Uint8Array, parsed: unknown): string {
    if (bytes.length > auditBodyBytesMax) {
      this.annotate(TRUNCATED, 'true');
      return '';
    }
    if (this.#decision.omitManagedFields) dropManagedFields(parsed);
    return `,"${name}":${escapeHtml(stringifyJson(parsed))}`;
  }

  #annotationText({ annotations: count }: AuditEvent): string {
    const all = this.#annotations;
    if (all === undefined || count === 0) return '';
    return this.#means.texts.annotations(count === all.length ? all : all.slice(0, count));
  }
}

/** An event repeats a Status; of any other response it has only the code. */
function statusText(response: ApiResponse): string {
  const code = codeOf(response);
  const object = response.kind === 'object' ? (response.object as Partial<Status>) : undefined;
  if (object?.kind !== 'Status') return `{"metadata":{},"code":${code}}`;
  const { status, message, reason, details } = object;
  return escapeHtml(JSON.stringify({ metadata: {}, status, message, reason, details, code }));
}

export function codeOf(response: ApiResponse): number {
  if (response.kind === 'stream') return 200;
  return response.kind === 'upgrade' ? 101 : response.code;
}

function bodyOf(response: ApiResponse): Uint8Array | undefined {
  if (response.kind === 'object') return Buffer.from(JSON.stringify(response.object));
  if (response.kind !== 'bytes' || !response.contentType.startsWith('application/json')) {
    return undefined;
  }
  const length = response.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  // Only the length matters: a body that is too long is not copied.
  return length > auditBodyBytesMax ? new Uint8Array(length) : Buffer.concat(response.chunks);
}

function tryParse(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes);
  } catch {
    return undefined; // not JSON: the handler reports it to the client
  }
}

/** Upstream logs the options of a delete as decoded. */
function deleteOptions(parsed: object): object {
  const type = { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/__internal' };
  return { ...type, ...parsed, ...type };
}

/** A copy, because the object belongs to the handler. */
function withoutManagedFields(object: object): object {
  const { metadata } = object as { metadata?: object };
  if (metadata === undefined || !('managedFields' in metadata)) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}

function dropManagedFields(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const { metadata, items, rows } = value as Record<string, unknown>;
  if (typeof metadata === 'object' && metadata !== null) {
    delete (metadata as Record<string, unknown>).managedFields;
  }
  if (Array.isArray(items)) for (const item of items) dropManagedFields(item);
  if (Array.isArray(rows)) for (const row of rows) dropManagedFields(row?.object);
}

/** As Go encodes JSON: safe inside HTML. */
function escapeHtml(json: string): string {
  return json.replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
