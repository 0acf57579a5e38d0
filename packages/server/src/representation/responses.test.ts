/** Documents for people, and Statuses: what is not compact JSON of objects. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notFound, StatusError } from '@tributary/apimachinery';
import {
  jsonOf,
  PARTIAL_LIST,
  readFixture,
  TABLE,
  textOf,
  YAML,
} from '../../test/representation-fixture.ts';
import { requestFor } from '../../test/request-fixture.ts';
import { statusResponse } from './status-response.ts';

const forms = ['application/json', TABLE, PARTIAL_LIST];
for (const accept of forms) {
  for (const count of [0, 1, 3]) {
    test(`an indented list of ${count} has the same content: ${accept}`, async () => {
      await using fixture = readFixture();
      for (let index = 0; index < count; index += 1)
        await fixture.put(`n${index}`, '"a":[{},[1,2],""]');
      const compact = jsonOf(await fixture.list(accept));
      const indented = await fixture.list(accept, 'pretty=true');
      assert.equal(indented.contentType, 'application/json');
      assert.equal(textOf(indented), JSON.stringify(compact, null, 2));
    });
  }
}

test('an object is indented by the parameter, the query, and for browsers', async () => {
  await using fixture = readFixture();
  await fixture.put('a');
  const want = JSON.stringify(jsonOf(await fixture.get('a')), null, 2);
  assert.equal(textOf(await fixture.get('a', 'application/json;pretty=1')), want);
  assert.equal(textOf(await fixture.get('a', undefined, 'pretty=1')), want);
});

test('an object as YAML, with integers beyond 2^53', async () => {
  await using fixture = readFixture();
  await fixture.put('a', '"big":9007199254740993,"on":"yes"');
  const response = await fixture.get('a', YAML);
  assert.equal(response.contentType, YAML);
  assert.equal(
    textOf(response),
    `apiVersion: weather.example.com/v1
kind: Forecast
metadata:
  creationTimestamp: "2026-01-01T00:00:00Z"
  labels:
    x: "y"
  name: a
  namespace: eu
  resourceVersion: "2"
spec:
  big: 9007199254740993
  "on": "yes"
`,
  );
});

test('a list as YAML is written item by item, in the order of fields', async () => {
  await using fixture = readFixture();
  await fixture.put('a');
  await fixture.put('b');
  assert.equal(
    textOf(await fixture.list(`${YAML};as=Table;v=v1;g=meta.k8s.io`, 'includeObject=None')).replace(
      /columnDefinitions:\n(?:[- ].*\n)+/,
      '…\n',
    ),
    `apiVersion: meta.k8s.io/v1
…
kind: Table
metadata:
  resourceVersion: "3"
rows:
- cells:
  - a
  - "2026-01-01T00:00:00Z"
  object: null
- cells:
  - b
  - "2026-01-01T00:00:00Z"
  object: null
`,
  );
  assert.match(
    textOf(await fixture.list(YAML)),
    /^apiVersion: .*\nitems:\n- apiVersion: [\s\S]*\nkind: ForecastList\nmetadata:\n {2}resourceVersion: "3"\n$/,
  );
});

test('an empty list as YAML', async () => {
  await using fixture = readFixture();
  assert.match(
    textOf(await fixture.list(YAML)),
    /^apiVersion: .*\nitems: \[\]\nkind: ForecastList\n/,
  );
});

test('YAML cannot be watched', async () => {
  await using fixture = readFixture();
  await assert.rejects(
    fixture.watch(1, YAML),
    (error) =>
      error instanceof StatusError &&
      error.code === 406 &&
      error.message ===
        'only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch',
  );
});

const failure = notFound({ group: '', resource: 'pods' }, 'a').status;
const statuses = [
  { name: 'compact JSON', accept: 'application/json', want: /^\{"kind":.*\}\n$/ },
  { name: 'for any application', accept: 'application/*', want: /^\{"kind":.*\}\n$/ },
  { name: 'as YAML', accept: YAML, want: /^apiVersion: v1\ncode: 404\n/ },
  {
    name: 'indented when only a Table was wanted',
    accept: TABLE,
    want: /^\{\n {2}"kind": [\s\S]*\}$/,
  },
  { name: 'indented for nonsense', accept: 'nonsense', want: /^\{\n {2}"kind": [\s\S]*\}$/ },
  {
    name: 'in the next form that has no transformation',
    accept: `${TABLE},${YAML}`,
    want: /^apiVersion/,
  },
];
for (const { name, accept, want } of statuses) {
  test(`a Status of a failure is ${name}`, () => {
    const response = statusResponse(requestFor('/', { headerLines: ['accept', accept] }), {
      kind: 'object',
      code: 404,
      object: failure,
      headers: [['Retry-After', '1']],
    });
    assert.match(textOf(response), want);
    assert.deepEqual([response.code, response.headers], [404, [['Retry-After', '1']]]);
  });
}

test('a Status of a success is not a Table', () => {
  const request = requestFor('/', { headerLines: ['accept', TABLE] });
  const response = statusResponse(request, {
    kind: 'object',
    code: 200,
    object: { kind: 'Status' },
  });
  assert.equal(textOf(response), '{"kind":"Status"}\n');
});
