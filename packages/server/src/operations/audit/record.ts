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

/** Longer bodies are left out, and the event says so: a list of everything would not fit any log. */
export const auditBodyBytesMax = 1024 * 1024;
const TRUNCATED = 'audit.k8s.io/truncated';

/** What all records of a log have in common. */
export interface RecordMeans {
  /** What is the same in the events of requests that are alike. */
  readonly texts: RequestTexts;
  readonly timeText: (ms: number) => string;
  readonly write: (event: AuditEvent) => void;
  readonly nowMs: () => number;
}

export interface RecordOptions {
  readonly decision: AuditDecision;
  readonly context: RequestContext;
  /** Absent for a request that nobody was authenticated for. */
  readonly user: UserInfo | undefined;
}

/** What was known of a request at a stage. Its text is put together later, with those of other requests. */
export interface AuditEvent {
  readonly record: AuditRecord;
  readonly stage: AuditStage;
  readonly nowMs: number;
  readonly impersonated: string;
  readonly objectNames: ObjectNames;
  readonly requestObject: string;
  readonly responseStatus: string;
  readonly responseObject: string;
  /** How many there were. */
  readonly annotations: number;
}

/** What becomes known of a request while it is served, an event at each stage. */
export class AuditRecord implements RequestAudit {
  readonly #means: RecordMeans;
  readonly #request: ApiRequest;
  readonly #decision: AuditDecision;
  readonly #user: UserInfo | undefined;
  readonly #receivedMs: number;
  /** Up to the stage. */
  readonly #head: string;
  #received: string | undefined;
  #annotations: (readonly [key: string, value: string])[] | undefined;
  #impersonated = '';
  #objectNames: ObjectNames = NO_NAMES;
  #requestObject = '';
  /** Bytes of a body that is no JSON: what it says is known when somebody has read it. */
  #unreadBytes = 0;
  #responseStatus = '';
  #responseObject = '';

  constructor(request: ApiRequest, means: RecordMeans, { decision, context, user }: RecordOptions) {
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

  /** The body as it came in. */
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

  /** Of a body in YAML or protocol buffers, which only its reader understands. */
  #showUnread(object: object): void {
    if (!this.#decision.level.startsWith('Request')) return;
    const field = this.#unreadBytes > auditBodyBytesMax ? '' : this.#requestField(object);
    // An alias in YAML says much with few bytes.
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

  /** The handler broke; the client was told so, and the log why. */
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

  /** Of an event of this record, with its line break. */
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

  /** From the URI to the object. */
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

/** What a Status says is repeated in the event; of any other answer only the code. */
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
  // Only its length is looked at: what is too long is not copied.
  return length > auditBodyBytesMax ? new Uint8Array(length) : Buffer.concat(response.chunks);
}

function tryParse(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes);
  } catch {
    return undefined; // not JSON: whoever serves the request says so to the client
  }
}

/** Upstream shows the options of a delete as it has read them. */
function deleteOptions(parsed: object): object {
  const type = { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/__internal' };
  return { ...type, ...parsed, ...type };
}

/** The object itself is not ours to change. */
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

/** As Go writes JSON: safe within a page. */
function escapeHtml(json: string): string {
  return json.replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
