/** The policy of a large cluster: 10,000 bindings of 1,000 roles, and requests of its users. */
import type { AccessInfo, UserInfo } from '@tributary/server';
import { RbacIndex } from '../src/rbac/rbac-index.ts';
import type { RoleBinding } from '../src/rbac/types.ts';
import { binding, clusterBinding, person } from './policy-fixture.ts';

const ROLES = 1_000;
const BINDINGS = 10_000;
const REQUESTS = 5_000;
/** One role of the user, eight of the groups, and the ten that the group of all users has by a hundred bindings. */
export const ROLES_PER_USER_MAX = 19;

interface LargePolicy {
  readonly index: RbacIndex;
  readonly requests: readonly { readonly user: UserInfo; readonly info: AccessInfo }[];
}

export function largePolicy(): LargePolicy {
  const index = new RbacIndex();
  for (let number = 0; number < ROLES; number += 1) {
    index.put('clusterroles', {
      ...{ apiVersion: '', kind: '' },
      metadata: { name: `role-${number}` },
      rules: Array.from({ length: 10 }, (_, one) => ({
        verbs: ['get', 'list'],
        apiGroups: [`group-${one}`],
        resources: [`things-${number}`, `others-${one}`],
      })),
    });
  }
  for (let number = 0; number < BINDINGS; number += 1) index.put(...largeBinding(number));
  return { index, requests: Array.from({ length: REQUESTS }, (_, number) => requestOf(number)) };
}

/** Half for users in namespaces, half for groups in the cluster; one group has a hundred of them. */
function largeBinding(number: number): ['rolebindings' | 'clusterrolebindings', RoleBinding] {
  const name = `role-${(number * 7) % ROLES}`;
  if (number % 2 === 0) {
    const to = { kind: 'ClusterRole', name };
    const subject = { kind: 'User', name: `user-${number / 2}` };
    return ['rolebindings', binding(`n${number % 100}`, `b${number}`, to, subject)];
  }
  const group = number % 100 === 1 ? 'everybody' : `group-${number}`;
  return [
    'clusterrolebindings',
    clusterBinding(`b${number}`, name, { kind: 'Group', name: group }),
  ];
}

/** No role allows every second request, so all roles of the user are evaluated. */
function requestOf(number: number): LargePolicy['requests'][number] {
  const groups = ['everybody', ...Array.from({ length: 8 }, (_, one) => `group-${number + one}`)];
  const info: AccessInfo = {
    isResourceRequest: true,
    verb: 'get',
    path: '',
    group: 'group-3',
    version: 'v1',
    namespace: `n${number % 100}`,
    resource: number % 2 === 0 ? `things-${(number * 2) % ROLES}` : 'nothing',
    subresource: '',
    name: '',
    fieldSelector: '',
    labelSelector: '',
  };
  return { user: person(`user-${number}`, groups), info };
}
