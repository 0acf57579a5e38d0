import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { CertificateSigningRequest } from '@tributary/api/certificates-v1';
import { defineApi } from '@tributary/server/definition';
import { createAuthority } from '@tributary/server/pki';
import { startTestServer, type TestServer } from '@tributary/server/testing';
import { asField, goodRequest } from '../../../../test/certificate-request-fixture.ts';
import { certificateSigningRequestKind } from './kind.ts';

const NOW_MS = Date.parse('2030-01-01T00:00:00Z');
const accessRequests: string[] = [];
const problems: unknown[] = [];
let nowMs = NOW_MS;

/** The approver may approve for one signer, the signer may sign for a domain. */
const kind = certificateSigningRequestKind({
  authorize: ({ user, info }) => {
    accessRequests.push(`${user.name} ${info.verb} ${info.group}/${info.resource} ${info.name}`);
    if (user.name === 'broken') throw new Error('nobody answers');
    const allowed =
      (user.name === 'approver' && info.verb === 'approve' && info.name === 'example.com/s') ||
      (user.name === 'signer' && info.verb === 'sign' && info.name === 'example.com/*');
    return { allowed };
  },
  reportError: (error) => problems.push(error),
  nowMs: () => nowMs,
});

let server: TestServer;
before(async () => {
  server = await startTestServer(
    defineApi({ group: 'certificates.k8s.io', builtIn: true, resources: [kind] }),
  );
});
after(() => server.close());
beforeEach(async () => {
  await server.reset();
  accessRequests.length = 0;
  problems.length = 0;
  nowMs = NOW_MS;
});

const PATH = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const spec = (more: object = {}) => ({
  request: goodRequest(),
  signerName: 'example.com/s',
  usages: ['client auth'],
  ...more,
});
const create = (more: object = {}) =>
  server.client(kind).create({ metadata: { name: 'a' }, spec: spec(more), status: {} });
const patchStatus = (user: string, part: string, status: object, metadata: object = {}) =>
  server.request<CertificateSigningRequest & { message?: string }>('PATCH', `${PATH}/a/${part}`, {
    user,
    body: { metadata, status },
  });
const condition = (type: string, more: object = {}) => ({
  conditions: [{ type, status: 'True', ...more }],
});

describe('the user of a CertificateSigningRequest', () => {
  test('a create sets the user of the request, whatever the object has', async () => {
    const user = {
      name: 'mary',
      uid: 'u1',
      groups: ['dev'],
      extra: { 'example.com/k': ['v'] },
    };
    const body = {
      metadata: { name: 'a' },
      spec: spec({ username: 'admin', uid: 'x', groups: ['system:masters'], extra: { a: ['b'] } }),
      status: condition('Approved'),
    };
    const { object } = await server.request<CertificateSigningRequest>('POST', PATH, {
      user,
      body,
    });
    const { username, uid, groups, extra } = object.spec;
    assert.deepEqual(
      { username, uid, groups, extra },
      {
        username: 'mary',
        uid: 'u1',
        groups: ['dev'],
        extra: { 'example.com/k': ['v'] },
      },
    );
    assert.deepEqual(object.status, {});
  });

  test('an update cannot change the user or the spec', async () => {
    const made = await create();
    const next = { ...made, spec: { ...made.spec, username: 'x', signerName: 'example.com/t' } };
    assert.deepEqual((await server.client(kind).update(next)).spec, made.spec);
    const { object } = await patchStatus('approver', 'approval', condition('Approved'));
    assert.deepEqual(object.spec, made.spec);
  });
});

describe('a request for system:masters', () => {
  const signerName = 'kubernetes.io/kube-apiserver-client';
  test('a client certificate of this server for system:masters is forbidden', async () => {
    await assert.rejects(
      create({ signerName, request: goodRequest(['dev', 'system:masters']) }),
      /^StatusError: certificatesigningrequests\.certificates\.k8s\.io "a" is forbidden: use of kubernetes\.io\/kube-apiserver-client signer with system:masters group is not allowed$/,
    );
  });
  test('a certificate of another signer for system:masters is accepted', async () => {
    await create({ request: goodRequest(['system:masters']) });
  });
  test('an invalid request for system:masters gets 422, not 403', async () => {
    const request = goodRequest(['system:masters']);
    await assert.rejects(create({ signerName, request, usages: [] }), /usages: Required value$/);
  });
});

describe('an approval', () => {
  beforeEach(() => create());

  test('an approval sets the times of its condition', async () => {
    const { status, object } = await patchStatus('approver', 'approval', condition('Approved'));
    assert.equal(status, 200);
    assert.deepEqual(object.status.conditions, [
      {
        type: 'Approved',
        status: 'True',
        lastUpdateTime: '2030-01-01T00:00:00Z',
        lastTransitionTime: '2030-01-01T00:00:00Z',
      },
    ]);
    nowMs += 60_000;
    const again = await patchStatus(
      'approver',
      'approval',
      condition('Approved', { reason: 'So' }),
    );
    assert.deepEqual(again.object.status.conditions, [
      {
        type: 'Approved',
        status: 'True',
        reason: 'So',
        lastUpdateTime: '2030-01-01T00:01:00Z',
        lastTransitionTime: '2030-01-01T00:00:00Z',
      },
    ]);
  });

  test('an approval is authorized by the name or the domain of the signer', async () => {
    const { status, object } = await patchStatus('signer', 'approval', condition('Approved'));
    assert.equal(status, 403);
    assert.equal(
      object.message,
      'certificatesigningrequests.certificates.k8s.io "a" is forbidden: user not permitted to approve requests with signerName "example.com/s"',
    );
    assert.deepEqual(accessRequests.slice(-2), [
      'signer approve certificates.k8s.io/signers example.com/s',
      'signer approve certificates.k8s.io/signers example.com/*',
    ]);
  });

  test('an approval is forbidden and reported when the authorizer fails', async () => {
    const { status } = await patchStatus('broken', 'approval', condition('Approved'));
    assert.equal(status, 403);
    assert.ok(problems.length >= 2);
  });

  test('an approval is checked for conflicts, then validated, then authorized', async () => {
    const bad = await patchStatus('nobody', 'approval', condition('Approved', { status: 'False' }));
    assert.equal(bad.status, 422);
    const old = await patchStatus('nobody', 'approval', condition('Approved'), {
      resourceVersion: '1000000',
    });
    assert.equal(old.status, 409);
    assert.deepEqual(accessRequests, []);
  });
});

describe('a status', () => {
  beforeEach(() => create());

  test('a status update sets the certificate and keeps the approval', async () => {
    await patchStatus('approver', 'approval', condition('Approved', { reason: 'So' }));
    const authority = await createAuthority('signer');
    const certificate = Buffer.from(authority.cert).toString('base64');
    const { status, object } = await patchStatus('signer', 'status', {
      ...condition('Approved', { reason: 'Other' }),
      certificate,
    });
    assert.equal(status, 200, JSON.stringify(object));
    assert.equal(object.status.conditions?.[0]?.reason, 'So');
    assert.equal(object.status.certificate, certificate);
    const table = kind.versions.get('v1')?.columns.map(({ name, cell }) => [name, cell(object)]);
    assert.deepEqual(table, [
      ['Name', 'a'],
      ['Age', object.metadata.creationTimestamp],
      ['SignerName', 'example.com/s'],
      ['Requestor', 'admin'],
      ['RequestedDuration', '<none>'],
      ['Condition', 'Approved,Issued'],
    ]);
  });

  test('a status update needs the permission to sign', async () => {
    const { status, object } = await patchStatus('approver', 'status', condition('Failed'));
    assert.equal(status, 403);
    assert.match(
      object.message ?? '',
      /is forbidden: user not permitted to sign requests with signerName "example\.com\/s"$/,
    );
    assert.equal((await patchStatus('signer', 'status', condition('Failed'))).status, 200);
  });

  test('a status update without changes needs no permission', async () => {
    assert.equal((await patchStatus('nobody', 'status', {})).status, 200);
    assert.deepEqual(accessRequests, []);
  });

  test('a status update is validated before authorization', async () => {
    const certificate = asField(Buffer.from('x'), 'KEY');
    assert.equal((await patchStatus('nobody', 'status', { certificate })).status, 422);
    assert.equal((await patchStatus('nobody', 'status', condition('Approved'))).status, 422);
    assert.deepEqual(accessRequests, []);
  });
});

test('a field selector of spec.signerName selects requests, an unknown one is refused', async () => {
  await create({ expirationSeconds: 3600 });
  const list = async (fieldSelector: string) =>
    (await server.client(kind).list({ fieldSelector })).items.length;
  assert.equal(await list('spec.signerName=example.com/s'), 1);
  assert.equal(await list('spec.signerName=example.com/t'), 0);
  await assert.rejects(
    list('metadata.namespace=x'),
    /field label not supported: metadata\.namespace/,
  );
});
