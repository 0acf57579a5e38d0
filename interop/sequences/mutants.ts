/** Servers that are wrong in one way each, to see that comparing sequences finds them. */
import { at, isArray, isObject, type Json, type JsonObject } from '../differential/json.ts';
import { type Mutant as Change, mutate, onBody, put, without } from '../differential/mutants.ts';
import type { Side } from './run-sequence.ts';

export type Mutant = Omit<Change, 'row'>;

const ofKind = (kind: string, change: (body: Json) => Json) =>
  onBody((body) => (at(body, 'kind') === kind ? change(body) : body));

const onItems = (change: (items: readonly Json[]) => readonly Json[]) =>
  onBody((body) => {
    const items = at(body, 'items');
    return isArray(items) ? { ...(body as JsonObject), items: change(items) } : body;
  });

/** The answer is another one, whenever it had this code. */
const instead =
  (from: number, to: number): NonNullable<Mutant['response']> =>
  (response) =>
    response.status === from ? { ...response, status: to } : response;

export const mutants: readonly Mutant[] = [
  { name: 'a create is answered like a change', response: instead(201, 200) },
  { name: 'a conflict is a failure', response: instead(409, 500) },
  { name: 'everybody may do everything', response: instead(403, 200) },
  { name: 'what is missing is gone', response: instead(404, 410) },
  { name: 'a list is in another order', response: onItems((items) => items.toReversed()) },
  { name: 'a list lacks its last item', response: onItems((items) => items.slice(0, -1)) },
  {
    name: 'a reason is not told',
    response: ofKind('Status', (body) => without(body, 'reason')),
  },
  {
    name: 'a message has other words',
    response: ofKind('Status', (body) =>
      at(body, 'message') === undefined ? body : put(body, 'no', 'message'),
    ),
  },
  {
    name: 'the generation is not counted',
    response: onBody((body) => without(body, 'metadata', 'generation')),
  },
  {
    name: 'nobody owns anything',
    response: onBody((body) => without(body, 'metadata', 'managedFields')),
  },
  {
    name: 'a finalizer is forgotten',
    response: onBody((body) => without(body, 'metadata', 'finalizers')),
  },
  { name: 'a watch misses its last event', events: (events) => events.slice(0, -1) },
  {
    name: 'a watch shows its first event twice',
    events: (events) => [...events.slice(0, 1), ...events],
  },
  {
    name: 'a watch calls every change an addition',
    events: (events) =>
      events.map((event) => (isObject(event) ? { ...event, type: 'ADDED' } : event)),
  },
  {
    name: 'nobody is told how many follow',
    response: ({ body, ...rest }) => ({
      ...rest,
      body: body.replace(/,"remainingItemCount":\d+/, ''),
    }),
  },
  {
    name: 'a first page is the last',
    response: ({ body, ...rest }) => ({
      ...rest,
      body: body.replace(/"continue":"[^"]+"/, '"continue":""'),
    }),
  },
];

export function mutatedSide({ target, tidy }: Side, mutant: Mutant): Side {
  return { target: mutate(target, { row: '', ...mutant }), tidy };
}
