import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '@tributary/apimachinery';
import { jsonOf, readFixture, TABLE, textOf } from '../../test/representation-fixture.ts';
import type { ColumnInput } from '../definition/version.ts';

interface Table {
  kind: string;
  apiVersion: string;
  metadata: Record<string, unknown>;
  columnDefinitions: { name: string; type: string; format: string; priority: number }[] | null;
  rows: { cells: unknown[]; object: Record<string, unknown> | null }[] | null;
}

const BETA_TABLE = TABLE.replace('v=v1', 'v=v1beta1');
const field =
  (name: string): ColumnInput['cell'] =>
  (object) =>
    (object as unknown as { spec: Record<string, never> }).spec[name] ?? null;
const city: ColumnInput = { name: 'City', cell: field('city') };

test('a version without columns has upstream’s', async () => {
  await using fixture = readFixture();
  await fixture.put('a');
  const table = jsonOf(await fixture.list(TABLE)) as Table;
  assert.equal(table.kind, 'Table');
  assert.equal(table.apiVersion, 'meta.k8s.io/v1');
  assert.deepEqual(
    table.columnDefinitions?.map(({ name, type, format, priority }) => [
      name,
      type,
      format,
      priority,
    ]),
    [
      ['Name', 'string', 'name', 0],
      ['Created At', 'date', '', 0],
    ],
  );
  assert.deepEqual(table.rows?.[0]?.cells, ['a', '2026-01-01T00:00:00Z']);
});

test('an author’s columns are between Name and Age', async () => {
  await using fixture = readFixture([
    city,
    { ...city, name: 'Wide', type: 'integer', priority: 1 },
  ]);
  await fixture.put('a');
  const table = jsonOf(await fixture.get('a', TABLE)) as Table;
  assert.deepEqual(
    table.columnDefinitions?.map(({ name, type, priority }) => [name, type, priority]),
    [
      ['Name', 'string', 0],
      ['City', 'string', 0],
      ['Wide', 'integer', 1],
      ['Age', 'date', 0],
    ],
  );
  assert.deepEqual(table.rows?.[0]?.cells, ['a', 'Ghent', 'Ghent', '90s']);
});

test('ages are those at the time of the response, in shared rows', async () => {
  await using fixture = readFixture([{ name: 'Seen', type: 'date', cell: field('seen') }]);
  await fixture.put('a', '"seen":"2025-12-31T23:00:00Z"');
  const cells = async () => (jsonOf(await fixture.list(TABLE)) as Table).rows?.[0]?.cells;
  assert.deepEqual(await cells(), ['a', '61m', '90s']);
  fixture.ageMs = 3 * 60 * 60 * 1000;
  assert.deepEqual(await cells(), ['a', '4h', '3h']);
});

test('a date that shows its time is the text of the object', async () => {
  await using fixture = readFixture([
    { name: 'Seen', type: 'date', showsTime: true, cell: field('seen') },
  ]);
  await fixture.put('a', '"seen":"2025-12-31T23:00:00Z"');
  const table = jsonOf(await fixture.list(TABLE)) as Table;
  assert.equal(table.columnDefinitions?.[1]?.type, 'date');
  assert.deepEqual(table.rows?.[0]?.cells, ['a', '2025-12-31T23:00:00Z', '90s']);
});

const cellCases: { name: string; type?: 'date' | 'integer'; spec: string; want: string }[] = [
  {
    name: 'an integer beyond 2^53',
    type: 'integer',
    spec: '"x":9007199254740993',
    want: '9007199254740993',
  },
  { name: 'a text that needs escapes', spec: '"x":"\\"\\\\\\n"', want: '"\\"\\\\\\n"' },
  { name: 'nothing', spec: '"y":1', want: 'null' },
  { name: 'a date that is none', type: 'date', spec: '"x":"tomorrow"', want: '"<invalid>"' },
  { name: 'a date that is no text', type: 'date', spec: '"x":5', want: 'null' },
  { name: 'a list', spec: '"x":[1,"a"]', want: '[1,"a"]' },
];
for (const { name, type = 'string' as const, spec, want } of cellCases) {
  test(`a cell holds ${name}`, async () => {
    await using fixture = readFixture([{ name: 'X', type, cell: field('x') }]);
    await fixture.put('a', spec);
    const text = textOf(await fixture.get('a', TABLE));
    assert.ok(text.includes(`"cells":["a",${want},"90s"]`), text);
  });
}

test('a cell whose function throws is null and reported once; the list is complete', async () => {
  const failing: ColumnInput = {
    name: 'Bad',
    cell: () => {
      throw new Error('no such field');
    },
  };
  await using fixture = readFixture([failing, city]);
  await fixture.put('a');
  await fixture.put('b');
  await fixture.list(TABLE);
  const table = jsonOf(await fixture.list(TABLE)) as Table;
  assert.deepEqual(
    table.rows?.map(({ cells }) => cells),
    [
      ['a', null, 'Ghent', '90s'],
      ['b', null, 'Ghent', '90s'],
    ],
  );
  assert.deepEqual(fixture.problems.map(String), [
    'Error: the column Bad of Forecast eu/a has no value',
    'Error: the column Bad of Forecast eu/b has no value',
  ]);
});

const policies = [
  { query: '', accept: TABLE, want: ['PartialObjectMetadata', 'meta.k8s.io/v1', false] },
  {
    query: 'includeObject=Metadata',
    accept: BETA_TABLE,
    want: ['PartialObjectMetadata', 'meta.k8s.io/v1beta1', false],
  },
  {
    query: 'includeObject=Object',
    accept: TABLE,
    want: ['Forecast', 'weather.example.com/v1', true],
  },
  { query: 'includeObject=None', accept: TABLE, want: null },
];
for (const { query, accept, want } of policies) {
  for (const verb of ['list', 'get'] as const) {
    test(`${verb} with ${query || 'no includeObject'} includes the requested object`, async () => {
      await using fixture = readFixture([city]);
      await fixture.put('a', undefined, '"annotations":{"n":"\\"}{"}');
      const response =
        verb === 'list' ? await fixture.list(accept, query) : await fixture.get('a', accept, query);
      const object = (jsonOf(response) as Table).rows?.[0]?.object;
      const brief = object && [object.kind, object.apiVersion, 'spec' in object];
      assert.deepEqual(brief, want);
      if (object)
        assert.deepEqual((object.metadata as { annotations: object }).annotations, { n: '"}{' });
    });
  }
}

test('an unknown includeObject is refused after the object is found', async () => {
  await using fixture = readFixture();
  await fixture.put('a');
  const refused = (code: number, message: RegExp) => (error: unknown) =>
    error instanceof StatusError && error.code === code && message.test(error.message);
  await assert.rejects(
    fixture.list(TABLE, 'includeObject=all'),
    refused(
      400,
      /^Unable to convert to Table as requested: includeObject: Invalid value: "all": must be/,
    ),
  );
  await assert.rejects(fixture.get('b', TABLE, 'includeObject=all'), refused(404, /not found/));
});

test('the metadata of a Table is that of the list, or of the single object', async () => {
  await using fixture = readFixture();
  await fixture.put('a');
  await fixture.put('b');
  await fixture.putElsewhere();
  const page = jsonOf(await fixture.list(TABLE, 'limit=1')) as Table;
  assert.equal(page.metadata.resourceVersion, '4');
  assert.equal(page.metadata.remainingItemCount, 1);
  assert.equal(typeof page.metadata.continue, 'string');
  assert.deepEqual((jsonOf(await fixture.get('a', TABLE)) as Table).metadata, {
    resourceVersion: '2',
  });
});

test('a Table without objects has empty rows, as upstream', async () => {
  await using fixture = readFixture();
  const table = jsonOf(await fixture.list(TABLE)) as Table;
  assert.equal(table.rows, null);
  assert.equal(table.columnDefinitions?.length, 2);
});

for (const columns of [[], [city]]) {
  test(`the first event of a watch has the columns (${columns.length} of the author)`, async () => {
    await using fixture = readFixture(columns);
    await fixture.put('a');
    await fixture.put('b');
    const query = 'resourceVersion=0&allowWatchBookmarks=1&includeObject=None';
    const events = (await fixture.watch(3, TABLE, query)).map((line) => JSON.parse(line));
    assert.deepEqual(
      events.map(({ type, object }) => [type, object.columnDefinitions?.length, object.metadata]),
      [
        ['ADDED', columns.length + 2, { resourceVersion: '2' }],
        ['ADDED', undefined, { resourceVersion: '3' }],
        ['BOOKMARK', undefined, { resourceVersion: '3' }],
      ],
    );
    assert.equal(events[1].object.rows[0].object, null);
    // The end of the initial objects must be sent, even without objects.
    assert.deepEqual(events[2].object.rows[0].object.metadata.annotations, {
      'k8s.io/initial-events-end': 'true',
    });
    // A second watch shares frames with the first and still has its columns.
    const [again] = await fixture.watch(1, TABLE, query);
    assert.notEqual(JSON.parse(again ?? '').object.columnDefinitions, null);
  });
}
