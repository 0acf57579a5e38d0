import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Revision } from '@tributary/storage';
import { brief, podBytes, pods } from '../../test/watch-cache-fixture.ts';
import { decodeStored, type ObjectContext, type ResourceObject } from './cached-object.ts';
import { ChangeRecord } from './change-record.ts';
import { FrameCatalog } from './frames.ts';
import { Selection } from './selection.ts';

const context: ObjectContext = {
  resource: pods,
  frames: new FrameCatalog(),
  derivedBytes: undefined,
};

function pod(app: string | undefined, revision: number): ResourceObject | undefined {
  if (app === undefined) return undefined;
  const value = podBytes('eu/a', { labels: { app } });
  return decodeStored(context, {
    key: `${pods.prefix}eu/a`,
    value,
    revision: revision as Revision,
  });
}

const web = new Selection(pods.prefix, { path: '', matches: ({ labels }) => labels.app === 'web' });
const all = new Selection(pods.prefix, { path: 'eu/' });

const cases = [
  {
    name: 'created, selected',
    was: undefined,
    is: 'web',
    selected: 'ADDED eu/a@9',
    plain: 'ADDED eu/a@9',
  },
  {
    name: 'created, not selected',
    was: undefined,
    is: 'db',
    selected: undefined,
    plain: 'ADDED eu/a@9',
  },
  { name: 'comes in', was: 'db', is: 'web', selected: 'ADDED eu/a@9', plain: 'MODIFIED eu/a@9' },
  {
    name: 'stays in',
    was: 'web',
    is: 'web',
    selected: 'MODIFIED eu/a@9',
    plain: 'MODIFIED eu/a@9',
  },
  { name: 'goes out', was: 'web', is: 'db', selected: 'DELETED eu/a@9', plain: 'MODIFIED eu/a@9' },
  { name: 'stays out', was: 'db', is: 'db', selected: undefined, plain: 'MODIFIED eu/a@9' },
  {
    name: 'deleted, selected',
    was: 'web',
    is: undefined,
    selected: 'DELETED eu/a@9',
    plain: 'DELETED eu/a@9',
  },
  {
    name: 'deleted, not selected',
    was: 'db',
    is: undefined,
    selected: undefined,
    plain: 'DELETED eu/a@9',
  },
];

for (const { name, was, is, selected, plain } of cases) {
  test(`a change with selectors: ${name}`, () => {
    const record = new ChangeRecord({
      revision: 9 as Revision,
      atMs: 0,
      previous: pod(was, 5),
      current: pod(is, 9),
    });
    const event = record.eventFor(web);
    assert.equal(event && brief(event), selected);
    const unselected = record.eventFor(all);
    assert.equal(unselected && brief(unselected), plain);
    assert.equal(record.eventFor(web), event, 'the event is made once');
  });
}

test('an object that leaves a selection is sent in its old state, with the revision of the change', () => {
  const record = new ChangeRecord({
    revision: 9 as Revision,
    atMs: 0,
    previous: pod('web', 5),
    current: pod('db', 9),
  });
  const event = record.eventFor(web);
  assert.equal(event?.object.labels.app, 'web');
  assert.equal(event?.object.object().metadata.resourceVersion, '9');
  assert.equal(record.previous?.object().metadata.resourceVersion, '5');
});

test('a frame is made once for an event, and once for each framing', () => {
  let made = 0;
  const framing = {
    make: (type: string) => {
      made += 1;
      return Buffer.from(type);
    },
  };
  const other = { make: () => Buffer.from('other') };
  const record = new ChangeRecord({
    revision: 9 as Revision,
    atMs: 0,
    previous: undefined,
    current: pod('web', 9),
  });
  const [first, second] = [record.eventFor(web), record.eventFor(all)];
  assert.equal(first?.frame(framing), second?.frame(framing));
  assert.equal(made, 1);
  assert.equal(first?.frame(other).toString(), 'other');
  assert.equal(first?.frame(framing).toString(), 'ADDED');
  assert.equal(made, 1);
});
