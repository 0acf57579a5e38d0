import type { BoundObjectReference } from '@tributary/api/authentication-v1';
import {
  badRequest,
  conflict,
  goQuote,
  notFound,
  parseGroupVersion,
} from '@tributary/apimachinery';
import type { ObjectReference } from './account-user.ts';
import type { BoundObject, LiveObjects } from './types.ts';

interface TokenBinding {
  readonly pod?: ObjectReference;
  readonly secret?: ObjectReference;
  readonly node?: ObjectReference;
}

interface AccountName {
  readonly namespace: string;
  readonly name: string;
}

/** The current objects that a token is requested to be bound to. */
export async function bindingOf(
  reference: BoundObjectReference,
  account: AccountName,
  live: LiveObjects,
): Promise<TokenBinding> {
  const { group, version, kind } = kindOf(reference);
  switch (group === '' ? kind : '') {
    case 'Pod':
      return podBinding(reference, account, live);
    case 'Secret': {
      const name = reference.name ?? '';
      const found = required('secrets', name, await live.secret(account.namespace, name));
      return { secret: sameObject(reference, found) };
    }
    case 'Node': {
      const name = reference.name ?? '';
      const found = required('nodes', name, await live.node(name));
      return { node: sameObject(reference, found) };
    }
    default:
      throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  }
}

async function podBinding(
  reference: BoundObjectReference,
  { namespace, name }: AccountName,
  live: LiveObjects,
): Promise<TokenBinding> {
  const podName = reference.name ?? '';
  const found = required('pods', podName, await live.pod(namespace, podName));
  if (found.spec?.serviceAccountName !== name) {
    throw badRequest(
      `cannot bind token for serviceaccount ${goQuote(name)} to pod running with different serviceaccount name.`,
    );
  }
  const pod = sameObject(reference, found);
  const nodeName = found.spec.nodeName ?? '';
  if (nodeName === '') return { pod };
  // The token names the node even if it was deleted: its name tells where the pod was scheduled.
  const node = await live.node(nodeName);
  return { pod, node: { name: nodeName, uid: node?.metadata.uid ?? '' } };
}

function kindOf({ apiVersion = '', kind = '' }: BoundObjectReference) {
  return { ...(parseGroupVersion(apiVersion) ?? { group: '', version: '' }), kind };
}

function required<T>(resource: string, name: string, found: T | undefined): T {
  if (found === undefined) throw notFound({ group: '', resource }, name);
  return found;
}

function sameObject({ uid, name = '', kind = '' }: BoundObjectReference, found: BoundObject) {
  const actual = found.metadata.uid ?? '';
  if (uid && uid !== actual) {
    throw conflict(
      { group: '', resource: kind },
      name,
      `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  }
  return { name, uid: actual };
}
