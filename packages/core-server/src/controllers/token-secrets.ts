import { createInformer } from '@tributary/client';
import {
  accountNameAnnotation,
  completeTokenSecret,
  type TokenSecretSurroundings,
  tokenSecretType,
} from '../authentication/index.ts';
import type { Secret, ServiceAccount } from '../generated/core-v1.ts';
import { isConflict, isNamespaceGone, unlessMissing } from './conflicts.ts';
import { keyedController } from './keyed-controller.ts';
import { secrets, serviceAccounts } from './resources.ts';
import type { ControllerSurroundings } from './surroundings.ts';

const CONCURRENCY = 5;

/** Fills Secrets that ask for the token of a service account, and removes those whose account is gone. */
export function runTokenSecretController(
  means: () => TokenSecretSurroundings,
  surroundings: ControllerSurroundings,
): Promise<void> {
  const { client, clock, informers, log, signal } = surroundings;
  const accounts = informers.of<ServiceAccount>(serviceAccounts);
  // Only these: Secrets may be many, and nobody else's business.
  const tokens = createInformer<Secret>({
    resource: client.resource<Secret>(secrets),
    fieldSelector: `type=${tokenSecretType}`,
    clock,
    onError: (error) =>
      log.verbose(2, 'Secrets with tokens cannot be followed', { err: String(error) }),
  });
  const { queue, done } = keyedController(
    {
      name: 'serviceaccount-token',
      concurrency: CONCURRENCY,
      reconcile: async (key) => {
        const secret = tokens.store.get(key);
        if (secret === undefined) return;
        await complete(secret, means(), { client, signal });
      },
    },
    surroundings,
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
    tokens.addHandler({ onAdd: add, onUpdate: (_old, secret) => add(secret) }),
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
  means: TokenSecretSurroundings,
  { client, signal }: Pick<ControllerSurroundings, 'client' | 'signal'>,
): Promise<void> {
  const { namespace = '', name = '', uid } = secret.metadata;
  const accountName = secret.metadata.annotations?.[accountNameAnnotation] ?? '';
  const all = client.resource<Secret>(secrets).in(namespace);
  const accounts = client.resource<ServiceAccount>(serviceAccounts).in(namespace);
  try {
    // Live: an account that the informer has not seen yet must not cost its token.
    const account =
      accountName === '' ? undefined : await unlessMissing(accounts.get(accountName, { signal }));
    const result = await completeTokenSecret(secret, account, means);
    if (result.action === 'update') await all.update(result.secret, { signal });
    if (result.action === 'delete') {
      await all.delete(name, { ...(uid && { preconditions: { uid } }), signal });
    }
  } catch (error) {
    // Who was faster is heard of through the informer.
    if (!isConflict(error) && !isNamespaceGone(error)) throw error;
  }
}
