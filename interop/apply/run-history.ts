/** Sends one history to two servers, and stops where they differ. */
import { isDeepStrictEqual } from 'node:util';
import { knownDifference } from './differences.ts';
import { edited, withSentManagedFields } from './edit-object.ts';
import { Observer } from './observe.ts';
import type { Sent, Side, SideResponse } from './side.ts';
import { type History, type JsonObject, NAME, type Step } from './step.ts';
import { pathOf, type Subject } from './subject.ts';

export interface Difference {
  /** The position of the step after which they differ. */
  readonly at: number;
  /** The observations of each side, in the order of the sides. */
  readonly seen: readonly [readonly JsonObject[], readonly JsonObject[]];
}

export interface Outcome {
  readonly differs: Difference | undefined;
  /** The reasons of listed differences that were met on the way. */
  readonly known: readonly string[];
}

export interface Place {
  readonly subject: Subject;
  readonly namespace: string;
  /** Unique to a history. */
  readonly name: string;
}

export async function runHistory(
  history: History,
  sides: readonly [Side, Side],
  place: Place,
): Promise<Outcome> {
  const reasons: string[] = [];
  const actors = [new Actor(sides[0], place), new Actor(sides[1], place)] as const;
  for (const [at, step] of history.entries()) {
    const [one, other] = await Promise.all([actors[0].take(step), actors[1].take(step)]);
    if (isDeepStrictEqual(one, other)) continue;
    const steps = history.slice(0, at + 1);
    const known = knownDifference(place.subject, steps, [one, other]);
    if (known === undefined) return { differs: { at, seen: [one, other] }, known: reasons };
    reasons.push(known.reason);
    if (!known.mayGoOn) break;
    for (const actor of actors) actor.forgetVersions();
  }
  return { differs: undefined, known: reasons };
}

type Write = Exclude<Step, { do: 'delete' }>;

const JSON_TYPE = 'application/json';
const APPLY_TYPE = 'application/apply-patch+yaml';
const PATCH_TYPES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

/** A resourceVersion that no object of a history ever has. */
const STALE = '1';

/** The clients of a history at one side. */
class Actor {
  readonly #side: Side;
  readonly #place: Place;
  readonly #observer = new Observer();

  constructor(side: Side, place: Place) {
    this.#side = side;
    this.#place = place;
  }

  forgetVersions(): void {
    this.#observer.forgetVersions();
  }

  /** Everything that can be seen after a step: the answer, and the object where the answer is not it. */
  async take(step: Step): Promise<JsonObject[]> {
    const { code, body } = await this.#send(await this.#requestOf(step));
    const seen = [this.#observer.see(code, body)];
    const isObject = code < 300 && step.do !== 'delete' && !step.subresource && !step.dryRun;
    if (isObject && !isGoing(body)) return seen;
    const live = await this.#read(step.version);
    return [...seen, this.#observer.see(live.code, live.body)];
  }

  async #requestOf(step: Step): Promise<Sent> {
    const { subject, namespace, name } = this.#place;
    const collection = pathOf(subject, step, namespace);
    const path = `${collection}/${name}`;
    if (step.do === 'delete') return { method: 'DELETE', path };
    return this.#writeOf(step, { collection, path });
  }

  async #writeOf(
    step: Write,
    { collection, path }: { readonly collection: string; readonly path: string },
  ): Promise<Sent> {
    const { name } = this.#place;
    const target = step.subresource ? `${path}/${step.subresource}` : path;
    const query = queryOf(step);
    const headers = { ...(step.userAgent !== undefined && { 'user-agent': step.userAgent }) };
    const named = <T>(body: T): T => JSON.parse(JSON.stringify(body).replaceAll(NAME, name)) as T;
    const send = (method: string, at: string, type: string, body: unknown): Sent => ({
      method,
      path: at + query,
      headers: { ...headers, 'content-type': type },
      body,
    });
    if (step.do === 'create') return send('POST', collection, JSON_TYPE, named(step.body));
    if (step.do === 'put') {
      return send('PUT', target, JSON_TYPE, await this.#replacement(step, target));
    }
    const type = step.do === 'apply' ? APPLY_TYPE : PATCH_TYPES[step.type];
    return send('PATCH', target, type, named(step.body));
  }

  async #replacement(step: Step & { do: 'put' }, path: string): Promise<JsonObject> {
    const { name, subject } = this.#place;
    const { code, body } = await this.#send({ method: 'GET', path });
    const type =
      step.subresource === 'scale'
        ? { apiVersion: 'autoscaling/v1', kind: 'Scale' }
        : { apiVersion: `${subject.group}/${step.version}`, kind: subject.kind };
    const read = code === 200 ? (body as JsonObject) : { ...type, metadata: { name } };
    const changed = edited(
      read,
      JSON.parse(JSON.stringify(step.edits).replaceAll(NAME, name)) as typeof step.edits,
    );
    const owned = withSentManagedFields(changed, step.managedFields);
    const at = ['metadata', 'resourceVersion'];
    if (step.resourceVersion === 'none') return edited(owned, [{ op: 'remove', path: at }]);
    if (step.resourceVersion === 'live') return owned;
    return edited(owned, [{ op: 'set', path: at, value: STALE }]);
  }

  #read(version: string): Promise<SideResponse> {
    const { subject, namespace, name } = this.#place;
    return this.#send({
      method: 'GET',
      path: `${pathOf(subject, { version }, namespace)}/${name}`,
    });
  }

  #send(sent: Sent): Promise<SideResponse> {
    return this.#side.send(sent);
  }
}

/** The answer may be the last that there is of the object. */
function isGoing(body: unknown): boolean {
  const { metadata } = body as { metadata?: { deletionTimestamp?: string } };
  return metadata?.deletionTimestamp !== undefined;
}

function queryOf(step: Write): string {
  const query = new URLSearchParams();
  if (step.manager !== undefined) query.set('fieldManager', step.manager);
  if (step.dryRun) query.set('dryRun', 'All');
  if (step.do === 'apply' && step.force) query.set('force', 'true');
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
