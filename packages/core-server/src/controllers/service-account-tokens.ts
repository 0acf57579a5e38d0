import type { Secret, ServiceAccount } from '@tributary/api/core-v1';
import { createInformer } from '@tributary/client';
import {
  type ControllerDependencies,
  ignoreNotFound,
  isNamespaceTerminating,
  isWriteConflict,
  keyedController,
  secrets,
  serviceAccounts,
} from '@tributary/client/controller';
import {
  accountNameAnnotation,
  accountUidAnnotation,
  completeTokenSecret,
  type TokenSecretOptions,
  tokenSecretType,
} from '../authentication/index.ts';

const CONCURRENCY = 5;
/** Retries when other clients write the same service account. */
const CONFLICTS_MAX = 10;

/** Adds tokens to token Secrets, deletes those without service account, and removes references to deleted Secrets. */
export function runTokenSecretController(
  options: () => TokenSecretOptions,
  dependencies: ControllerDependencies,
): Promise<void> {
  const { client, clock, informers, log, signal } = dependencies;
  const accounts = informers.of<ServiceAccount>(serviceAccounts);
  // Only token Secrets, because there may be many others.
  const tokens = createInformer<Secret>({
    resource: client.resource<Secret>(secrets),
    fieldSelector: `type=${tokenSecretType}`,
    clock,
    onError: (error) => log.verbose(2, 'Watching token Secrets failed', { err: String(error) }),
  });
  /** Deleted Secrets, until their service accounts no longer refer to them. */
  const deleted = new Map<string, Secret>();
  const { queue, done } = keyedController(
    {
      name: 'serviceaccount-token',
      concurrency: CONCURRENCY,
      reconcile: async (key) => {
        const last = deleted.get(key);
        if (last !== undefined) await removeReference(last, { client, signal });
        if (deleted.get(key) === last) deleted.delete(key);
        const secret = tokens.store.get(key);
        if (secret === undefined) return;
        await reconcileSecret(secret, options(), { client, signal });
      },
    },
    dependencies,
  );
  const add = ({ metadata }: Secret | ServiceAccount) =>
    queue.add(`${metadata.namespace}/${metadata.name}`);
  const ofAccount = (account: ServiceAccount) => {
    const { name, namespace = '' } = account.metadata;
    for (const secret of tokens.store.byIndex('namespace', namespace)) {
      if (secret.metadata.annotations?.[accountNameAnnotation] === name) add(secret);
    }
  };
  const subscriptions = [
    tokens.addHandler({
      onAdd: add,
      onUpdate: (_old, secret) => add(secret),
      onDelete: (secret) => {
        deleted.set(`${secret.metadata.namespace}/${secret.metadata.name}`, secret);
        add(secret);
      },
    }),
    accounts.addHandler({ onAdd: ofAccount, onDelete: ofAccount }),
  ];
  tokens.start();
  const leave = () => {
    for (const one of subscriptions) one.close();
    void tokens.close();
  };
  signal.addEventListener('abort', leave, { once: true });
  return done;
}

async function reconcileSecret(
  secret: Secret,
  options: TokenSecretOptions,
  { client, signal }: Pick<ControllerDependencies, 'client' | 'signal'>,
): Promise<void> {
  const { namespace = '', name = '', uid } = secret.metadata;
  const accountName = secret.metadata.annotations?.[accountNameAnnotation] ?? '';
  const all = client.resource<Secret>(secrets).in(namespace);
  const accounts = client.resource<ServiceAccount>(serviceAccounts).in(namespace);
  try {
    // Read live: an account that the informer has not reported yet must not lose its token.
    const account =
      accountName === '' ? undefined : await ignoreNotFound(accounts.get(accountName, { signal }));
    const result = await completeTokenSecret(secret, account, options);
    if (result.action === 'update') await all.update(result.secret, { signal });
    if (result.action === 'delete') {
      await all.delete(name, { ...(uid && { preconditions: { uid } }), signal });
    }
  } catch (error) {
    // The informer reports the other change.
    if (!isWriteConflict(error) && !isNamespaceTerminating(error)) throw error;
  }
}

async function removeReference(
  { metadata: { name, namespace = '', annotations = {} } }: Secret,
  { client, signal }: Pick<ControllerDependencies, 'client' | 'signal'>,
): Promise<void> {
  const accountName = annotations[accountNameAnnotation] ?? '';
  const uid = annotations[accountUidAnnotation];
  if (accountName === '') return;
  const accounts = client.resource<ServiceAccount>(serviceAccounts).in(namespace);
  for (let conflicts = 0; ; conflicts += 1) {
    const account = await ignoreNotFound(accounts.get(accountName, { signal }));
    if (account === undefined || (uid && uid !== account.metadata.uid)) return;
    const { secrets: named = [], ...rest } = account;
    const left = named.filter((one) => one.name !== name);
    if (left.length === named.length) return;
    try {
      const next = left.length > 0 ? { ...rest, secrets: left } : rest;
      await accounts.update(next, { signal });
      return;
    } catch (error) {
      if (isNamespaceTerminating(error)) return;
      if (!isWriteConflict(error) || conflicts >= CONFLICTS_MAX) throw error;
    }
  }
}
