/** The Secrets of a fake API server: what it numbers and names, it writes into their metadata. */
import type { ProjectionSource, SourceWrite } from '../../src/projection/index.ts';
import type { Secret } from '../author/ranchertokens.ts';
import type { FakeItem, FakeSource } from './fake-source.ts';

export function secretsSource(fake: FakeSource): ProjectionSource<Secret> {
  const source = fake.revisioned();
  const written = (result: SourceWrite<FakeItem>): SourceWrite<Secret> =>
    result.outcome === 'conflict' ? result : { ...result, item: toSecret(result.item) };
  return {
    kind: 'revisioned',
    idOf,
    revisionOf: ({ metadata }) => Number(metadata.resourceVersion),
    list: async (options) => {
      const { revision, items } = await source.list(options);
      return { revision, items: items.map(toSecret) };
    },
    async *changes(after, options) {
      for await (const { changes, progress } of source.changes(after, options)) {
        yield {
          changes: changes.map((change) => ({ ...change, item: toSecret(change.item) })),
          progress,
        };
      }
    },
    get: async (id, options) => {
      const item = await source.get(id, options);
      return item && toSecret(item);
    },
    create: async (secret, options) => written(await source.create(toItem(secret), options)),
    update: async (secret, previous, options) =>
      written(await source.update(toItem(secret), toItem(previous), options)),
    delete: (previous, options) => source.delete(toItem(previous), options),
  };
}

/** As `kubectl apply` does it, at the source. */
export function applySecret(fake: FakeSource, secret: Secret): void {
  fake.put(toItem(secret));
}

export function secretOf(fake: FakeSource, id: string): Secret | undefined {
  const item = fake.item(id);
  return item && toSecret(item);
}

function idOf({ metadata }: Secret): string {
  return `${metadata.namespace}/${metadata.name}`;
}

function toItem(secret: Secret): FakeItem {
  const revision = Number(secret.metadata.resourceVersion ?? 0);
  return { id: idOf(secret), revision, label: '', content: JSON.stringify(secret) };
}

function toSecret({ id, revision, content }: FakeItem): Secret {
  const secret: Secret = JSON.parse(content);
  const metadata = {
    creationTimestamp: '2024-01-01T00:00:00Z',
    uid: `uid of ${id}`,
    ...secret.metadata,
    resourceVersion: String(revision),
  };
  return { ...secret, metadata };
}
