/** A client that makes random changes to objects of its own, so that it knows their state. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Status, StatusError } from '@tributary/apimachinery';
import type { NewObject, ResourceClient } from '@tributary/client';
import type { SeededRandom } from '../harness/index.ts';
import type { Flunder } from './flunders.ts';
import type { ChangeHistory } from './history.ts';

export const NAMESPACES = ['north', 'east', 'south', 'west'] as const;

export interface WriterOptions {
  readonly name: string;
  readonly flunders: ResourceClient<Flunder>;
  readonly history: ChangeHistory;
  readonly random: SeededRandom;
  /** See the site's field of this name. */
  readonly startsAnonymous: boolean;
}

/** Of each writer, in each namespace. */
const NAMES = 3;
/** The chances of changes to an existing object; the rest are updates. */
const CHANCES = { delete: 0.2, mergePatch: 0.25, jsonPatch: 0.1, emptyPatch: 0.02 } as const;
/** How many objects may not end before their finalizer is gone. */
const WITH_FINALIZER = 0.15;
const FINALIZER = 'example.com/hold';
/** While there is no server. */
const POLL_MS = 20;

export class Writer {
  readonly #options: WriterOptions;
  /** As the server has it, by key; absent where there is no object. */
  readonly #known = new Map<string, Flunder>();
  #number = 0;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Goes on until it is told that it is enough. */
  async run(enough: () => boolean, signal: AbortSignal): Promise<void> {
    while (!enough()) await this.#step(signal);
  }

  async #step(signal: AbortSignal): Promise<void> {
    const { name, random } = this.#options;
    const place = {
      namespace: random.pick(NAMESPACES),
      name: `${name}-${random.int(1, NAMES)}`,
    };
    const known = this.#known.get(keyOf(place));
    try {
      const now = known === undefined ? await this.#create(place) : await this.#change(known);
      this.#learn(place, now);
    } catch (error) {
      // A 4xx is a defect of this test. After any other error the outcome of the write is unknown.
      if (this.#isDefect(error)) throw error;
      await this.#makeCertain(place, signal);
    }
  }

  /**
   * A server whose client is lost may still be writing. Every write names the state that it changes, so after another
   * one that is acknowledged, those without an answer have succeeded before, or never will.
   */
  async #makeCertain(place: Place, signal: AbortSignal): Promise<void> {
    for (;;) {
      const found = await this.#look(place, signal);
      this.#learn(place, found);
      try {
        const now = found === undefined ? this.#create(place) : this.#annotate(found);
        return this.#learn(place, await now);
      } catch (error) {
        signal.throwIfAborted();
        if (this.#isDefect(error) && !isRace(error)) throw error;
      }
    }
  }

  #isDefect(error: unknown): error is StatusError {
    if (!(error instanceof StatusError) || error.code >= 500) return false;
    return !(this.#options.startsAnonymous && isForbiddenAnonymous(error));
  }

  #create(place: Place): Promise<Flunder> {
    const { random, flunders } = this.#options;
    const finalizers = random.chance(WITH_FINALIZER) ? { finalizers: [FINALIZER] } : {};
    const object: NewObject<Flunder> = {
      metadata: { ...place, ...finalizers, labels: { writer: this.#options.name } },
      spec: this.#spec(),
    };
    return flunders.create(object, ONCE);
  }

  /** Gives what is there afterwards. */
  async #change(known: Flunder): Promise<Flunder | undefined> {
    const { random } = this.#options;
    const flunders = this.#options.flunders.in(known.metadata.namespace ?? '');
    const { name = '', resourceVersion } = known.metadata;
    const dice = random.next();
    let limit: number = CHANCES.delete;
    if (dice < limit) return this.#end(known);
    limit += CHANCES.mergePatch;
    if (dice < limit) return this.#annotate(known);
    limit += CHANCES.jsonPatch;
    if (dice < limit) {
      const operations = [
        { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
        { op: 'replace', path: '/spec/reference', value: this.#token() },
      ];
      return flunders.patch(name, { kind: 'json', operations }, ONCE);
    }
    limit += CHANCES.emptyPatch;
    if (dice < limit) return flunders.patch(name, { kind: 'merge', body: {} }, ONCE);
    return flunders.update({ ...known, spec: this.#spec() }, ONCE);
  }

  #annotate({ metadata }: Flunder): Promise<Flunder> {
    const { name = '', namespace = '', resourceVersion } = metadata;
    const body = { metadata: { resourceVersion, annotations: this.#annotations() } };
    return this.#options.flunders.in(namespace).patch(name, { kind: 'merge', body }, ONCE);
  }

  /** An object with a finalizer stays until that is taken away. */
  async #end(known: Flunder): Promise<Flunder | undefined> {
    const { name = '', namespace = '', deletionTimestamp, resourceVersion = '' } = known.metadata;
    const flunders = this.#options.flunders.in(namespace);
    if (deletionTimestamp !== undefined) {
      const body = { metadata: { resourceVersion, finalizers: null } };
      await flunders.patch(name, { kind: 'merge', body }, ONCE);
      return undefined;
    }
    const preconditions = { resourceVersion };
    const response = await flunders.delete(name, { ...ONCE, preconditions });
    return isStatus(response) ? undefined : response;
  }

  #learn(place: Place, now: Flunder | undefined): void {
    const { history } = this.#options;
    const key = keyOf(place);
    const before = this.#known.get(key)?.metadata.uid;
    if (before !== undefined && now?.metadata.uid !== before) history.ended(before);
    if (now === undefined) this.#known.delete(key);
    else {
      const { uid = '', resourceVersion = '' } = now.metadata;
      history.written(key, uid, Number(resourceVersion));
      this.#known.set(key, now);
    }
  }

  /** Waits for the server, which knows. */
  async #look({ namespace, name }: Place, signal: AbortSignal): Promise<Flunder | undefined> {
    for (;;) {
      try {
        return await this.#options.flunders.in(namespace).get(name, { ...ONCE, signal });
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof StatusError && error.code === 404) return undefined;
        await sleep(POLL_MS, undefined, { signal });
      }
    }
  }

  #spec(): Flunder['spec'] {
    return { reference: this.#token(), referenceType: 'Flunder' };
  }

  #annotations(): Record<string, string> {
    const { random } = this.#options;
    return { token: this.#token(), padding: 'x'.repeat(random.pick([0, 20, 200, 2000])) };
  }

  #token(): string {
    this.#number += 1;
    return `${this.#options.name}.${this.#number}`;
  }
}

/** So that writers can begin. */
export async function clearFlunders(flunders: ResourceClient<Flunder>): Promise<void> {
  const { items } = await flunders.listAll();
  for (const { metadata } of items) {
    const { name = '', namespace = '', finalizers } = metadata;
    const own = flunders.in(namespace);
    if (finalizers !== undefined) {
      await own.patch(name, { kind: 'merge', body: { metadata: { finalizers: null } } });
    }
    if (metadata.deletionTimestamp === undefined) await own.delete(name);
  }
}

/** A write that was repeated behind our back would be two changes. */
const ONCE = { retriesMax: 0 } as const;

/** A request without a response has succeeded meanwhile. */
function isRace({ code }: StatusError): boolean {
  return code === 404 || code === 409;
}

function isForbiddenAnonymous({ code, message }: StatusError): boolean {
  return code === 403 && message.includes('User "system:anonymous"');
}

interface Place {
  readonly namespace: string;
  readonly name: string;
}

function keyOf({ namespace, name }: Place): string {
  return `${namespace}/${name}`;
}

function isStatus(response: Flunder | Status): response is Status {
  return response.kind === 'Status';
}
