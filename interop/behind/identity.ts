/** The user of a request, from the client through the aggregator to the audit log of the extension server. */
import assert from 'node:assert/strict';
import type { AuditedUser } from '../../test/aggregator/fault-audit.ts';
import type { RequestOptions } from '../../test/harness/index.ts';
import { askFront, flundersPath, grant, makeNamespace, must, within } from './ask.ts';
import type { Site } from './site.ts';

const NAMESPACE = 'identities';
/** A list in HTTP, and one name in Kubernetes. */
const COMMA = 'team, blue';
const CREDENTIAL = 'authentication.kubernetes.io/credential-id';
const GRANTED_MS = 60_000;

interface Row {
  readonly name: string;
  readonly headers: NonNullable<RequestOptions['headers']>;
  readonly user: AuditedUser;
}

/** Impersonation headers of the administrator, and the user that the extension server sees. */
const impersonated: readonly Row[] = [
  {
    name: 'several groups, one of them with a comma',
    headers: {
      'Impersonate-User': 'jane',
      'Impersonate-Group': ['system:masters', COMMA, 'green'],
    },
    user: {
      username: 'jane',
      groups: ['system:masters', COMMA, 'green', 'system:authenticated'],
    },
  },
  {
    name: 'a uid, and extra keys with several values, beyond ASCII, with slashes and percent signs',
    headers: {
      'Impersonate-User': 'jané@example.com',
      'Impersonate-Uid': '7',
      'Impersonate-Group': 'system:masters',
      'Impersonate-Extra-caf%C3%A9.example.com%2Frole': ['one', 'two, three'],
      'Impersonate-Extra-a%2525b': 'c',
    },
    user: {
      username: 'jané@example.com',
      uid: '7',
      groups: ['system:masters', 'system:authenticated'],
      extra: { 'café.example.com/role': ['one', 'two, three'], 'a%25b': ['c'] },
    },
  },
  {
    name: 'headers of a front proxy, which clients have no business with',
    headers: {
      'X-Remote-User': 'root',
      'X-Remote-Group': 'evil',
      'X-Remote-Uid': '0',
      'X-Remote-Extra-Evil': 'yes',
    },
    user: { username: 'ADMIN', groups: ['system:masters', 'system:authenticated'] },
  },
];

export async function keepsIdentities(site: Site): Promise<void> {
  await makeNamespace(site, NAMESPACE);
  const administrator = await administratorOf(site);
  for (const [index, { name, headers, user }] of impersonated.entries()) {
    const marker = `identity-${index}`;
    await must(askFront(site, listWith(marker), { headers: latin1(headers) }));
    const seen = withoutCredential(await site.backend.audit.userOf(marker));
    const username = user.username === 'ADMIN' ? administrator : user.username;
    assert.deepEqual(seen, { ...user, username }, name);
  }
  await keepsCertificates(site);
}

/** Groups of a certificate decide, and a comma in one does not make two of it. */
async function keepsCertificates(site: Site): Promise<void> {
  const subject = { kind: 'Group', name: COMMA } as const;
  await grant(site, { namespace: NAMESPACE, name: 'comma', verbs: ['list'], subject });
  const commonName = 'carl';
  const one = await site.front.userCertificate({ commonName, organizations: ['red', COMMA] });
  const two = await site.front.userCertificate({ commonName, organizations: COMMA.split(', ') });
  await within(GRANTED_MS, async () => {
    await must(askFront(site, listWith('one-group'), one));
  });
  const { extra = {}, ...user } = await site.backend.audit.userOf('one-group');
  assert.deepEqual(user, { username: commonName, groups: ['red', COMMA, 'system:authenticated'] });
  assert.match(extra[CREDENTIAL]?.join() ?? '', /^X509SHA256=[0-9a-f]{64}$/);
  assert.equal((await askFront(site, listWith('two-groups'), two)).status, 403);
}

async function administratorOf(site: Site): Promise<string> {
  await must(askFront(site, listWith('administrator')));
  return (await site.backend.audit.userOf('administrator')).username;
}

/** The marker is a label that nothing has, which stands in the audit log. */
function listWith(marker: string): string {
  return `${flundersPath(NAMESPACE)}?labelSelector=${marker}`;
}

/** Headers carry bytes, which Node takes from characters one by one. */
function latin1(headers: Row['headers']): Row['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? Buffer.from(value).toString('latin1') : value,
    ]),
  );
}

/** The credential's own mark, which a user of a certificate has. */
function withoutCredential({ extra = {}, ...user }: AuditedUser): AuditedUser {
  const { [CREDENTIAL]: _, ...others } = extra;
  return Object.keys(others).length === 0 ? user : { ...user, extra: others };
}
