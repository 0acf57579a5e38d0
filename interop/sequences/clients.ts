/** The users of sequences, and their permissions. */
import type { JsonObject } from '../differential/json.ts';
import type { Client } from './world.ts';

export const admin: Client = { name: 'admin', come: { as: 'admin' } };
const alice: Client = { name: 'alice', come: { as: 'alice' } };
/** May do nothing. */
const bob: Client = { name: 'bob', come: { as: 'bob' } };
const nobody: Client = { name: 'nobody', come: { as: 'nobody' } };
const robot: Client = {
  name: 'robot',
  come: { as: 'nobody', headers: { authorization: 'Bearer {token:token}' } },
};
/** The admin in the place of alice, and of a service account. */
const asAlice: Client = {
  name: 'admin as alice',
  come: {
    as: 'admin',
    headers: { 'impersonate-user': 'alice', 'impersonate-group': ['dev', 'system:authenticated'] },
  },
};
const asRobot: Client = {
  name: 'admin as robot',
  come: { as: 'admin', headers: { 'impersonate-user': 'system:serviceaccount:{ns}:robot' } },
};

export const everybody: readonly [Client, ...Client[]] = [
  admin,
  alice,
  robot,
  asAlice,
  asRobot,
  bob,
];
/** A server of one group knows certificates; tokens are the business of who is in front of it. */
export const withoutTokens: readonly [Client, ...Client[]] = [admin, nobody];

const RBAC = 'rbac.authorization.k8s.io';
const ALL = ['*'];
const rule = (apiGroup: string, resources: readonly string[], verbs: readonly string[]) => ({
  apiGroups: [apiGroup],
  resources,
  verbs,
});

interface Member {
  readonly name: string;
  readonly subject: (namespace: string) => JsonObject;
  readonly rules: readonly JsonObject[];
}

/** Something of everything: all verbs, reading only, writing without reading, subresources, single names. */
const members: readonly Member[] = [
  {
    name: 'alice',
    subject: () => ({ kind: 'User', name: 'alice', apiGroup: RBAC }),
    rules: [
      rule('', ['configmaps', 'endpoints'], ALL),
      rule('', ['services', 'services/status'], ['get', 'list', 'watch', 'patch', 'update']),
      rule('apps', ['deployments'], ['get', 'create', 'delete']),
      rule('apps', ['deployments/scale'], ALL),
      { ...rule('', ['secrets'], ['get', 'update', 'patch']), resourceNames: ['a'] },
      rule('wardle.example.com', ['flunders'], ['get', 'list', 'watch', 'create', 'patch']),
    ],
  },
  {
    name: 'robot',
    subject: (namespace) => ({ kind: 'ServiceAccount', name: 'robot', namespace }),
    rules: [
      rule('coordination.k8s.io', ['leases'], ALL),
      rule('apps', ['deployments', 'deployments/status'], ALL),
      rule('', ['configmaps', 'secrets'], ['get', 'list', 'watch', 'deletecollection']),
      rule(RBAC, ['roles', 'rolebindings'], ['get', 'list', 'create', 'update']),
      rule('wardle.example.com', ['flunders'], ALL),
    ],
  },
];

/** Objects created in a namespace before a sequence begins, with their paths. */
export function grantsOf(
  namespace: string,
): { readonly path: string; readonly body: JsonObject }[] {
  const roles = `/apis/${RBAC}/v1/namespaces/${namespace}`;
  return [
    {
      path: `/api/v1/namespaces/${namespace}/serviceaccounts`,
      body: { metadata: { name: 'robot' } },
    },
    ...members.flatMap(({ name, subject, rules }) => [
      { path: `${roles}/roles`, body: { metadata: { name: `of-${name}` }, rules } },
      {
        path: `${roles}/rolebindings`,
        body: {
          metadata: { name: `of-${name}` },
          roleRef: { apiGroup: RBAC, kind: 'Role', name: `of-${name}` },
          subjects: [subject(namespace)],
        },
      },
    ]),
  ];
}

/** The last permission of each user: when it is granted, all earlier ones are known. */
export const lastGrants = [
  { user: 'alice', group: 'wardle.example.com', resource: 'flunders', verb: 'patch' },
  { user: 'robot', group: 'wardle.example.com', resource: 'flunders', verb: 'deletecollection' },
] as const;
