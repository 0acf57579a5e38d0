import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expired, StatusError } from '@tributary/apimachinery';
import { type WatchEvent, watchEvents } from './watch-events.ts';

async function events(...lines: string[]): Promise<WatchEvent[]> {
  const source = (async function* () {
    for (const line of lines) yield Buffer.from(`${line}\n`);
  })();
  const result: WatchEvent[] = [];
  const options = { subject: 'watch of /things', eventBytesMax: 1000 };
  for await (const event of watchEvents(source, options)) result.push(event);
  return result;
}

test('watch events arrive in order, and large integers keep their digits', async () => {
  const [added, bookmark] = await events(
    '{"type":"ADDED","object":{"kind":"A","metadata":{"name":"a"},"n":9007199254740993}}',
    '{"type":"BOOKMARK","object":{"kind":"A","metadata":{"resourceVersion":"7"}}}',
  );
  assert.equal(added?.type, 'ADDED');
  assert.equal(added?.type === 'ADDED' && added.object.n, 9007199254740993n);
  assert.equal(bookmark?.object.metadata.resourceVersion, '7');
});

test('an ERROR event is thrown as its Status', async () => {
  const error = expired('too old resource version: 1 (5)');
  const line = JSON.stringify({ type: 'ERROR', object: error.status });
  await assert.rejects(events(line), (thrown) => {
    assert.ok(thrown instanceof StatusError);
    assert.deepEqual(thrown.status, error.status);
    return true;
  });
  await assert.rejects(events('{"type":"ERROR","object":"?"}'), { name: 'StatusError', code: 500 });
});

const broken = [
  { name: 'no JSON', line: '{"type":', message: /not valid JSON/ },
  { name: 'no object', line: '7', message: /not an object/ },
  { name: 'an unknown type', line: '{"type":"GONE","object":{}}', message: /unknown type/ },
  { name: 'no metadata', line: '{"type":"ADDED","object":{}}', message: /no object with metadata/ },
];
for (const { name, line, message } of broken) {
  test(`${name} breaks the watch`, async () => {
    await assert.rejects(events(line), { name: 'TransportError', code: 'EPROTO', message });
  });
}
