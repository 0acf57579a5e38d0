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
/** Of others who write the same account at the same time. */
const CONFLICTS_MAX = 10;

/**
 * Fills Secrets that ask for the token of a service account, and removes those whose account is gone; an account does not
 * name a Secret that is gone.
 */
export function runTokenSecretController(
  means: () => TokenSecretOptions,
  dependencies: ControllerDependencies,
): Promise<void> {
  const { client, clock, informers, log, signal } = dependencies;
  const accounts = informers.of<ServiceAccount>(serviceAccounts);
  // Only these: Secrets may be many, and nobody else's business.
  const tokens = createInformer<Secret>({
    resource: client.resource<Secret>(secrets),
    fieldSelector: `type=${tokenSecretType}`,
    clock,
    onError: (error) =>
      log.verbose(2, 'Secrets with tokens cannot be followed', { err: String(error) }),
  });
  /** Secrets that were deleted, until their accounts do not name them any more. */
  const gone = new Map<string, Secret>();
  const { queue, done } = keyedController(
    {
      name: 'serviceaccount-token',
      concurrency: CONCURRENCY,
      reconcile: async (key) => {
        const last = gone.get(key);
        if (last !== undefined) await forget(last, { client, signal });
        if (gone.get(key) === last) gone.delete(key);
        const secret = tokens.store.get(key);
        if (secret === undefined) return;
        await complete(secret, means(), { client, signal });
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
        gone.set(`${secret.metadata.namespace}/${secret.metadata.name}`, secret);
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

async function complete(
  secret: Secret,
  means: TokenSecretOptions,
  { client, signal }: Pick<ControllerDependencies, 'client' | 'signal'>,
): Promise<void> {
  const { namespace = '', name = '', uid } = secret.metadata;
  const accountName = secret.metadata.annotations?.[accountNameAnnotation] ?? '';
  const all = client.resource<Secret>(secrets).in(namespace);
  const accounts = client.resource<ServiceAccount>(serviceAccounts).in(namespace);
  try {
    // Live: an account that the informer has not seen yet must not cost its token.
    const account =
      accountName === '' ? undefined : await ignoreNotFound(accounts.get(accountName, { signal }));
    const result = await completeTokenSecret(secret, account, means);
    if (result.action === 'update') await all.update(result.secret, { signal });
    if (result.action === 'delete') {
      await all.delete(name, { ...(uid && { preconditions: { uid } }), signal });
    }
  } catch (error) {
    // Who was faster is heard of through the informer.
    if (!isWriteConflict(error) && !isNamespaceTerminating(error)) throw error;
  }
}

async function forget(
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
