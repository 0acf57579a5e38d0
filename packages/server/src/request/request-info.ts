/** Attributes of a request from its method and URL alone, for authorization, audit and routing. */
export interface RequestInfo {
  readonly isResourceRequest: boolean;
  /** The authorization verb; for non-resource requests the method in lower case. */
  readonly verb: string;
  /** Decoded. */
  readonly path: string;
  readonly apiPrefix: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** Path segments from the resource on: resource, name, subresource and the rest. */
  readonly parts: readonly string[];
  /** Selectors as sent, for authorizers that use them. */
  readonly fieldSelector: string;
  readonly labelSelector: string;
  /** The error of a malformed path; all other fields are meaningless then. */
  readonly failure: string | undefined;
  /** The last response to the same target, cached by the verb; absent where no further request is expected. */
  readonly cached?: { response: object | undefined };
}

const API_PREFIXES = new Set(['api', 'apis']);
const GROUPLESS_PREFIXES = new Set(['api']);
const PATH_VERBS = new Set(['proxy', 'watch']);
/** `namespaces/NS/status` is about the Namespace itself, so no namespaced resource has these names. */
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);

/** A map, because HTTP/2 allows any method, such as `constructor`. */
const METHOD_VERBS: ReadonlyMap<string, string> = new Map([
  ['POST', 'create'],
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);

export function parseRequestInfo(
  method: string,
  path: string,
  query: URLSearchParams = NO_QUERY,
): RequestInfo {
  const decoded = decodePath(path);
  const info = nonResource(method, decoded);
  const segments = splitPath(decoded);
  const prefix = segments[0] ?? '';
  if (segments.length < 3 || !API_PREFIXES.has(prefix)) return info;
  info.apiPrefix = prefix;

  let at = 1;
  if (!GROUPLESS_PREFIXES.has(prefix)) {
    if (segments.length < 4) return info;
    info.group = segments[at++] ?? '';
  }
  info.isResourceRequest = true;
  info.version = segments[at++] ?? '';

  const pathVerb = PATH_VERBS.has(segments[at] ?? '') ? segments[at++] : undefined;
  if (pathVerb !== undefined && at === segments.length) {
    info.failure = `unable to determine kind and namespace from url, ${path}`;
    return info;
  }
  info.verb = pathVerb ?? METHOD_VERBS.get(method) ?? '';

  if (segments[at] === 'namespaces' && segments.length > at + 1) {
    info.namespace = segments[at + 1] ?? '';
    const isInside =
      segments.length > at + 2 && !NAMESPACE_SUBRESOURCES.has(segments[at + 2] ?? '');
    if (isInside) at += 2;
  }
  info.parts = segments.slice(at);
  info.resource = segments[at] ?? '';
  info.name = segments[at + 1] ?? '';
  if (pathVerb !== 'proxy') info.subresource = segments[at + 2] ?? '';

  refineCollectionVerb(info, query);
  return info;
}

/** Shared, because no code modifies a query. */
const NO_QUERY = new URLSearchParams();

type Draft = { -readonly [Field in keyof RequestInfo]: RequestInfo[Field] };

function nonResource(method: string, path: string): Draft {
  return {
    isResourceRequest: false,
    verb: method.toLowerCase(),
    path,
    apiPrefix: '',
    group: '',
    version: '',
    namespace: '',
    resource: '',
    subresource: '',
    name: '',
    parts: [],
    fieldSelector: '',
    labelSelector: '',
    failure: undefined,
  };
}

/** A collection's `get` is a list or a watch, its `delete` a deletecollection. */
function refineCollectionVerb(info: Draft, query: URLSearchParams): void {
  if (info.name !== '') return;
  if (info.verb === 'get') {
    info.verb = isTrue(query.get('watch')) ? 'watch' : 'list';
    // A selector of one name makes the request about that object, so that resourceNames rules apply.
    info.name = pinnedName(query.get('fieldSelector') ?? '') ?? '';
  } else if (info.verb === 'delete') {
    info.verb = 'deletecollection';
  } else {
    return;
  }
  info.fieldSelector = query.get('fieldSelector') ?? '';
  info.labelSelector = query.get('labelSelector') ?? '';
}

function pinnedName(fieldSelector: string): string | undefined {
  for (const term of fieldSelector.split(',')) {
    const name = /^metadata\.name==?(.*)$/.exec(term)?.[1];
    if (name !== undefined && name !== '' && isPathSegment(name)) return name;
  }
  return undefined;
}

function isPathSegment(name: string): boolean {
  return name !== '.' && name !== '..' && !/[/%]/.test(name);
}

/** Query booleans as the API decodes them: absent, `0` and `false` are false, anything else is true. */
function isTrue(value: string | null): boolean {
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}

const SLASH = 47;

function splitPath(path: string): string[] {
  let start = 0;
  let end = path.length;
  while (start < end && path.charCodeAt(start) === SLASH) start += 1;
  while (end > start && path.charCodeAt(end - 1) === SLASH) end -= 1;
  return start === end ? [] : path.slice(start, end).split('/');
}

/** As upstream, an encoded slash is a separator; an invalid encoding is left as it is and matches no route. */
function decodePath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
