import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkHistory } from '../../test/faults/checker.ts';
import { selectEverything } from '../../test/faults/flunders.ts';
import type { History, Item } from '../../test/faults/history.ts';
import { ownFlunders } from './own-flunders.ts';

const { scope } = selectEverything();
const own: Item = { key: 'north/hot-0', revision: 5, token: 'w0.1.red.0' };
const foreign: Item = { key: 'owners/of-owner-0', revision: 6, token: 'damaged' };

function history(reported: readonly Item[]): History {
  const list = { client: 'a', scope, start: 7, end: 8, revision: 6, items: [own, foreign] };
  const events = reported.map((item) => ({ type: 'ADDED', ...item, at: 4 }) as const);
  return {
    writes: [
      {
        ...{ kind: 'create', client: 'w0', start: 1, end: 2 },
        ...{ key: own.key, token: own.token, outcome: { kind: 'ok', revision: own.revision } },
      },
    ],
    gets: [],
    lists: [list],
    watches: [
      {
        watcher: 'a',
        scope,
        sessions: [
          { start: 'list', after: 4, events, end: 'cut' },
          { start: 'resume', after: reported.at(-1)?.revision ?? 4, events: [], end: 'cut' },
        ],
      },
    ],
    final: { ...list, client: 'last', start: 9, end: 10 },
  };
}

test('flunders of others are no contradiction, and a watch that ends with one goes on behind it', () => {
  const whole = history([own, foreign]);
  assert.notDeepEqual(checkHistory(whole), []);
  assert.deepEqual(checkHistory(ownFlunders(whole)), []);
});

test('own flunders are still judged', () => {
  const rules = checkHistory(ownFlunders(history([foreign]))).map(({ rule }) => rule);
  assert.deepEqual(rules, ['watch-missed']);
});
