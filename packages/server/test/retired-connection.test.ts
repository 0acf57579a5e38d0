import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { test } from 'node:test';
import { httpsRequest } from '../../../test/harness/index.ts';
import { startListener } from './listener-fixture.ts';

test('a retired connection finishes what is under way and takes no more', async () => {
  let retirable = 0;
  await using fixture = await startListener(async ({ peer }) => {
    if (peer.goAway !== undefined) retirable += 1;
    peer.goAway?.();
    return { kind: 'object', code: 200, object: {} };
  });
  const { url, pki } = fixture;
  const session = connect(url, { ca: pki.ca.cert });
  const goaway = once(session, 'goaway');
  const stream = session.request({ ':path': '/' });
  const [headers] = await once(stream, 'response');
  assert.equal(headers[':status'], 200);
  stream.resume();
  await once(stream, 'end');
  const [code] = await goaway;
  assert.equal(code, 0);
  if (!session.closed) await once(session, 'close');
  assert.equal(retirable, 1);

  const plain = await httpsRequest(url, { http: '1.1', ca: pki.ca.cert });
  assert.equal(plain.status, 200);
  assert.equal(retirable, 1, 'HTTP/1.1 has no such message');
});
