/** The checker on small histories made by hand: good ones, and for each rule some that only it rejects. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkHistory, describeViolations, type Rule } from './checker.ts';
import type {
  Get,
  History,
  Item,
  List,
  Scope,
  WatchEvent,
  WatchLog,
  WatchSession,
  Write,
  WriteOutcome,
} from './history.ts';

const everything: Scope = { name: 'everything', isByValue: false, selects: () => true };
/** Tokens of objects with the label end in "-red". */
const red: Scope = {
  name: 'red',
  isByValue: true,
  selects: (_key, token) => token.endsWith('-red'),
};

type StepResult = number | 'ok' | 'unknown' | { refused: number };
interface Span {
  start: number;
  end: number;
}

/** Writes a history down in the order in which things happen; a `span` says otherwise. */
class Script {
  readonly #writes: Write[] = [];
  readonly #gets: Get[] = [];
  readonly #lists: List[] = [];
  readonly #watches: WatchLog[] = [];
  #moment = 0;

  create(key: string, token: string, response: StepResult, span?: Span): this {
    const outcome = outcomeOf(response);
    this.#writes.push({ kind: 'create', key, token, outcome, ...this.#timed(span) });
    return this;
  }

  update(key: string, token: string, on: number, response: StepResult, span?: Span): this {
    const outcome = outcomeOf(response);
    const timed = this.#timed(span);
    this.#writes.push({ kind: 'update', key, token, expected: on, outcome, ...timed });
    return this;
  }

  delete(key: string, on: number, response: StepResult, span?: Span): this {
    const outcome = outcomeOf(response);
    this.#writes.push({ kind: 'delete', key, expected: on, outcome, ...this.#timed(span) });
    return this;
  }

  get(key: string, found?: { token: string; revision: number }, span?: Span): this {
    this.#gets.push({ key, found: found && { key, ...found }, ...this.#timed(span) });
    return this;
  }

  list(revision: number, items: readonly Item[], scope = everything): this {
    this.#lists.push({ revision, items, scope, ...this.#timed() });
    return this;
  }

  /** Its events come at the end, so that they say nothing about when the reads had to know. */
  watch(sessions: readonly (readonly Reported[] | Session)[], scope = everything): this {
    const watcher = `watcher of ${scope.name}`;
    this.#watches.push({ watcher, scope, sessions: sessionsOf(sessions, () => ++this.#moment) });
    return this;
  }

  end(revision: number, items: readonly Item[]): History {
    return {
      writes: this.#writes,
      gets: this.#gets,
      lists: this.#lists,
      watches: this.#watches,
      final: { revision, items, scope: everything, ...this.#timed() },
    };
  }

  #timed(span?: Span): Span & { client: string } {
    const start = span?.start ?? ++this.#moment;
    const end = span?.end ?? ++this.#moment;
    this.#moment = Math.max(this.#moment, end);
    return { client: `client ${start}`, start, end };
  }
}

function outcomeOf(response: StepResult): WriteOutcome {
  if (typeof response === 'number') return { kind: 'ok', revision: response };
  if (typeof response === 'object') return { kind: 'refused', code: response.refused };
  return { kind: response };
}

type Reported =
  | readonly ['ADDED' | 'MODIFIED' | 'DELETED', key: string, token: string, revision: number]
  | readonly ['BOOKMARK', revision: number];

interface Session {
  list: number;
  reported: readonly Reported[];
  expired?: boolean;
}

/** A watcher begins after revision 1 and resumes where it was, unless it says that it listed. */
function sessionsOf(
  sessions: readonly (readonly Reported[] | Session)[],
  moment: () => number,
): WatchSession[] {
  let place = 1;
  return sessions.map((session, index): WatchSession => {
    const listed = 'list' in session ? session : undefined;
    const reported = 'list' in session ? session.reported : session;
    const after = listed?.list ?? place;
    const events = reported.map((each): WatchEvent => {
      if (each[0] === 'BOOKMARK') return { type: each[0], revision: each[1], at: moment() };
      const [type, key, token, revision] = each;
      return { type, key, token, revision, at: moment() };
    });
    place = events.at(-1)?.revision ?? after;
    const start = index === 0 || listed ? 'list' : 'resume';
    return { start, after, events, end: listed?.expired ? 'expired' : 'cut' };
  });
}

function item(key: string, token: string, revision: number): Item {
  return { key, token, revision };
}

const together: Span = { start: 100, end: 200 };

const good: readonly { name: string; history: History }[] = [
  { name: 'nothing happened', history: new Script().watch([[]]).end(1, []) },
  {
    name: 'one client, one key, all kinds of writes and reads',
    history: new Script()
      .create('a', 'x', 2)
      .get('a', { token: 'x', revision: 2 })
      .update('a', 'y', 2, 3)
      .update('a', 'z', 2, { refused: 409 })
      .list(3, [item('a', 'y', 3)])
      .delete('a', 3, 'ok')
      .get('a')
      .create('a', 'again', 5)
      .watch([
        [
          ['ADDED', 'a', 'x', 2],
          ['MODIFIED', 'a', 'y', 3],
          ['DELETED', 'a', 'y', 4],
          ['ADDED', 'a', 'again', 5],
        ],
      ])
      .end(5, [item('a', 'again', 5)]),
  },
  {
    name: 'writes without an answer that happened, and some that did not',
    history: new Script()
      .create('a', 'x', 'unknown')
      .update('a', 'y', 2, 'unknown')
      .create('b', 'no', 'unknown')
      .create('c', 'x3', 3)
      .delete('c', 3, 'unknown')
      .create('d', 'x4', 4)
      .delete('d', 4, 'unknown')
      .end(5, [item('a', 'x', 2), item('d', 'x4', 4)]),
  },
  {
    name: 'a read at the same time as a write sees either state',
    history: new Script()
      .create('a', 'x', 2)
      .update('a', 'y', 2, 3, together)
      .get('a', { token: 'x', revision: 2 }, { start: 110, end: 250 })
      .get('a', { token: 'y', revision: 3 }, { start: 110, end: 120 })
      .end(3, [item('a', 'y', 3)]),
  },
  {
    name: 'a deletion that nobody saw, before the key was created again',
    history: new Script()
      .create('a', 'x', 2)
      .delete('a', 2, 'unknown')
      .get('a')
      .list(7, [])
      .create('a', 'y', 9)
      .watch([{ list: 7, reported: [['ADDED', 'a', 'y', 9]] }])
      .end(9, [item('a', 'y', 9)]),
  },
  {
    name: 'a watch that was cut, with bookmarks',
    history: new Script()
      .create('a', 'x', 2)
      .create('b', 'y', 3)
      .update('b', 'z', 3, 9)
      .watch([
        [
          ['ADDED', 'a', 'x', 2],
          ['BOOKMARK', 2],
        ],
        [],
        [
          ['ADDED', 'b', 'y', 3],
          ['BOOKMARK', 7],
        ],
        [['MODIFIED', 'b', 'z', 9]],
      ])
      .end(9, [item('a', 'x', 2), item('b', 'z', 9)]),
  },
  {
    name: 'a watch that was told that it is too late',
    history: new Script()
      .create('a', 'x', 2)
      .update('a', 'y', 2, 3)
      .update('a', 'z', 3, 4)
      .watch([
        { list: 1, reported: [['ADDED', 'a', 'x', 2]], expired: true },
        { list: 3, reported: [['MODIFIED', 'a', 'z', 4]] },
      ])
      .end(4, [item('a', 'z', 4)]),
  },
  {
    name: 'objects that come into a selection and leave it',
    history: new Script()
      .create('a', '1-red', 2)
      .update('a', '2-blue', 2, 3)
      .update('a', '3-blue', 3, 4)
      .update('a', '4-red', 4, 5)
      .update('a', '5-red', 5, 6)
      .delete('a', 6, 'ok')
      .list(7, [], red)
      .watch([[]], { ...red, name: 'nothing', selects: () => false })
      .watch([
        [
          ['ADDED', 'a', '1-red', 2],
          ['MODIFIED', 'a', '2-blue', 3],
          ['MODIFIED', 'a', '3-blue', 4],
          ['MODIFIED', 'a', '4-red', 5],
          ['MODIFIED', 'a', '5-red', 6],
          ['DELETED', 'a', '5-red', 7],
        ],
      ])
      .watch(
        [
          [
            ['ADDED', 'a', '1-red', 2],
            ['DELETED', 'a', '1-red', 3],
          ],
          [
            ['ADDED', 'a', '4-red', 5],
            ['MODIFIED', 'a', '5-red', 6],
            ['DELETED', 'a', '5-red', 7],
          ],
        ],
        red,
      )
      .end(7, []),
  },
];

const bad: readonly { rule: Rule; name: string; history: History }[] = [
  {
    rule: 'lost',
    name: 'a create was acknowledged and is not there',
    history: new Script().create('a', 'x', 2).end(2, []),
  },
  {
    rule: 'lost',
    name: 'an update was acknowledged, the end has what was before',
    history: new Script()
      .create('a', 'x', 2)
      .update('a', 'y', 2, 3)
      .end(4, [item('a', 'x', 2)]),
  },
  {
    rule: 'lost',
    name: 'a delete was acknowledged, the object is there still',
    history: new Script()
      .create('a', 'x', 2)
      .delete('a', 2, 'ok')
      .end(3, [item('a', 'x', 2)]),
  },
  {
    rule: 'lost',
    name: 'a write without an answer was told to a reader and is gone',
    history: new Script()
      .create('a', 'x', 'unknown')
      .get('a', { token: 'x', revision: 2 })
      .end(2, []),
  },
  {
    rule: 'lost',
    name: 'a write without an answer was told to a watcher and is gone',
    history: new Script()
      .create('a', 'x', 'unknown')
      .watch([[['ADDED', 'a', 'x', 2]]])
      .end(2, []),
  },
  {
    rule: 'overwrote',
    name: 'two updates on one state succeeded',
    history: new Script()
      .create('a', 'x', 2)
      .update('a', 'y', 2, 3, together)
      .update('a', 'z', 2, 4, together)
      .end(4, [item('a', 'z', 4)]),
  },
  {
    rule: 'overwrote',
    name: 'two creates of one key succeeded',
    history: new Script()
      .create('a', 'x', 2, together)
      .create('a', 'y', 3, together)
      .end(3, [item('a', 'y', 3)]),
  },
  {
    rule: 'overwrote',
    name: 'an update and a delete on one state succeeded',
    history: new Script()
      .create('a', 'x', 2)
      .update('a', 'y', 2, 3, together)
      .delete('a', 2, 'ok', together)
      .end(4, [item('a', 'y', 3)]),
  },
  {
    rule: 'overwrote',
    name: 'two deletes of one state succeeded',
    history: new Script()
      .create('a', 'x', 2)
      .delete('a', 2, 'ok', together)
      .delete('a', 2, 'ok', together)
      .end(4, []),
  },
  {
    rule: 'overwrote',
    name: 'an acknowledged update was forgotten, and the key went on from the state before',
    history: new Script()
      .create('a', 'x', 2)
      .update('a', 'y', 2, 3)
      .update('a', 'z', 2, 4)
      .end(4, [item('a', 'z', 4)]),
  },
  {
    rule: 'applied-twice',
    name: 'a write without an answer happened and happened again',
    history: new Script()
      .create('a', 'x', 'unknown')
      .watch([
        [
          ['ADDED', 'a', 'x', 2],
          ['MODIFIED', 'a', 'x', 3],
        ],
      ])
      .end(3, [item('a', 'x', 3)]),
  },
  {
    rule: 'applied-twice',
    name: 'a write was acknowledged at one revision and is there at another',
    history: new Script().create('a', 'x', 2).end(3, [item('a', 'x', 3)]),
  },
  {
    rule: 'unexplained',
    name: 'a value that nobody wrote',
    history: new Script().end(2, [item('a', 'x', 2)]),
  },
  {
    rule: 'unexplained',
    name: 'a value that was written to another key',
    history: new Script().create('a', 'x', 'unknown').end(2, [item('b', 'x', 2)]),
  },
  {
    rule: 'unexplained',
    name: 'a write that was refused and happened',
    history: new Script().create('a', 'x', { refused: 409 }).end(2, [item('a', 'x', 2)]),
  },
  {
    rule: 'unexplained',
    name: 'a deletion that nobody asked for',
    history: new Script()
      .create('a', 'x', 2)
      .watch([
        [
          ['ADDED', 'a', 'x', 2],
          ['DELETED', 'a', 'x', 3],
        ],
      ])
      .end(3, []),
  },
  {
    rule: 'revision-reused',
    name: 'two keys have a change of one revision',
    history: new Script()
      .create('a', 'x', 2, together)
      .create('b', 'y', 2, together)
      .end(2, [item('a', 'x', 2), item('b', 'y', 2)]),
  },
  {
    rule: 'revision-back',
    name: 'a write has a smaller revision than one that was acknowledged before it began',
    history: new Script()
      .create('a', 'x', 10)
      .create('b', 'y', 7)
      .end(10, [item('a', 'x', 10), item('b', 'y', 7)]),
  },
  {
    rule: 'revision-back',
    name: 'a write has a smaller revision than a list that was read before it began',
    history: new Script()
      .list(10, [], red)
      .create('b', 'y', 7)
      .end(10, [item('b', 'y', 7)]),
  },
  {
    rule: 'stale',
    name: 'a get finds what an acknowledged update had replaced',
    history: new Script()
      .create('a', 'x', 2)
      .update('a', 'y', 2, 3)
      .get('a', { token: 'x', revision: 2 })
      .end(3, [item('a', 'y', 3)]),
  },
  {
    rule: 'stale',
    name: 'a get finds nothing where a create was acknowledged',
    history: new Script()
      .create('a', 'x', 2)
      .get('a')
      .end(3, [item('a', 'x', 2)]),
  },
  {
    rule: 'stale',
    name: 'a get finds what was replaced before a change that somebody had been told of',
    history: new Script()
      .create('a', 'x', 2)
      .update('a', 'y', 2, 3, { start: 3, end: 300 })
      .create('b', 'z', 4, { start: 4, end: 5 })
      .get('a', { token: 'x', revision: 2 }, { start: 6, end: 7 })
      .end(4, [item('a', 'y', 3), item('b', 'z', 4)]),
  },
  {
    rule: 'stale',
    name: 'a list is older than an acknowledged write',
    history: new Script()
      .create('a', 'x', 2)
      .create('b', 'y', 3)
      .list(2, [item('a', 'x', 2)])
      .end(3, [item('a', 'x', 2), item('b', 'y', 3)]),
  },
  {
    rule: 'torn',
    name: 'a list has one key as it was and another as it is',
    history: new Script()
      .create('a', 'x', 2)
      .create('b', 'y', 3)
      .update('a', 'x2', 2, 4, together)
      .update('b', 'y2', 3, 5, together)
      .list(5, [item('a', 'x', 2), item('b', 'y2', 5)])
      .end(5, [item('a', 'x2', 4), item('b', 'y2', 5)]),
  },
  {
    rule: 'torn',
    name: 'a list lacks an object',
    history: new Script()
      .create('a', 'x', 2)
      .list(2, [])
      .end(2, [item('a', 'x', 2)]),
  },
  {
    rule: 'torn',
    name: 'a list has an object that its selector does not select',
    history: new Script()
      .create('a', '1-blue', 2)
      .list(2, [item('a', '1-blue', 2)], red)
      .end(2, [item('a', '1-blue', 2)]),
  },
  {
    rule: 'wrong-refusal',
    name: 'an update on the present state is refused',
    history: new Script()
      .create('a', 'x', 2)
      .update('a', 'y', 2, { refused: 409 })
      .end(2, [item('a', 'x', 2)]),
  },
  {
    rule: 'wrong-refusal',
    name: 'a delete does not find the object that is replaced later',
    history: new Script()
      .create('a', 'x', 2)
      .delete('a', 2, { refused: 404 })
      .update('a', 'y', 2, 3)
      .end(3, [item('a', 'y', 3)]),
  },
  {
    rule: 'watch-missed',
    name: 'a watch leaves out a change',
    history: new Script()
      .create('a', 'x', 2)
      .create('b', 'y', 3)
      .watch([[['ADDED', 'b', 'y', 3]]])
      .end(3, [item('a', 'x', 2), item('b', 'y', 3)]),
  },
  {
    rule: 'watch-missed',
    name: 'a watch stops before the end',
    history: new Script()
      .create('a', 'x', 2)
      .create('b', 'y', 3)
      .watch([[['ADDED', 'a', 'x', 2]]])
      .end(3, [item('a', 'x', 2), item('b', 'y', 3)]),
  },
  {
    rule: 'watch-missed',
    name: 'a watch that was cut leaves out what happened meanwhile',
    history: new Script()
      .create('a', 'x', 2)
      .create('b', 'y', 3)
      .create('c', 'z', 4)
      .watch([[['ADDED', 'a', 'x', 2]], [['ADDED', 'c', 'z', 4]]])
      .end(4, [item('a', 'x', 2), item('b', 'y', 3), item('c', 'z', 4)]),
  },
  {
    rule: 'watch-missed',
    name: 'a bookmark passes over a change',
    history: new Script()
      .create('a', 'x', 2)
      .watch([
        { list: 1, reported: [['BOOKMARK', 2]], expired: true },
        { list: 2, reported: [] },
      ])
      .end(2, [item('a', 'x', 2)]),
  },
  {
    rule: 'watch-missed',
    name: 'a watch does not tell of a deletion that must have been',
    history: new Script()
      .create('a', 'x', 2)
      .delete('a', 2, 'unknown')
      .create('a', 'y', 4)
      .watch([
        [
          ['ADDED', 'a', 'x', 2],
          ['ADDED', 'a', 'y', 4],
        ],
      ])
      .end(4, [item('a', 'y', 4)]),
  },
  {
    rule: 'watch-missed',
    name: 'a watch with a selector does not tell that an object has left',
    history: new Script()
      .create('a', '1-red', 2)
      .update('a', '2-blue', 2, 3)
      .watch([[['ADDED', 'a', '1-red', 2]]], red)
      .end(3, [item('a', '2-blue', 3)]),
  },
  {
    rule: 'watch-repeated',
    name: 'a watch tells a change twice',
    history: new Script()
      .create('a', 'x', 2)
      .watch([
        [
          ['ADDED', 'a', 'x', 2],
          ['ADDED', 'a', 'x', 2],
        ],
      ])
      .end(2, [item('a', 'x', 2)]),
  },
  {
    rule: 'watch-repeated',
    name: 'a watch that goes on tells its last change again',
    history: new Script()
      .create('a', 'x', 2)
      .watch([[['ADDED', 'a', 'x', 2]], [['ADDED', 'a', 'x', 2]]])
      .end(2, [item('a', 'x', 2)]),
  },
  {
    rule: 'watch-repeated',
    name: 'a watch tells what its list had told',
    history: new Script()
      .create('a', 'x', 2)
      .watch([{ list: 2, reported: [['ADDED', 'a', 'x', 2]] }])
      .end(2, [item('a', 'x', 2)]),
  },
  {
    rule: 'watch-reordered',
    name: 'a watch tells two changes in the wrong order',
    history: new Script()
      .create('a', 'x', 2)
      .create('b', 'y', 3)
      .watch([
        [
          ['ADDED', 'b', 'y', 3],
          ['ADDED', 'a', 'x', 2],
        ],
      ])
      .end(3, [item('a', 'x', 2), item('b', 'y', 3)]),
  },
  {
    rule: 'watch-reordered',
    name: 'a change comes behind the bookmark that promised it would not',
    history: new Script()
      .create('a', 'x', 2)
      .create('b', 'y', 3)
      .watch([
        [
          ['BOOKMARK', 3],
          ['ADDED', 'a', 'x', 2],
          ['ADDED', 'b', 'y', 3],
        ],
      ])
      .end(3, [item('a', 'x', 2), item('b', 'y', 3)]),
  },
  {
    rule: 'watch-wrong',
    name: 'a watch tells an update as a creation',
    history: new Script()
      .create('a', 'x', 2)
      .update('a', 'y', 2, 3)
      .watch([
        [
          ['ADDED', 'a', 'x', 2],
          ['ADDED', 'a', 'y', 3],
        ],
      ])
      .end(3, [item('a', 'y', 3)]),
  },
  {
    rule: 'watch-wrong',
    name: 'a watch tells what it was not asked for',
    history: new Script()
      .create('a', '1-blue', 2)
      .watch([[['ADDED', 'a', '1-blue', 2]]], red)
      .end(2, [item('a', '1-blue', 2)]),
  },
  {
    rule: 'watch-wrong',
    name: 'a deletion is told with another value than the last',
    history: new Script()
      .create('a', 'x', 2)
      .update('a', 'y', 2, 3)
      .delete('a', 3, 'ok')
      .watch([
        [
          ['ADDED', 'a', 'x', 2],
          ['MODIFIED', 'a', 'y', 3],
          ['DELETED', 'a', 'x', 4],
        ],
      ])
      .end(4, []),
  },
];

describe('a good history is accepted', () => {
  for (const { name, history } of good) {
    test(name, () => {
      const violations = checkHistory(history);
      assert.ok(violations.length === 0, describeViolations(violations));
    });
  }
});

describe('a bad history is rejected, by one rule alone', () => {
  for (const { rule, name, history } of bad) {
    test(`${rule}: ${name}`, () => {
      const violations = checkHistory(history);
      const rules = [...new Set(violations.map((violation) => violation.rule))];
      assert.deepEqual(rules, [rule], describeViolations(violations));
    });
  }
});

test('every rule rejects a history that no other rejects', () => {
  const every: Readonly<Record<Rule, true>> = {
    lost: true,
    overwrote: true,
    'applied-twice': true,
    unexplained: true,
    'revision-reused': true,
    'revision-back': true,
    stale: true,
    torn: true,
    'wrong-refusal': true,
    'watch-missed': true,
    'watch-repeated': true,
    'watch-reordered': true,
    'watch-wrong': true,
  };
  const shown = new Set<string>(bad.map(({ rule }) => rule));
  assert.deepEqual([...shown].toSorted(), Object.keys(every).toSorted());
});

describe('what is no history is not judged', () => {
  const cases = [
    {
      name: 'two writes with one token',
      history: new Script().create('a', 'x', 2).create('b', 'x', 3).end(3, []),
    },
    {
      name: 'a watcher that lists again for no reason',
      history: new Script()
        .watch([
          { list: 1, reported: [] },
          { list: 3, reported: [] },
        ])
        .end(3, []),
    },
  ];
  for (const { name, history } of cases) {
    test(name, () => assert.throws(() => checkHistory(history), TypeError));
  }
});
