import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestHeaders } from '@tributary/proxy';
import { requestFor } from '../../../server/test/request-fixture.ts';
import { clusterHeaders } from './cluster-headers.ts';

const CREDENTIALS = [
  ['authorization', 'Bearer of-the-kubeconfig'],
  ['impersonate-user', 'of-the-kubeconfig'],
] as const;

const cases: {
  name: string;
  sent: string[];
  subject?: [string, string][];
  isUpgrade?: boolean;
  want: [string, string][];
}[] = [
  {
    name: 'what the client says goes on, repeated lines as several',
    sent: ['Accept', 'a', 'accept', 'b', 'X-Anything', 'c', 'Audit-ID', 'd'],
    want: [
      ['accept', 'a'],
      ['accept', 'b'],
      ['x-anything', 'c'],
      ['audit-id', 'd'],
      ...CREDENTIALS.map(([name, value]): [string, string] => [name, value]),
    ],
  },
  {
    name: 'who the client is to us is not said',
    sent: [
      ...['Host', 'front', 'Authorization', 'Bearer ours', 'X-Remote-User', 'a'],
      ...['X-Remote-Group', 'system:masters', 'X-Remote-Extra-A', 'b', 'Impersonate-User', 'c'],
    ],
    want: CREDENTIALS.map(([name, value]) => [name, value]),
  },
  {
    name: 'whom somebody wants to be taken for replaces all that the kubeconfig says of it',
    sent: [],
    subject: [
      ['impersonate-user', 'bob'],
      ['impersonate-group', 'one, two'],
    ],
    want: [
      ['impersonate-user', 'bob'],
      ['impersonate-group', 'one, two'],
      ['authorization', 'Bearer of-the-kubeconfig'],
    ],
  },
  {
    name: 'what is about the connection stays',
    sent: ['Connection', 'close, X-Private', 'X-Private', 'a', 'Keep-Alive', 'b', 'TE', 'trailers'],
    want: [
      ['te', 'trailers'],
      ...CREDENTIALS.map(([name, value]): [string, string] => [name, value]),
    ],
  },
  {
    name: 'unless it is an upgrade',
    sent: ['Connection', 'Upgrade', 'Upgrade', 'SPDY/3.1', 'X-Stream-Protocol-Version', 'v4'],
    isUpgrade: true,
    want: [
      ['connection', 'Upgrade'],
      ['upgrade', 'SPDY/3.1'],
      ['x-stream-protocol-version', 'v4'],
      ...CREDENTIALS.map(([name, value]): [string, string] => [name, value]),
    ],
  },
];

for (const { name, sent, subject = [], isUpgrade = false, want } of cases) {
  test(name, () => {
    const request = requestFor('/api', { headerLines: sent });
    const lines = requestHeaders(request, { identity: subject, isUpgrade });
    assert.deepEqual(clusterHeaders(lines, CREDENTIALS), want);
  });
}
