import assert from 'node:assert/strict';
import { test } from 'node:test';
import { originForm, requestProblem } from './request-line.ts';

const targets = [
  { target: '/version?a=b', want: '/version?a=b' },
  { target: 'https://127.0.0.1:6443/version', want: '/version' },
  { target: 'HTTP://other.example.com/version?x=1', want: '/version?x=1' },
  { target: 'https://127.0.0.1:6443', want: '' },
  { target: 'https://127.0.0.1:6443?a=b', want: '?a=b' },
  { target: '*', want: '*' },
  { target: '//double/slash', want: '//double/slash' },
  { method: 'CONNECT', target: '127.0.0.1:6443', want: '' },
  { method: 'CONNECT', target: '/version', want: '/version' },
];
for (const { method = 'GET', target, want } of targets) {
  test(`the target ${target} of ${method} means ${JSON.stringify(want)}`, () => {
    assert.equal(originForm(method, target), want);
  });
}

const heads = [
  { name: 'one Host', rawHeaders: ['Host', 'a:1'], code: undefined },
  { name: 'an address', rawHeaders: ['host', '[::1]:6443'], code: undefined },
  { name: 'no Host', rawHeaders: [], code: undefined },
  { name: 'two Hosts', rawHeaders: ['Host', 'a', 'x', 'y', 'hOST', 'a'], code: 400 },
  { name: 'a space in Host', rawHeaders: ['Host', 'a b'], code: 400 },
  { name: 'HTTP/0.9', httpVersionMajor: 0, rawHeaders: [], code: 400 },
  { name: 'HTTP/2.0 without its preface', httpVersionMajor: 2, rawHeaders: [], code: 505 },
];
for (const { name, httpVersionMajor = 1, rawHeaders, code } of heads) {
  test(`a request with ${name} is ${code ?? 'served'}`, () => {
    assert.equal(requestProblem({ httpVersionMajor, rawHeaders })?.code, code);
  });
}
