/** Stores under a control plane with one fault each, as wrappers of a good one. */
import type { Change, CommitResult, Storage, Write } from '@tributary/storage';
import { turns } from '../harness/index.ts';
import { delegate } from './mutants.ts';
import type { NamespaceRule } from './namespace-checker.ts';

export interface NamespaceMutant {
  readonly name: string;
  /** The rules that detect it; with none, no rule may object. */
  readonly rules: readonly NamespaceRule[];
  open(inner: Storage): Storage;
}

const NAMESPACES = '/registry/core/namespaces/';
/** Turns of the server's event loop between the check of a namespace and the write. */
const LATE_TURNS = 500;
/** An object that is in every namespace that the run fills. */
const CHOSEN = /\/doomed-\d+\/filled-1$/;

export const namespaceMutants: readonly NamespaceMutant[] = [
  { name: 'none', rules: [], open: (inner) => delegate(inner, {}) },
  {
    name: 'creates whatever has become of the namespace',
    rules: ['late-create'],
    open: (inner) => delegate(inner, { commit: (change) => commitLate(inner, change) }),
  },
  {
    name: 'deletes the same in another namespace',
    rules: ['lost', 'unasked'],
    open: (inner) => delegate(inner, { commit: (change) => deleteBeside(inner, change) }),
  },
  {
    name: 'does not delete what it says it has deleted',
    rules: ['stuck'],
    open: (inner) => delegate(inner, { commit: (change) => pretend(inner, change) }),
  },
  { name: 'keeps what it tells to be deleted', rules: ['left-over'], open: keepSecretly },
];

/** Leaves time between the look at the namespace and the write, and forgets to look again. */
async function commitLate(inner: Storage, { require, writes }: Change): Promise<CommitResult> {
  const isOfNamespace = writes.some(({ key }) => key.startsWith(NAMESPACES));
  const retained = require.filter(({ key }) => isOfNamespace || !key.startsWith(NAMESPACES));
  if (retained.length < require.length) await turns(LATE_TURNS);
  return inner.commit({ require: retained, writes });
}

async function deleteBeside(inner: Storage, change: Change): Promise<CommitResult> {
  const result = await inner.commit(change);
  for (const { key } of deletesOfChosen(change.writes)) {
    const beside = key.replace(/doomed-\d+/, 'safe-0');
    await inner.commit({ require: [], writes: [{ kind: 'delete', key: beside }] });
  }
  return result;
}

async function pretend(inner: Storage, change: Change): Promise<CommitResult> {
  if (deletesOfChosen(change.writes).length === 0) return inner.commit(change);
  return { outcome: 'written', revision: await inner.currentRevision() };
}

/** Restores it without an event. */
function keepSecretly(inner: Storage): Storage {
  const secret = new Set<string>();
  return delegate(inner, {
    commit: async (change) => {
      const chosen = deletesOfChosen(change.writes);
      const retained = await Promise.all(chosen.map(({ key }) => inner.get(key)));
      const result = await inner.commit(change);
      if (result.outcome !== 'written') return result;
      for (const stored of retained) {
        if (stored === undefined) continue;
        const { key, value } = stored;
        secret.add(key);
        await inner.commit({ require: [], writes: [{ kind: 'put', key, value }] });
      }
      return result;
    },
    async *feed(after, options) {
      for await (const { events, progress } of inner.feed(after, options)) {
        const reported = events.filter(({ kind, key }) => kind === 'delete' || !secret.has(key));
        yield { events: reported, progress };
      }
    },
  });
}

function deletesOfChosen(writes: readonly Write[]): readonly Write[] {
  return writes.filter(({ kind, key }) => kind === 'delete' && CHOSEN.test(key));
}
