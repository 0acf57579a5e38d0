import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkInformer, type InformerLog, type Rule, type Truth } from './checker.ts';
import type { InformerEvent, Item, Life } from './history.ts';

/** `add a1@5`: the key is the letter, the uid the letter with its number. */
function event(text: string): InformerEvent {
  const [, kind, key = '', number, version] =
    /^(add|update|delete) ([a-z])(\d)@(\d+)$/.exec(text) ?? [];
  return {
    kind: kind as InformerEvent['kind'],
    key,
    uid: `${key}${number}`,
    version: Number(version),
  };
}

/** `a1@5`, or `a1@5!` with a content that is not the server's. */
function item(text: string): Item {
  const [, key = '', number, version, altered] = /^([a-z])(\d)@(\d+)(!?)$/.exec(text) ?? [];
  const uid = `${key}${number}`;
  return { key, uid, version: Number(version), hash: `${uid}@${version}${altered}` };
}

function life(uid: string, versions: readonly number[], ended = false): Life {
  return { key: uid.slice(0, 1), uid, versions, ended };
}

/** Objects a and b are there at 10; a is changed at 11 and 14; b ends at 12 and is made anew at 13. */
const truth: Truth = {
  start: 10,
  lives: [life('a1', [5, 11, 14]), life('b1', [7], true), life('b2', [13])],
  list: [item('a1@14'), item('b2@13')],
};
const EVENTS = [
  'add a1@5',
  'add b1@7',
  'update a1@11',
  'delete b1@12',
  'add b2@13',
  'update a1@14',
] as const;
const STORE = ['a1@14', 'b2@13'] as const;

interface Case {
  readonly name: string;
  readonly events?: readonly string[];
  readonly store?: readonly string[];
  readonly relists?: number;
  readonly replacesByUpdate?: boolean;
  readonly want: readonly Rule[];
}

const cases: readonly Case[] = [
  { name: 'the truth', want: [] },
  {
    name: 'after a list, overtaken changes are missing and the order is any',
    events: ['add a1@5', 'add b1@7', 'delete b1@7', 'update a1@14', 'add b2@13'],
    relists: 1,
    want: [],
  },
  {
    name: 'after a list, what did not change may be told again',
    events: ['add a1@5', 'add b1@7', 'update b1@7', 'update a1@14', 'delete b1@7', 'add b2@13'],
    relists: 1,
    want: [],
  },
  {
    name: 'after a list, another object of the same name is an update for some libraries',
    events: ['add a1@5', 'add b1@7', 'update a1@14', 'update b2@13'],
    relists: 1,
    replacesByUpdate: true,
    want: [],
  },
  {
    name: 'for others it is wrong',
    events: ['add a1@5', 'add b1@7', 'update a1@14', 'update b2@13'],
    relists: 1,
    want: ['replaced'],
  },
  {
    name: 'without a list it is always wrong',
    events: ['add a1@5', 'add b1@7', 'update a1@11', 'update b2@13', 'update a1@14'],
    replacesByUpdate: true,
    want: ['replaced', 'missed'],
  },
  { name: 'an event in the middle is lost', events: without('update a1@11'), want: ['missed'] },
  {
    name: 'the last event is lost, and the store with it',
    events: without('update a1@14'),
    store: ['a1@11', 'b2@13'],
    want: ['missed', 'stale'],
  },
  {
    name: 'the same, after a list, which excuses only what was overtaken',
    events: without('update a1@14'),
    store: ['a1@11', 'b2@13'],
    relists: 1,
    want: ['stale'],
  },
  {
    name: 'the creation of an object is lost',
    events: without('add b2@13'),
    store: ['a1@14'],
    want: ['missed', 'lost'],
  },
  {
    name: 'the end of an object is lost',
    events: ['add a1@5', 'add b1@7', 'update a1@11', 'update a1@14'],
    store: ['a1@14', 'b1@7'],
    relists: 1,
    want: ['stale'],
  },
  {
    name: 'an object that ended stays',
    events: without('add b2@13'),
    store: ['a1@14', 'b2@13', 'c1@9'],
    relists: 1,
    want: ['untold', 'untold', 'left over'],
  },
  { name: 'the store lacks what was told', store: ['a1@14'], want: ['untold', 'lost'] },
  {
    name: 'the store is older than what was told',
    store: ['a1@11', 'b2@13'],
    want: ['untold', 'stale'],
  },
  { name: 'the content is not that of the version', store: ['a1@14!', 'b2@13'], want: ['altered'] },
  {
    name: 'an add is repeated',
    events: ['add a1@5', ...EVENTS],
    want: ['repeated', 'repeated'],
  },
  {
    name: 'an update is repeated',
    events: [...EVENTS, 'update a1@14'],
    want: ['repeated', 'reordered'],
  },
  {
    name: 'the end is repeated',
    events: [...EVENTS.slice(0, 4), 'delete b1@12', ...EVENTS.slice(4)],
    want: ['unknown', 'reordered'],
  },
  {
    name: 'an object comes again after its end',
    events: [...EVENTS.slice(0, 4), 'add b1@7', 'delete b1@12', ...EVENTS.slice(4)],
    relists: 1,
    want: ['repeated'],
  },
  {
    name: 'an object goes back',
    events: [...EVENTS, 'update a1@11'],
    store: ['a1@11', 'b2@13'],
    relists: 1,
    want: ['backwards', 'stale'],
  },
  {
    name: 'the end is told at a version before the last one',
    events: ['add a1@14', 'add b1@7', 'delete a1@11', 'add a1@14', 'delete b1@12', 'add b2@13'],
    relists: 1,
    want: ['backwards', 'invented', 'repeated'],
  },
  {
    name: 'events of two objects are swapped',
    events: [...EVENTS.slice(0, 2), 'delete b1@12', 'update a1@11', ...EVENTS.slice(4)],
    want: ['reordered'],
  },
  {
    name: 'an update of an object nobody told of',
    events: EVENTS.slice(1),
    relists: 1,
    want: ['unknown'],
  },
  {
    name: 'a version nobody wrote',
    events: [...EVENTS.slice(0, 5), 'update a1@12', 'update a1@14'],
    relists: 1,
    want: ['invented'],
  },
  {
    name: 'the end of an object that lives',
    events: [...EVENTS, 'delete a1@15'],
    store: ['b2@13'],
    want: ['invented', 'lost'],
  },
  {
    name: 'an object nobody made',
    events: [...EVENTS, 'add c1@15', 'delete c1@16'],
    want: ['invented', 'invented'],
  },
];

for (const { name, want, ...given } of cases) {
  test(`the checker: ${name}`, () => {
    const log: InformerLog = {
      events: (given.events ?? EVENTS).map(event),
      store: (given.store ?? STORE).map(item),
      relists: given.relists ?? 0,
      beginnings: 1 + (given.relists ?? 0),
      replacesByUpdate: given.replacesByUpdate ?? false,
    };
    assert.deepEqual(
      checkInformer(log, truth).map(({ rule }) => rule),
      want,
    );
  });
}

function without(left: (typeof EVENTS)[number]): string[] {
  return EVENTS.filter((text) => text !== left);
}
