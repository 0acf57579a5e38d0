/** Steps that read. */
import type { SeededRandom } from '../../test/harness/index.ts';
import { collection, nameOf, pathOf, TABLE } from '../core/rows/words.ts';
import type { RequestStep } from '../differential/row.ts';
import type { Player } from './world.ts';

/** A step without its name and whose it is. */
export type Draft = Omit<RequestStep, 'name' | 'as'>;

/** The results of earlier steps that the generator uses. */
export interface Memory {
  /** The steps whose answers are an object, by its path. */
  readonly touched: Map<string, string[]>;
  /** The step that answered the last page of a collection. */
  readonly pages: Map<string, string>;
}

export interface Given {
  /** Of the step. */
  readonly name: string;
  readonly player: Player;
  readonly random: SeededRandom;
  readonly memory: Memory;
}

export type Drafter = (given: Given) => Draft;

export const OBJECTS = ['a', 'b', 'c'] as const;
const PARTIAL = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const PARTIAL_LIST = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

/** Notes that the answer to this step is the object at that path, if all goes well. */
export function touch({ name, memory }: Given, path: string): void {
  memory.touched.set(path, [...(memory.touched.get(path) ?? []), name]);
}

/** An object that something was done with before, or most of the time the first. */
export function somePath({ random, player }: Pick<Given, 'random' | 'player'>): string {
  const object = random.chance(0.6) ? 'a' : random.pick(OBJECTS);
  return pathOf(player.kind, object);
}

const read: Drafter = (given) => {
  const path = somePath(given);
  touch(given, path);
  return { path };
};

const readOtherwise: Drafter = (given) => ({
  path: somePath(given),
  headers: { accept: given.random.pick([TABLE, PARTIAL]) },
});

const readSubresource: Drafter = (given) => {
  const { subresources } = given.player;
  if (subresources.length === 0) return read(given);
  return { path: `${somePath(given)}/${given.random.pick(subresources)}` };
};

const SELECTORS = ['row={ns}', 'row={ns},x=1', 'row={ns},x in (1,2)', 'row={ns},!x'];

const list: Drafter = ({ random, player }) => ({
  path: collection(player.kind),
  query: { labelSelector: random.pick(SELECTORS) },
  ...(random.chance(0.3) && { headers: { accept: random.pick([TABLE, PARTIAL_LIST]) } }),
});

const listByName: Drafter = ({ random, player }) => ({
  path: collection(player.kind),
  query: {
    labelSelector: 'row={ns}',
    fieldSelector: `metadata.name${random.pick(['=', '!='])}${nameOf(player.kind, 'a')}`,
  },
});

/** The next page of the last list, or a first one. */
const page: Drafter = ({ name, random, player, memory }) => {
  const path = collection(player.kind);
  const before = memory.pages.get(path);
  memory.pages.set(path, name);
  const more = before !== undefined && random.chance(0.7);
  return {
    path,
    query: {
      labelSelector: 'row={ns}',
      limit: random.pick(['1', '2']),
      ...(more && { continue: `{continue:${before}}` }),
    },
  };
};

/** At a point that was remembered, or not before it. */
const listAt: Drafter = ({ random, player, memory }) => {
  const path = collection(player.kind);
  const steps = memory.touched.get(pathOf(player.kind)) ?? [];
  const query = { labelSelector: 'row={ns}' };
  if (steps.length === 0) return { path, query };
  const at = {
    resourceVersion: `{rv:${random.pick(steps)}}`,
    resourceVersionMatch: random.pick(['Exact', 'NotOlderThan', 'Other']),
  };
  return { path, query: { ...query, ...at } };
};

export const readers: readonly Drafter[] = [
  read,
  read,
  readOtherwise,
  readSubresource,
  list,
  list,
  listByName,
  page,
  page,
  listAt,
];
