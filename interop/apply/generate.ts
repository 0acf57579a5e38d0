/** Histories from seeds: several managers who create, apply, replace, patch and delete one object. */
import type { SeededRandom } from '../../test/harness/index.ts';
import { joined, reordered, shrunk } from './change-value.ts';
import {
  type Edit,
  type History,
  type Json,
  type JsonObject,
  NAME,
  type SentManagedFields,
  type Step,
  type Writing,
} from './step.ts';
import type { Subject } from './subject.ts';
import { isObject, type Liberties } from './values.ts';

const managers = ['one', 'two', 'three', 'kubectl'] as const;
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const STEPS_MIN = 5;
const STEPS_MAX = 15;

const tame: Liberties = { nulls: 0.01, empties: 0.08, nonsense: 0, faults: 0.01 };
const wild: Liberties = { nulls: 0.06, empties: 0.15, nonsense: 0.04, faults: 0.1 };
/**
 * For writes of the status: the original reads the rest of such an object only for the ownership of its fields, and drops
 * all owners when it cannot; ours does not read the rest.
 */
const flawless: Liberties = { nulls: 0, empties: 0.08, nonsense: 0, faults: 0 };

export function randomHistory(subject: Subject, random: SeededRandom): History {
  const writer = new Writer(subject, random);
  const steps: Step[] = [random.chance(0.5) ? writer.create() : writer.apply('')];
  const length = random.int(STEPS_MIN, STEPS_MAX);
  while (steps.length < length) steps.push(writer.next());
  return steps;
}

/** Remembers what each manager last applied, so that its next wish is another one. */
class Writer {
  readonly #subject: Subject;
  readonly #random: SeededRandom;
  readonly #applied = new Map<string, JsonObject>();

  constructor(subject: Subject, random: SeededRandom) {
    this.#subject = subject;
    this.#random = random;
  }

  next(): Step {
    const random = this.#random;
    const part = random.chance(0.3) ? this.#part() : '';
    const kind = random.next();
    // Most of them the original cannot do, and the history would end there.
    const isRare = part === 'scale' && !random.chance(0.05);
    if (kind < 0.42) return this.apply(isRare ? '' : part);
    if (kind < 0.66) return this.#put(part);
    if (kind < 0.9) return this.#patch(part);
    if (kind < 0.95) return this.create();
    return { do: 'delete', version: this.#version() };
  }

  create(): Step {
    const version = this.#version();
    return {
      do: 'create',
      ...this.#writing(version, '', 'update'),
      body: this.#configuration(version, '', this.#liberties('')),
    };
  }

  apply(part: Part): Step {
    const random = this.#random;
    const version = this.#version();
    const writing = this.#writing(version, part, 'apply');
    const slot = `${writing.manager} ${part} ${version}`;
    const before = this.#applied.get(slot);
    const fresh = this.#configuration(version, part, this.#liberties(part));
    const body = before === undefined ? fresh : this.#nextConfiguration(before, fresh);
    this.#applied.set(slot, body);
    return { do: 'apply', ...writing, body, ...(random.chance(0.4) && { force: true }) };
  }

  #nextConfiguration(before: JsonObject, fresh: JsonObject): JsonObject {
    const random = this.#random;
    switch (random.int(0, 5)) {
      case 0:
        return before;
      case 1:
        return joined(before, fresh);
      case 2:
        return reordered(before, random) as JsonObject;
      case 3:
        return withIdentity(shrunk(shrunk(before, random), random), before);
      case 4:
        return withIdentity({}, before);
      default:
        return fresh;
    }
  }

  #put(part: Part): Step {
    const random = this.#random;
    const version = this.#version();
    const sent: SentManagedFields = random.chance(0.55)
      ? 'kept'
      : random.pick([
          ...this.#subject.resets,
          'dropped',
          'dropped',
          'aged',
          'aged',
          'broken',
          'crowded',
        ]);
    return {
      do: 'put',
      ...this.#writing(version, part, 'update'),
      edits: this.#edits(version, part),
      managedFields: sent,
      resourceVersion: random.chance(0.9) ? 'live' : random.pick(['stale', 'none']),
    };
  }

  #patch(part: Part): Step {
    const random = this.#random;
    const version = this.#version();
    const type = random.pick(this.#subject.patchTypes);
    const edits = this.#edits(version, part);
    return {
      do: 'patch',
      ...this.#writing(version, part, 'update'),
      type,
      body: type === 'json' ? jsonPatch(edits) : mergePatch(edits),
    };
  }

  /** Changes of a few fields: each is set, or goes. */
  #edits(version: string, part: Part): Edit[] {
    const random = this.#random;
    if (part === 'scale') return [setAt(['spec', 'replicas'], random.int(0, 3))];
    const config = this.#configuration(version, part, this.#liberties(part));
    const edits: Edit[] = [];
    for (const top of ['metadata', 'spec', 'status']) {
      const fields = config[top];
      if (!isObject(fields)) continue;
      for (const [name, value] of Object.entries(fields)) {
        if (top === 'metadata' && name === 'name') continue;
        const path = [top, name];
        edits.push(random.chance(0.25) ? { op: 'remove', path } : setAt(path, value));
      }
    }
    if (random.chance(0.08)) edits.push({ op: 'remove', path: [random.pick(['spec', 'status'])] });
    return edits;
  }

  /** A whole apply configuration. */
  #configuration(version: string, part: Part, liberties: Liberties): JsonObject {
    const random = this.#random;
    const { group, kind } = this.#subject;
    if (part === 'scale') {
      return {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: NAME },
        spec: random.chance(0.9) ? { replicas: random.int(0, 3) } : {},
      };
    }
    const type = { apiVersion: `${group}/${version}`, kind };
    const fields = this.#subject.fields(version, random, liberties);
    const object = { ...type, metadata: this.#metadata(), ...fields };
    if (!random.chance(0.08)) return object;
    return joined(object, {
      metadata: { annotations: { [LAST_APPLIED]: `${JSON.stringify(object)}\n` } },
    });
  }

  #metadata(): JsonObject {
    const random = this.#random;
    const some = () => ({ [random.pick(['x', 'y'])]: random.pick(['1', '2']) });
    const owner = (uid: string) => ({
      apiVersion: 'v1',
      kind: 'Node',
      name: random.pick(['m', 'n']),
      uid,
    });
    return {
      name: NAME,
      ...(random.chance(0.3) && { labels: random.chance(0.1) ? {} : some() }),
      ...(random.chance(0.3) && { annotations: random.chance(0.1) ? {} : some() }),
      ...(random.chance(0.1) && {
        finalizers: random.shuffle(['example.com/a', 'example.com/b']).slice(0, random.int(0, 2)),
      }),
      ...(random.chance(0.1) && { ownerReferences: random.shuffle([owner('u1'), owner('u2')]) }),
    };
  }

  #writing(version: string, part: Part, operation: 'apply' | 'update'): Writing {
    const random = this.#random;
    const named = operation === 'apply' || random.chance(0.8);
    const pool = operation === 'apply' ? managers : [...managers, 'kubectl-client-side-apply'];
    const who = named
      ? { manager: random.pick(pool) }
      : { userAgent: random.pick(['agent/1.0 (linux)', 'agent/2.0', 'plain', '/odd']) };
    return {
      version,
      ...(part !== '' && { subresource: part }),
      ...who,
      ...(random.chance(0.05) && { dryRun: true }),
    };
  }

  #part(): Part {
    const { subresources } = this.#subject;
    return subresources.length === 0 ? '' : this.#random.pick(subresources);
  }

  #version(): string {
    return this.#random.pick(this.#subject.versions);
  }

  #liberties(part: Part): Liberties {
    if (part === 'status') return flawless;
    return this.#random.chance(0.85) ? tame : wild;
  }
}

type Part = '' | 'status' | 'scale';

function setAt(path: Edit['path'], value: Json): Edit {
  return { op: 'set', path, value };
}

function withIdentity(value: Json, { apiVersion, kind }: JsonObject): JsonObject {
  return {
    ...joined({ metadata: { name: NAME } }, value as JsonObject),
    apiVersion,
    kind,
  } as JsonObject;
}

function jsonPatch(edits: readonly Edit[]): Json {
  return edits.map((edit) => {
    const path = edit.path.map((name) => `/${name}`).join('');
    return edit.op === 'remove' ? { op: 'remove', path } : { op: 'add', path, value: edit.value };
  });
}

function mergePatch(edits: readonly Edit[]): JsonObject {
  let patch: JsonObject = {};
  for (const edit of edits) {
    const value = edit.op === 'remove' ? null : edit.value;
    patch = joined(
      patch,
      edit.path.reduceRight<Json>((inner, name) => ({ [name]: inner }), value) as JsonObject,
    );
  }
  return patch;
}
