/** Attempts to become another user: claims of all kinds, over both protocols. */
import { createAuthority, httpsRequest } from '../../harness/index.ts';
import { type Attack, Findings } from '../attack.ts';
import { OTHERS, type Site } from '../site.ts';
import { openTls, respondTo } from '../wire.ts';

interface Claim {
  readonly name: string;
  readonly headers: readonly string[];
}

const MASTERS = 'X-Remote-Group: system:masters';
const USER = 'X-Remote-User: admin';

const claims: readonly Claim[] = [
  { name: 'nothing', headers: [] },
  { name: 'front-proxy headers', headers: [USER, MASTERS] },
  {
    name: 'front-proxy headers in lower case',
    headers: ['x-remote-user: admin', 'x-remote-group: system:masters'],
  },
  {
    name: 'front-proxy headers with underscores',
    headers: ['X_Remote_User: admin', 'X_Remote_Group: system:masters'],
  },
  {
    name: 'front-proxy headers behind a tab',
    headers: ['X-Remote-User:\tadmin', 'X-Remote-Group:\tsystem:masters'],
  },
  { name: 'front-proxy headers twice', headers: [USER, USER, MASTERS, MASTERS] },
  { name: 'a uid and extra', headers: [USER, MASTERS, 'X-Remote-Uid: 0', 'X-Remote-Extra-A: b'] },
  {
    name: 'hop-by-hop identity',
    headers: ['Connection: X-Remote-User, Authorization', USER, MASTERS],
  },
  {
    name: 'impersonation',
    headers: ['Impersonate-User: admin', 'Impersonate-Group: system:masters'],
  },
  { name: 'impersonation of masters alone', headers: ['Impersonate-Group: system:masters'] },
  { name: 'impersonation of a uid alone', headers: ['Impersonate-Uid: 0'] },
  { name: 'impersonation of the loopback', headers: ['Impersonate-User: system:apiserver'] },
  { name: 'a token that is none', headers: ['Authorization: Bearer x'] },
  { name: 'an empty token', headers: ['Authorization: Bearer '] },
  { name: 'a token of spaces', headers: ['Authorization: Bearer     '] },
  { name: 'two tokens', headers: ['Authorization: Bearer x', 'Authorization: Bearer y'] },
  { name: 'a token without a signature', headers: [`Authorization: Bearer ${unsigned()}`] },
  { name: 'a password', headers: ['Authorization: Basic YWRtaW46YWRtaW4='] },
  { name: 'another scheme', headers: ['Authorization: Negotiate x'] },
  {
    name: 'a certificate in a header',
    headers: ['X-Client-Cert: x', 'X-Forwarded-Client-Cert: By=x', 'SSL-Client-Verify: SUCCESS'],
  },
  {
    name: 'forwarded from here',
    headers: [
      'X-Forwarded-For: 127.0.0.1',
      'Forwarded: for=127.0.0.1;by=admin',
      'X-Real-Ip: 127.0.0.1',
    ],
  },
  {
    name: 'another path',
    headers: ['X-Original-Url: /livez', 'X-Rewrite-Url: /livez', 'X-Http-Method-Override: OPTIONS'],
  },
  {
    name: 'a token as a WebSocket protocol',
    headers: [
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      'Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.YWRtaW4, x',
    ],
  },
  { name: 'evil webhook: a prototype', headers: ['Authorization: Bearer evil-proto'] },
];

export const identity: Attack = {
  name: 'identity',
  summary:
    'claims to be an administrator: headers, tokens, certificates of other authorities, impersonation',
  async run({ site, hasTime }) {
    const findings = new Findings();
    let sent = 0;
    const paths = secretPaths(site);
    for (const as of ['nobody', 'user', 'unknownClient'] as const) {
      for (const { name, headers } of claims) {
        for (const path of paths) {
          if (!hasTime()) return { sent, findings: findings.lines };
          sent += 2;
          const status1 = await overHttp1(site, { path, as, headers });
          const status2 = await overHttp2(site, { path, as, headers });
          for (const [protocol, status] of [
            ['1.1', status1],
            ['2', status2],
          ] as const) {
            if (status >= 200 && status < 300)
              findings.add(`${as} with ${name} reads ${path} over HTTP/${protocol}`);
            if (status >= 500)
              findings.add(`${as} with ${name} gets a ${status} over HTTP/${protocol}`);
          }
        }
      }
    }
    return { sent, findings: findings.lines };
  },
};

/** Only an administrator may read them. */
function secretPaths({ resource, isCore }: Site): string[] {
  const own = resource.path.replace('{ns}', OTHERS);
  return isCore ? ['/api/v1/secrets', `/api/v1/namespaces/kube-system/configmaps`] : [own];
}

interface Asking {
  readonly path: string;
  readonly as: 'nobody' | 'user' | 'unknownClient';
  readonly headers: readonly string[];
}

/** A certificate with an administrator's name, from an unknown CA. */
const unknownClient = createAuthority('unknown-ca').issue({
  commonName: 'admin',
  organizations: ['system:masters'],
  usage: 'client',
});

async function overHttp1(site: Site, { path, as, headers }: Asking): Promise<number> {
  const user = as === 'unknownClient' ? unknownClient : site.user;
  try {
    const socket = await openTls({ ...site, attacker: user }, { asUser: as !== 'nobody' });
    const lines = [`GET ${path} HTTP/1.1`, `Host: ${site.host}`, ...headers, '', ''];
    const response = await respondTo(socket, Buffer.from(lines.join('\r\n'), 'latin1'), {
      silentMs: 50,
    });
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1] ?? 0);
  } catch {
    return 0; // A refused connection reveals no user.
  }
}

const CONNECTION_LINES = /^(?:connection|upgrade|sec-websocket)/i;

async function overHttp2(site: Site, { path, as, headers }: Asking): Promise<number> {
  const credential = { nobody: {}, user: site.user, unknownClient }[as];
  const lines: Record<string, string[]> = {};
  for (const line of headers) {
    if (CONNECTION_LINES.test(line)) continue;
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    // Node sends these once only; over HTTP/1.1 they are sent twice.
    const values = name === 'authorization' ? [] : (lines[name] ?? []);
    lines[name] = [...values, line.slice(colon + 1).trim()];
  }
  try {
    const { status } = await httpsRequest(site.url + path, {
      http: '2',
      ca: site.ca,
      ...credential,
      headers: lines,
    });
    return status;
  } catch {
    return 0; // As above.
  }
}

function unsigned(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ sub: 'admin', groups: ['system:masters'] })}.`;
}
