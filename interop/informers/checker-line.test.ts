import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseLine } from './checker-line.ts';

const object = { key: 'north/a', uid: 'u1', version: 7 };
const fields = '"key":"north/a","namespace":"north","name":"a","uid":"u1","resourceVersion":"7"';
const cases = [
  { text: '{"event":"started","watchList":true}', want: { event: 'started', watchList: true } },
  { text: '{"event":"synced"}', want: { event: 'synced' } },
  {
    text: '{"event":"request","begins":true,"sendInitialEvents":false}',
    want: { event: 'request', begins: true, sendInitialEvents: false },
  },
  { text: `{"event":"add",${fields}}`, want: { event: 'add', object } },
  { text: `{"event":"update",${fields}}`, want: { event: 'update', object } },
  {
    text: `{"event":"delete",${fields},"finalStateUnknown":true}`,
    want: { event: 'delete', object },
  },
  { text: '{"event":"complaint","text":"x"}', want: { event: 'complaint', text: 'x' } },
  {
    text: `{"event":"store","items":[{${fields},"hash":"ab"}]}`,
    want: { event: 'store', items: [{ ...object, hash: 'ab' }] },
  },
];
for (const { text, want } of cases) {
  test(`a line of informer-checker: ${text}`, () => assert.deepEqual(parseLine(text), want));
}

for (const text of ['[]', '{"event":"other"}', '{"event":"store"}', 'synced']) {
  test(`no line of informer-checker: ${text}`, () => assert.throws(() => parseLine(text)));
}
