/** The calls of a handler, checked step by step against the calls before. */
import assert from 'node:assert/strict';
import { eventually, turns } from '../../../test/harness/index.ts';
import { type EventHandler, objectKey } from '../src/index.ts';
import type { Thing } from './fake-api.ts';

export interface HandlerLog {
  readonly handler: EventHandler<Thing>;
  /** One line for each call: `add default/a@7`, `update default/a@7->9`, `delete default/a@10`. */
  readonly lines: string[];
  /** The objects according to the calls. */
  readonly view: ReadonlyMap<string, Thing>;
  /** Calls that contradict the calls before. */
  readonly contradictions: string[];
}

/** With `slowTurns` every call takes so many turns of the event loop; with a `gate` none ends before it opens. */
export function createHandlerLog(
  options: { readonly slowTurns?: number; readonly gate?: Promise<void> } = {},
): HandlerLog {
  const lines: string[] = [];
  const contradictions: string[] = [];
  const view = new Map<string, Thing>();
  let running = false;
  const call = async (line: string, check: () => boolean): Promise<void> => {
    if (running) contradictions.push(`${line}: another call is under way`);
    if (!check()) contradictions.push(line);
    lines.push(line);
    running = true;
    await options.gate;
    if (options.slowTurns !== undefined) await turns(options.slowTurns);
    running = false;
  };
  return {
    lines,
    contradictions,
    view,
    handler: {
      onAdd: (object) =>
        call(`add ${labelOf(object)}`, () => {
          const known = view.has(objectKey(object));
          view.set(objectKey(object), object);
          return !known;
        }),
      onUpdate: (old, object) =>
        call(`update ${labelOf(old)}->${object.metadata.resourceVersion}`, () => {
          const known = view.get(objectKey(object));
          view.set(objectKey(object), object);
          return known === old && known.metadata.uid === object.metadata.uid;
        }),
      onDelete: (object) => call(`delete ${labelOf(object)}`, () => view.delete(objectKey(object))),
    },
  };
}

export function labelOf(object: Thing): string {
  return `${objectKey(object)}@${object.metadata.resourceVersion}`;
}

export function assertSameObjects(
  actual: Iterable<[string, Thing]>,
  expected: ReadonlyMap<string, Thing>,
): void {
  const sorted = (entries: Iterable<[string, Thing]>): Record<string, Thing> =>
    Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
  assert.deepEqual(sorted(actual), sorted(expected));
}

export async function waitUntil(condition: () => boolean, describe: () => string): Promise<void> {
  await eventually(describe, condition, { everyMs: 2 });
}
