import type { DocumentThread } from './document-thread.ts';
import type { HashedDocument, MergeResult } from './thread-jobs.ts';

/** The thread may end between two jobs and lose its documents, but not repeatedly. */
const ATTEMPTS_MAX = 3;

/** Merges in the thread, which is sent the documents that it lacks. */
export async function mergeInThread(
  thread: DocumentThread,
  local: HashedDocument,
  parts: readonly { readonly name: string; readonly part: HashedDocument }[],
): Promise<MergeResult & { readonly outcome: 'merged' }> {
  const byHash = new Map([local, ...parts.map(({ part }) => part)].map((one) => [one.hash, one]));
  const ask = {
    local: local.hash,
    parts: parts.map(({ name, part }) => ({ name, hash: part.hash })),
  };
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const result = await thread.run('merge', ask);
    if (result.outcome === 'merged') return result;
    for (const hash of result.hashes) {
      const document = byHash.get(hash);
      if (document !== undefined) await thread.run('remember', document);
    }
  }
  throw new Error('the thread forgets what it is told');
}
