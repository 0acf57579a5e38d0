import { goJson } from '@tributary/apimachinery';
import type { ApiRequest, UserInfo } from '../../request/pipeline.ts';
import { withoutSecrets } from '../logging/secrets.ts';
import { jsonText } from './json-text.ts';
import { sourceTexts } from './source-addresses.ts';

const USER_AGENT_MAX = 1024;
/** Cached texts, and the maximum length of the paths of their requests: about 2 MB in all. */
const CACHED_MAX = 1000;
const CACHED_TARGET_MAX = 512;

/** Names that only the body of a request contains. */
export interface ObjectNames {
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

export const NO_NAMES: ObjectNames = {};

/** Recurring parts of events: users, and requests for the same object. */
export interface RequestTexts {
  user(user: UserInfo | undefined): string;
  /** The source addresses of a request. */
  source(request: ApiRequest): string;
  /** The text from the URI to the object. */
  about(request: ApiRequest, user: UserInfo | undefined): string;
  annotations(annotations: Annotations): string;
}

/** In the order in which they were added. */
export type Annotations = readonly (readonly [key: string, value: string])[];

interface CachedTexts {
  readonly verb: string;
  readonly user: string;
  readonly source: string;
  readonly agent: string | undefined;
  readonly text: string;
}

export function requestTexts(): RequestTexts {
  const users = new WeakMap<UserInfo, string>();
  const cached = new Map<string, CachedTexts>();
  const source = sourceTexts();
  let lastAnnotations: Annotations = [];
  let lastAnnotationText = '';

  function textOfUser(user: UserInfo | undefined): string {
    if (user === undefined) return '{}';
    let text = users.get(user);
    if (text === undefined) {
      text = userInfoText(user);
      users.set(user, text);
    }
    return text;
  }

  return {
    user: textOfUser,
    source,
    // Nearly all requests of a server are allowed for the same reason.
    annotations(annotations) {
      if (!areSame(annotations, lastAnnotations)) {
        lastAnnotationText = annotationText(annotations);
        lastAnnotations = [...annotations]; // the caller may add more
      }
      return lastAnnotationText;
    },
    // Controllers request the same objects all the time. Method and target identify everything about a request.
    about(request, who) {
      const { target = request.path, info } = request;
      const key = { verb: info.verb, user: textOfUser(who), source: source(request) };
      const agent = request.headers.get('user-agent');
      const before = cached.get(target);
      if (before !== undefined && isSame(before, key) && before.agent === agent) return before.text;
      const text = aboutText(request, { ...key, impersonated: '', names: NO_NAMES });
      if (target.length > CACHED_TARGET_MAX || text.length > 4 * CACHED_TARGET_MAX) return text;
      if (cached.size >= CACHED_MAX) cached.clear();
      cached.set(target, { ...key, agent, text });
      return text;
    },
  };
}

function isSame(
  before: CachedTexts,
  { verb, user, source }: Omit<CachedTexts, 'agent' | 'text'>,
): boolean {
  return before.verb === verb && before.user === user && before.source === source;
}

function areSame(some: Annotations, others: Annotations): boolean {
  if (some.length !== others.length) return false;
  return some.every(([key, value], at) => others[at]?.[0] === key && others[at]?.[1] === value);
}

function annotationText(annotations: Annotations): string {
  const fields = annotations
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, value]) => `${jsonText(key)}:${jsonText(value)}`);
  return `,"annotations":{${fields.join(',')}}`;
}

interface AboutOptions {
  readonly user: string;
  readonly impersonated: string;
  readonly source: string;
  readonly names: ObjectNames;
}

export function aboutText(request: ApiRequest, options: AboutOptions): string {
  const { info, headers } = request;
  // Joined: a text built by concatenation is flattened again by every writer.
  return [
    `"requestURI":${jsonText(withoutSecrets(request.target ?? request.path))}`,
    `,"verb":${jsonText(info.verb)},"user":${options.user}${options.impersonated}`,
    `${options.source}${userAgent(headers)}${objectReference(info, options.names)}`,
  ].join('');
}

function objectReference(
  info: ApiRequest['info'],
  { namespace, name, uid, resourceVersion }: ObjectNames,
): string {
  if (!info.isResourceRequest) return '';
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

function field(name: string, value: string | undefined): string {
  return value ? `,"${name}":${jsonText(value)}` : '';
}

/** `authentication.k8s.io/v1` UserInfo, without empty fields. */
function userInfoText({ name, uid, groups, extra }: UserInfo): string {
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

export function namesOf(object: unknown): ObjectNames {
  const metadata = (object as { metadata?: Record<string, unknown> } | null)?.metadata;
  const names: Record<string, string> = {};
  for (const field of ['name', 'namespace', 'uid', 'resourceVersion'] as const) {
    const value = metadata?.[field];
    if (typeof value === 'string') names[field] = value;
  }
  return names;
}
