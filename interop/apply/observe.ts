/** Keeps the parts of responses that two servers can have in common. */
import { byIdentity } from './edit-object.ts';
import type { Json, JsonObject } from './step.ts';
import { isObject } from './values.ts';

/** Remembers what one side called the same thing in earlier answers. */
export class Observer {
  readonly #resourceVersions: string[] = [];
  readonly #uids: string[] = [];

  /** From here on versions are told apart anew. */
  forgetVersions(): void {
    this.#resourceVersions.length = 0;
  }

  /** An answer as both sides should give it. */
  see(code: number, body: unknown): JsonObject {
    const seen = this.#value(body as Json, '') as JsonObject;
    return { code, body: seen.kind === 'Status' ? withSortedCauses(seen) : seen };
  }

  #value(value: Json, name: string): Json {
    if (typeof value === 'string') return this.#text(value, name);
    if (Array.isArray(value)) {
      if (name === 'managedFields') return this.#managedFields(value as readonly JsonObject[]);
      return (value as readonly Json[]).map((item) => this.#value(item, ''));
    }
    if (!isObject(value)) return value;
    // As text: the order of a set's keys is part of what must be the same.
    if (name === 'fieldsV1') return JSON.stringify(value);
    const names = Object.keys(value).sort();
    return Object.fromEntries(names.map((one) => [one, this.#value(value[one] as Json, one)]));
  }

  #text(value: string, name: string): Json {
    switch (name) {
      case 'resourceVersion':
        return `version ${indexIn(this.#resourceVersions, value)}`;
      case 'uid':
        return UUID.test(value) ? `uid ${indexIn(this.#uids, value)}` : value;
      case 'creationTimestamp':
      case 'deletionTimestamp':
      case 'time':
        return isRecent(value) ? 'now' : value;
      default:
        return value;
    }
  }

  /** In an order that does not depend on seconds; that the real order is right is said beside it. */
  #managedFields(entries: readonly JsonObject[]): Json {
    const seen = entries.toSorted(byIdentity).map((entry) => this.#value(entry, ''));
    return [...seen, isInOrder(entries) ? 'in order' : 'out of order'];
  }
}

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Times that a client has made up are of long ago, and must stay as they are. */
function isRecent(time: string): boolean {
  return time > '2022';
}

function indexIn(known: string[], value: string): number {
  const at = known.indexOf(value);
  return at === -1 ? known.push(value) - 1 : at;
}

function isInOrder(entries: readonly JsonObject[]): boolean {
  const keys = entries.map(({ operation, time = '', manager, apiVersion, subresource = '' }) =>
    [operation, time, manager, apiVersion, subresource].join('\n'),
  );
  return keys.every((key, index) => index === 0 || (keys[index - 1] as string) <= key);
}

/** The original walks over managers and fields in a random order, and says some things twice. */
function withSortedCauses(status: JsonObject): JsonObject {
  const { details, message } = status;
  const text = typeof message === 'string' ? sortedMessage(message) : message;
  const seen = text === undefined ? status : { ...status, message: text };
  if (!isObject(details) || !Array.isArray(details.causes)) return seen;
  const all = (details.causes as Json[]).map((cause) => namingStatus(JSON.stringify(cause)));
  const causes = new Set(all.filter((cause) => !isOfScale(cause)));
  return { ...seen, details: { ...details, causes: [...causes].sort() } };
}

/** The original also tells of a number that is none that there can be no scale of such an object. */
function isOfScale(problem: string): boolean {
  return problem.includes(' accessor error: ');
}

/** To the original a status that is written by itself has no name. */
function namingStatus(problem: string): string {
  return problem.replaceAll(':  in body', ': status in body');
}

function sortedMessage(message: string): string {
  const text = namingStatus(message.replace(UUIDS, 'UID'));
  const [first = '', ...lines] = text.split('\n');
  if (first.endsWith(' errors:')) return [first, ...lines.sort()].join('\n');
  const [, head, entries] = /^(.*? is invalid: )(.*)$/s.exec(text) ?? [];
  if (head === undefined || entries === undefined) return text;
  const list = entries.replace(/^\[(.*)\]$/s, '$1');
  const each = new Set(list.split(/, (?=(?:[a-z.][^ ]*|<nil>): )/));
  return [head, ...[...each].filter((one) => !isOfScale(one)).sort()].join('\n');
}

const UUIDS = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;
