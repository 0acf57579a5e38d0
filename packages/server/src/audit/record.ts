import { goJson, parseJson, type Status, stringifyJson } from '@tributary/apimachinery';
import type { RequestContext } from '../filters/request-context.ts';
import { withoutSecrets } from '../logging/secrets.ts';
import type { ApiRequest, ApiResponse, UserInfo } from '../pipeline.ts';
import { jsonText } from './json-text.ts';
import type { AuditDecision, AuditStage } from './policy.ts';

const USER_AGENT_MAX = 1024;
/** Longer bodies are left out, and the event says so: a list of everything would not fit any log. */
export const auditBodyBytesMax = 1024 * 1024;
const TRUNCATED = 'audit.k8s.io/truncated';

export interface RecordOptions {
  readonly decision: AuditDecision;
  readonly context: RequestContext;
  /** Absent for a request that nobody was authenticated for. */
  readonly user: UserInfo | undefined;
  /** A user as the event has it; the same user is asked for again and again. */
  readonly userText: (user: UserInfo) => string;
  /** From where the request came, as the event has it. */
  readonly sourceText: (request: ApiRequest) => string;
  readonly timeText: (ms: number) => string;
  readonly write: (line: string) => void;
  readonly nowMs: () => number;
}

/** What becomes known of a request while it is served, written as an event at each stage. */
export class AuditRecord {
  readonly #options: RecordOptions;
  readonly #request: ApiRequest;
  #annotations: (readonly [key: string, value: string])[] = [];
  readonly #about: string;
  readonly #origin: string;
  #impersonated = '';
  #objectNames: ObjectNames = {};
  #requestObject = '';
  #responseStatus = '';
  #responseObject = '';

  constructor(request: ApiRequest, options: RecordOptions) {
    this.#request = request;
    this.#options = options;
    const { info, headers } = request;
    const user = options.user === undefined ? '{}' : options.userText(options.user);
    const uri = jsonText(withoutSecrets(request.target ?? request.path));
    this.#about = `"requestURI":${uri},"verb":${jsonText(info.verb)},"user":${user}`;
    this.#origin = `${options.sourceText(request)}${userAgent(headers)}`;
  }

  /** Said with the event; a key that was set stays as it is. */
  annotate(key: string, value: string): void {
    if (!this.#annotations.some(([known]) => known === key)) this.#annotations.push([key, value]);
  }

  /** `constraint` is the verb of the mode that allowed it; the oldest mode has none. */
  impersonate(user: UserInfo, constraint = ''): void {
    const mode =
      constraint === ''
        ? ''
        : `,"authenticationMetadata":{"impersonationConstraint":${jsonText(constraint)}}`;
    this.#impersonated = `,"impersonatedUser":${this.#options.userText(user)}${mode}`;
  }

  /** The body as it came in; what is no JSON is left out. */
  requestBody(bytes: Uint8Array): void {
    const { verb } = this.#request.info;
    const isObject = verb === 'create' || verb === 'update';
    const wantsObject = this.#options.decision.level.startsWith('Request');
    if (bytes.length === 0 || (!isObject && !wantsObject)) return;
    const parsed = tryParse(bytes);
    if (parsed === undefined) return;
    if (isObject) this.#objectNames = namesOf(parsed);
    const shown = verb.startsWith('delete') ? deleteOptions(parsed) : parsed;
    if (wantsObject) this.#requestObject = this.#objectField('requestObject', bytes, shown);
  }

  /** What was read of the body, with its kind and its defaults: it is shown in place of the body. */
  requestObject(object: object): void {
    const { verb } = this.#request.info;
    if (this.#requestObject === '' || (verb !== 'create' && verb !== 'update')) return;
    const shown = this.#options.decision.omitManagedFields ? withoutManagedFields(object) : object;
    this.#requestObject = `,"requestObject":${escapeHtml(stringifyJson(shown))}`;
  }

  response(response: ApiResponse): void {
    this.#responseStatus = `,"responseStatus":${statusText(response)}`;
    if (this.#options.decision.level !== 'RequestResponse') return;
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
    const { decision, context, write, nowMs, timeText } = this.#options;
    if (decision.omitStages.includes(stage)) return;
    const received = timeText(context.receivedMs);
    const now = stage === 'RequestReceived' ? received : timeText(nowMs());
    write(
      `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"${decision.level}",` +
        `"auditID":${jsonText(context.auditId)},"stage":"${stage}",${this.#about}` +
        `${this.#impersonated}${this.#origin}${this.#objectReference()}${this.#responseStatus}` +
        `${this.#requestObject}${this.#responseObject},"requestReceivedTimestamp":"${received}",` +
        `"stageTimestamp":"${now}"${this.#annotationText()}}\n`,
    );
  }

  #objectField(name: string, bytes: Uint8Array, parsed: unknown): string {
    if (bytes.length > auditBodyBytesMax) {
      this.annotate(TRUNCATED, 'true');
      return '';
    }
    if (this.#options.decision.omitManagedFields) dropManagedFields(parsed);
    return `,"${name}":${escapeHtml(stringifyJson(parsed))}`;
  }

  #objectReference(): string {
    const { info } = this.#request;
    if (!info.isResourceRequest) return '';
    const { namespace, name, uid, resourceVersion } = this.#objectNames;
    return (
      `,"objectRef":{"resource":${jsonText(info.resource)}` +
      field('namespace', info.namespace || namespace) +
      field('name', info.name || name) +
      field('uid', uid) +
      field('apiGroup', info.group) +
      field('apiVersion', info.version) +
      field('resourceVersion', resourceVersion) +
      `${field('subresource', info.subresource)}}`
    );
  }

  #annotationText(): string {
    if (this.#annotations.length === 0) return '';
    const sorted = this.#annotations.sort(([a], [b]) => (a < b ? -1 : 1));
    const texts = sorted.map(([key, value]) => `${jsonText(key)}:${jsonText(value)}`);
    return `,"annotations":{${texts.join(',')}}`;
  }
}

function field(name: string, value: string | undefined): string {
  return value ? `,"${name}":${jsonText(value)}` : '';
}

/** `authentication.k8s.io/v1` UserInfo, without what is empty. */
export function userInfoText({ name, uid, groups, extra }: UserInfo): string {
  const fields = [
    ...(name === '' ? [] : [`"username":${goJson(name)}`]),
    ...(uid === '' ? [] : [`"uid":${goJson(uid)}`]),
    ...(groups.length === 0 ? [] : [`"groups":${goJson(groups)}`]),
    ...(Object.keys(extra).length === 0 ? [] : [`"extra":${goJson(extra)}`]),
  ];
  return `{${fields.join(',')}}`;
}

function userAgent(headers: ApiRequest['headers']): string {
  const agent = headers.get('user-agent') ?? '';
  if (agent === '') return '';
  const text =
    agent.length > USER_AGENT_MAX ? `${agent.slice(0, USER_AGENT_MAX)}...TRUNCATED` : agent;
  return `,"userAgent":${jsonText(text)}`;
}

interface ObjectNames {
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

function namesOf(object: unknown): ObjectNames {
  const metadata = (object as { metadata?: Record<string, unknown> } | null)?.metadata;
  const names: Record<string, string> = {};
  for (const field of ['name', 'namespace', 'uid', 'resourceVersion'] as const) {
    const value = metadata?.[field];
    if (typeof value === 'string') names[field] = value;
  }
  return names;
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
function deleteOptions(parsed: unknown): unknown {
  if (typeof parsed !== 'object' || parsed === null) return parsed;
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
