import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultBackendLimits } from '@tributary/proxy';
import { aLocalApiService, anApiService } from '../../test/registration-fixture.ts';
import { decodeRegistration } from './decode-registration.ts';
import { annotations } from './registration.ts';

const common = { uid: 'u', groupPriorityMinimum: 2000, versionPriority: 200 };
const remote = {
  service: { namespace: 'wardle', name: 'api', port: 443 },
  url: undefined,
  caBundle: undefined,
  insecureSkipTlsVerify: false,
  limits: defaultBackendLimits,
  forwardsToken: false,
};

test('of this server', () => {
  assert.deepEqual(decodeRegistration(aLocalApiService('v1.apps', { metadata: { uid: 'u' } })), {
    registration: { ...common, name: 'v1.apps', group: 'apps', version: 'v1', remote: undefined },
    problems: [],
  });
});

test('of the core group, which has no name', () => {
  const spec = { version: 'v1', groupPriorityMinimum: 18_000, versionPriority: 1 };
  const { registration } = decodeRegistration({ ...anApiService('v1.'), spec });
  assert.deepEqual(
    { name: registration.name, group: registration.group, version: registration.version },
    { name: 'v1.', group: '', version: 'v1' },
  );
});

const cases = [
  { name: 'as it is', spec: {}, want: remote },
  {
    name: 'without a port, from before there was a default',
    spec: { service: { namespace: 'wardle', name: 'api' } },
    want: remote,
  },
  {
    name: 'with a bundle',
    spec: { caBundle: Buffer.from('PEM\n').toString('base64') },
    want: { ...remote, caBundle: 'PEM\n' },
  },
  { name: 'with an empty bundle', spec: { caBundle: '' }, want: remote },
  {
    name: 'whoever it is',
    spec: { insecureSkipTLSVerify: true },
    want: { ...remote, insecureSkipTlsVerify: true },
  },
];
for (const { name, spec, want } of cases) {
  test(`of another server, ${name}`, () => {
    const { registration, problems } = decodeRegistration(
      anApiService('v1.a.example.com', { spec }),
    );
    assert.deepEqual(registration.remote, want);
    assert.deepEqual(problems, []);
  });
}

test('annotations that cannot be are told, and the defaults taken', () => {
  const stored = anApiService('v1.a.example.com', {
    metadata: { annotations: { [annotations.url]: 'http://a', [annotations.watchesMax]: '5' } },
  });
  const { registration, problems } = decodeRegistration(stored);
  assert.equal(registration.remote?.url, undefined);
  assert.equal(registration.remote?.limits.watchesMax, 5);
  assert.deepEqual(
    problems.map(({ annotation }) => annotation),
    [annotations.url],
  );
});
