import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestFor } from '../../test/request-fixture.ts';
import { inAuthenticatedGroup } from '../auth/groups.ts';
import { type Authentication, anonymous } from '../request/authenticator.ts';
import type { ApiRequest, ApiResponse, Handler } from '../request/pipeline.ts';
import { newContext } from '../request/request-context.ts';
import { withAuthentication } from './authentication.ts';

const alice = { name: 'alice', uid: '', groups: [], extra: {} };
const authenticated: Authentication = { outcome: 'authenticated', user: alice };

function seen(): { handler: Handler; requests: ApiRequest[] } {
  const requests: ApiRequest[] = [];
  const response: ApiResponse = { kind: 'object', code: 200, object: {} };
  const handler: Handler = async (request) => {
    requests.push(request);
    return response;
  };
  return { handler, requests };
}

for (const way of ['at once', 'later'] as const) {
  test(`who is known ${way} goes on, without what identified them`, async () => {
    const { handler, requests } = seen();
    const filter = withAuthentication({
      authenticate: () => (way === 'later' ? Promise.resolve(authenticated) : authenticated),
      isCustomIdentityHeader: (name) => name === 'x-custom-user',
    });
    const headerLines = ['Authorization', 'Bearer secret', 'X-Remote-User', 'root'];
    headerLines.push('X-Remote-Extra-A', 'b', 'X-Custom-User', 'root', 'X-Remote-Control', 'kept');
    await filter(handler)(requestFor('/apis', { headerLines }));
    const [request] = requests;
    assert.equal(request?.user, alice);
    assert.deepEqual([...(request?.headers.entries() ?? [])], [['x-remote-control', 'kept']]);
  });
}

test('what is said of a credential is told, to its owner and to the audit log', async () => {
  const { handler } = seen();
  const annotations = { 'example.com/credential': 'old' };
  const notes = { warnings: ['use another'], annotations };
  const filter = withAuthentication({
    authenticate: inAuthenticatedGroup(() => ({ ...authenticated, notes })),
  });
  const request = requestFor('/apis');
  const context = newContext('id', 0);
  await filter(handler)({ ...request, context });
  assert.deepEqual(request.warnings.headers(), [['Warning', '299 - "use another"']]);
  assert.equal(context.auditAnnotations, annotations);
});

const unauthenticated: { name: string; result: Authentication; code: number; reasons: string[] }[] =
  [
    { name: 'nobody', result: { outcome: 'no-opinion' }, code: 401, reasons: [] },
    {
      name: 'a wrong credential',
      result: { outcome: 'rejected', reason: 'old' },
      code: 401,
      reasons: ['old'],
    },
    {
      name: 'anonymous',
      result: { outcome: 'authenticated', user: anonymous },
      code: 200,
      reasons: [],
    },
  ];
for (const { name, result, code, reasons } of unauthenticated) {
  test(`${name} over HTTP/2 gets one request, answered ${code}`, async () => {
    const { handler, requests } = seen();
    const rejected: string[] = [];
    const filter = withAuthentication({
      authenticate: () => result,
      onRejected: (_request, why) => rejected.push(why),
    });
    let goneAway = 0;
    const peer = { address: '', certificate: undefined, goAway: () => (goneAway += 1) };
    const response = await filter(handler)(requestFor('/apis', { peer }));
    assert.ok(response.kind === 'object');
    assert.equal(response.code, code);
    assert.equal(requests.length, code === 200 ? 1 : 0);
    assert.equal(goneAway, 1);
    assert.deepEqual(rejected, reasons);
  });
}
