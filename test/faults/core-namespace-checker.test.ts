/** The checker itself, on histories made by hand: each is rejected by its rule and by no other. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkNamespaces, type NamespaceRule } from './namespace-checker.ts';
import type {
  AcknowledgedCreate,
  NamespaceEvent,
  NamespaceHistory,
  ObjectEvent,
} from './namespace-history.ts';

/** `safe` stays; `doomed` is made, deleted at 20, gone at 30, and made again at 40. */
const good: NamespaceHistory = {
  creates: [create('safe', 'a', 3), create('doomed', 'b', 10), create('doomed', 'c', 45)],
  deletions: [{ uid: 'doomed-1', isCertain: true }],
  namespaces: [
    namespace('ADDED', 'safe', 1),
    namespace('ADDED', 'doomed-1', 2),
    namespace('MODIFIED', 'doomed-1', 20, true),
    namespace('MODIFIED', 'doomed-1', 29, true),
    namespace('DELETED', 'doomed-1', 30, true),
    namespace('ADDED', 'doomed-2', 40),
  ],
  objects: [
    event('ADDED', 'safe', 'a', 3),
    event('ADDED', 'doomed', 'b', 10),
    event('MODIFIED', 'doomed', 'b', 21, true),
    event('DELETED', 'doomed', 'b', 22, true),
    event('ADDED', 'doomed', 'c', 45),
  ],
  final: {
    namespaces: [
      { name: 'safe', uid: 'safe', isDeleting: false },
      { name: 'doomed', uid: 'doomed-2', isDeleting: false },
    ],
    objects: [reference('safe', 'a'), reference('doomed', 'c')],
    readAt: { configmaps: 60 },
    storedKeys: [
      '/registry/core/namespaces/safe',
      '/registry/core/configmaps/safe/a',
      '/registry/core/namespaces/doomed',
      '/registry/core/configmaps/doomed/c',
    ],
  },
};

interface Case {
  readonly name: string;
  readonly rules: readonly NamespaceRule[];
  readonly change: (history: NamespaceHistory) => Partial<NamespaceHistory>;
}

const withObjects = (...more: ObjectEvent[]) => ({ objects: [...good.objects, ...more] });

const cases: readonly Case[] = [
  { name: 'nothing is wrong', rules: [], change: () => ({}) },
  {
    name: 'a deletion that was not answered did not happen',
    rules: [],
    change: ({ deletions }) => ({
      deletions: [...deletions, { uid: 'doomed-2', isCertain: false }],
    }),
  },
  {
    name: 'created in a namespace that is going away, and deleted with the rest',
    rules: ['late-create'],
    change: () =>
      withObjects(event('ADDED', 'doomed', 'd', 23), event('DELETED', 'doomed', 'd', 24, true)),
  },
  {
    name: 'acknowledged in a namespace that is going away',
    rules: ['late-create'],
    change: ({ creates }) => ({
      creates: [...creates, create('doomed', 'd', 23)],
      ...withObjects(event('ADDED', 'doomed', 'd', 23), event('DELETED', 'doomed', 'd', 24, true)),
    }),
  },
  {
    name: 'created between two lives of a namespace',
    rules: ['late-create'],
    change: () => withObjects(event('ADDED', 'doomed', 'd', 35)),
  },
  {
    name: 'created in a namespace that never was',
    rules: ['late-create'],
    change: () => withObjects(event('ADDED', 'never', 'd', 35)),
  },
  {
    name: 'acknowledged in a namespace that stays, and not there',
    rules: ['lost'],
    change: ({ final }) => ({
      final: { ...final, objects: [reference('doomed', 'c')] },
    }),
  },
  {
    name: 'created after the last list',
    rules: [],
    change: () => withObjects(event('ADDED', 'safe', 'd', 61)),
  },
  {
    name: 'replaced by another object of the same name',
    rules: ['lost'],
    change: ({ final }) => ({
      final: {
        ...final,
        objects: [{ ...reference('safe', 'a'), uid: 'other' }, reference('doomed', 'c')],
      },
    }),
  },
  {
    name: 'deleted in a namespace before that is',
    rules: ['unasked'],
    change: ({ objects }) => ({
      objects: objects.map((one) =>
        one.type === 'DELETED' || one.isDeleting ? { ...one, revision: one.revision - 10 } : one,
      ),
    }),
  },
  {
    name: 'a namespace goes that nobody deleted',
    rules: ['unasked'],
    change: () => ({ deletions: [] }),
  },
  {
    name: 'a namespace whose deletion was acknowledged stays',
    rules: ['stuck'],
    change: ({ deletions }) => ({
      deletions: [...deletions, { uid: 'doomed-2', isCertain: true }],
    }),
  },
  {
    name: 'a namespace is going away for ever',
    rules: ['stuck'],
    change: ({ final, deletions, namespaces }) => ({
      deletions: [...deletions, { uid: 'doomed-2', isCertain: false }],
      namespaces: [...namespaces, namespace('MODIFIED', 'doomed-2', 50, true)],
      final: {
        ...final,
        namespaces: final.namespaces.map((one) => ({ ...one, isDeleting: one.name === 'doomed' })),
      },
    }),
  },
  {
    name: 'a namespace goes before what is in it',
    rules: ['gone-too-early'],
    change: ({ objects }) => ({
      objects: objects.map((one) => (one.type === 'DELETED' ? { ...one, revision: 31 } : one)),
    }),
  },
  {
    name: 'an object of a namespace that is not there',
    rules: ['left-over'],
    change: ({ final }) => ({
      final: { ...final, objects: [...final.objects, reference('never', 'd')] },
    }),
  },
  {
    name: 'a key of a namespace that is gone, in the store alone',
    rules: ['left-over'],
    change: ({ final, namespaces, deletions }) => ({
      namespaces: [
        ...namespaces,
        namespace('ADDED', 'brief', 51),
        namespace('MODIFIED', 'brief', 52, true),
        namespace('DELETED', 'brief', 53, true),
      ],
      deletions: [...deletions, { uid: 'brief', isCertain: true }],
      final: { ...final, storedKeys: ['/registry/core/secrets/brief/d'] },
    }),
  },
  {
    name: 'acknowledged, and no watcher was told',
    rules: ['unseen'],
    change: ({ objects }) => ({ objects: objects.filter(({ name }) => name !== 'a') }),
  },
  {
    name: 'acknowledged with another revision than watchers were told',
    rules: ['unseen'],
    change: ({ creates }) => ({
      creates: creates.map((one) => (one.name === 'a' ? { ...one, revision: 4 } : one)),
    }),
  },
];

describe('the checker of namespaces', () => {
  for (const { name, rules, change } of cases) {
    test(name, () => {
      const violations = checkNamespaces({ ...good, ...change(good) });
      const broken = [...new Set(violations.map(({ rule }) => rule))];
      assert.deepEqual(broken, rules, JSON.stringify(violations, undefined, 2));
    });
  }
});

function reference(namespace: string, name: string) {
  return { plural: 'configmaps', namespace, name, uid: `uid-${name}` };
}

function create(namespace: string, name: string, revision: number): AcknowledgedCreate {
  return { ...reference(namespace, name), revision };
}

function event(
  type: ObjectEvent['type'],
  namespace: string,
  ...[name, revision, isDeleting = false]: [string, number, boolean?]
): ObjectEvent {
  return { ...reference(namespace, name), type, revision, isDeleting };
}

/** The uid is the name and, after a dash, which of its lives it is. */
function namespace(
  type: NamespaceEvent['type'],
  uid: string,
  ...[revision, isDeleting = false]: [number, boolean?]
): NamespaceEvent {
  return { type, name: uid.split('-')[0] ?? '', uid, revision, isDeleting };
}
