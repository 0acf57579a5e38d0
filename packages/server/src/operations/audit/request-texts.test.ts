import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiRequest, UserInfo } from '../../request/pipeline.ts';
import { RequestHeaders } from '../../request/request-headers.ts';
import { parseRequestInfo } from '../../request/request-info.ts';
import { requestTexts } from './request-texts.ts';

const PATH = '/api/v1/namespaces/a/pods/b';
const jane: UserInfo = { name: 'jane', uid: '', groups: [], extra: {} };
const peer = { address: '10.0.0.1', certificate: undefined };

function request(
  method: string,
  target: string,
  { agent, address }: { agent?: string; address?: string } = {},
): ApiRequest {
  return {
    method,
    target,
    path: target,
    info: parseRequestInfo(method, target),
    headers: new RequestHeaders(agent === undefined ? [] : ['User-Agent', agent]),
    peer: address === undefined ? peer : { ...peer, address },
  } as ApiRequest;
}

const text = (parts: { verb?: string; user?: string; source?: string; agent?: string }) => {
  const { verb = 'get', user = 'jane', source = '10.0.0.1', agent } = parts;
  return (
    `"requestURI":"${PATH}","verb":"${verb}","user":{"username":"${user}"},"sourceIPs":["${source}"]` +
    `${agent === undefined ? '' : `,"userAgent":"${agent}"`}` +
    ',"objectRef":{"resource":"pods","namespace":"a","name":"b","apiVersion":"v1"}'
  );
};

test('what is kept of a request is used for those only that are alike in everything', () => {
  const texts = requestTexts();
  const rows: readonly [ApiRequest, UserInfo, string][] = [
    [request('GET', PATH), jane, text({})],
    [request('GET', PATH), jane, text({})],
    [request('GET', PATH), { ...jane }, text({})],
    [request('DELETE', PATH), jane, text({ verb: 'delete' })],
    [request('DELETE', PATH), { ...jane, name: 'joe' }, text({ verb: 'delete', user: 'joe' })],
    [request('GET', PATH, { agent: 'x/1' }), jane, text({ agent: 'x/1' })],
    [request('GET', PATH, { agent: 'x/2' }), jane, text({ agent: 'x/2' })],
    [request('GET', PATH, { address: '10.0.0.2' }), jane, text({ source: '10.0.0.2' })],
    [request('GET', PATH), jane, text({})],
  ];
  for (const [one, user, expected] of rows) assert.equal(texts.about(one, user), expected);
});

test('more requests than are kept have their own texts, too', () => {
  const texts = requestTexts();
  for (const round of [1, 2]) {
    for (let at = 0; at < 2500; at += 1) {
      const path = `/api/v1/nodes/n${at}`;
      const about = texts.about(request('GET', path), jane);
      assert.ok(about.startsWith(`"requestURI":"${path}",`), `${round}: ${about}`);
      assert.ok(about.endsWith(`"name":"n${at}","apiVersion":"v1"}`), `${round}: ${about}`);
    }
  }
});

test('nobody who was authenticated is an empty user', () => {
  const about = requestTexts().about(request('GET', '/version'), undefined);
  assert.equal(about, '"requestURI":"/version","verb":"get","user":{},"sourceIPs":["10.0.0.1"]');
});

test('annotations are written in the order of their keys, and again when there are others', () => {
  const texts = requestTexts();
  const allowed: [string, string][] = [
    ['b', 'allow'],
    ['a', 'a "reason"'],
  ];
  const written = ',"annotations":{"a":"a \\"reason\\"","b":"allow"}';
  assert.equal(texts.annotations(allowed), written);
  assert.equal(texts.annotations([...allowed]), written);
  allowed.push(['c', 'more']);
  const more = ',"annotations":{"a":"a \\"reason\\"","b":"allow","c":"more"}';
  assert.equal(texts.annotations(allowed), more, 'made after the others were written');
  assert.equal(texts.annotations(allowed.slice(0, 2)), written);
  assert.equal(texts.annotations([['b', 'forbid']]), ',"annotations":{"b":"forbid"}');
});
