import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '@tributary/apimachinery';
import { RequestHeaders } from '../../request/request-headers.ts';
import {
  chooseProtocol,
  isUpgradeRequest,
  isWebSocketRequest,
  requireHandshake,
  watchProtocol,
} from './handshake.ts';

const good = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-version': '13',
};

function headersOf(lines: Readonly<Record<string, string>>): RequestHeaders {
  return new RequestHeaders(Object.entries(lines).flat());
}

const requests = [
  { name: 'a plain one', lines: {}, upgrade: false, webSocket: false },
  { name: 'the usual one', lines: good, upgrade: true, webSocket: true },
  {
    name: 'in other letters, among others',
    lines: { connection: 'keep-alive, UPGRADE', upgrade: 'WebSocket' },
    upgrade: true,
    webSocket: true,
  },
  {
    name: 'for another protocol',
    lines: { connection: 'Upgrade', upgrade: 'SPDY/3.1' },
    upgrade: true,
    webSocket: false,
  },
  {
    name: 'that is not meant for this hop',
    lines: { upgrade: 'websocket' },
    upgrade: false,
    webSocket: false,
  },
];

for (const { name, lines, upgrade, webSocket } of requests) {
  test(`what a request asks for: ${name}`, () => {
    const headers = headersOf(lines);
    assert.equal(isUpgradeRequest(headers), upgrade);
    assert.equal(isWebSocketRequest(headers), webSocket);
  });
}

const handshakes = [
  { name: 'good', lines: good },
  { name: 'another method', method: 'POST', lines: good, code: 405, message: 'bad method' },
  {
    name: 'no key',
    lines: { ...good, 'sec-websocket-key': '' },
    code: 400,
    message: 'mismatch challenge/response',
  },
  {
    name: 'an old version',
    lines: { ...good, 'sec-websocket-version': '8' },
    code: 400,
    message: 'missing or bad WebSocket Version',
  },
  { name: 'no upgrade', lines: {}, code: 400, message: 'not websocket protocol' },
];

for (const { name, method = 'GET', lines, code, message } of handshakes) {
  test(`handshake: ${name}`, () => {
    const check = () => requireHandshake(method, headersOf(lines));
    if (code === undefined) check();
    else assert.throws(check, refusedWith(code, message));
  });
}

const origin = 'https://dashboard.example.com';
const watches = [
  { name: 'without a subprotocol', lines: { origin }, protocol: '' },
  {
    name: 'with any subprotocol',
    lines: { origin, 'sec-websocket-protocol': 'poem' },
    protocol: 'poem',
  },
  {
    name: 'with two subprotocols',
    lines: { origin, 'sec-websocket-protocol': 'binary.k8s.io, base64.binary.k8s.io' },
    code: 400,
  },
  { name: 'without an origin', lines: {}, code: 403, message: 'null origin' },
  { name: 'with a hidden origin', lines: { origin: 'null' }, code: 403, message: 'null origin' },
];

for (const { name, lines, protocol, code, message } of watches) {
  test(`a watch ${name}`, () => {
    const choose = () => watchProtocol(headersOf(lines));
    if (code === undefined) assert.equal(choose(), protocol);
    else assert.throws(choose, refusedWith(code, message));
  });
}

const choices = [
  { offered: 'b, a', supported: ['a', 'b'], chosen: 'b' },
  { offered: 'x,b', supported: ['a', 'b'], chosen: 'b' },
  { offered: '', supported: ['a', ''], chosen: '' },
  { offered: '', supported: ['a'], message: /\[\]; supports \[a\]/ },
  { offered: 'x, y', supported: ['a', 'b'], message: /: \[x y\]; supports \[a b\]/ },
];

for (const { offered, supported, chosen, message } of choices) {
  test(`'${offered}' with [${supported}] is ${chosen ?? 'refused'}`, () => {
    const choose = () =>
      chooseProtocol(headersOf({ 'sec-websocket-protocol': offered }), supported);
    if (chosen !== undefined) assert.equal(choose(), chosen);
    else assert.throws(choose, refusedWith(403, message));
  });
}

function refusedWith(code: number, message: string | RegExp | undefined) {
  return (error: unknown) => {
    assert.ok(error instanceof StatusError);
    assert.equal(error.code, code);
    if (typeof message === 'string') assert.equal(error.status.message, message);
    if (message instanceof RegExp) assert.match(error.status.message ?? '', message);
    return true;
  };
}
