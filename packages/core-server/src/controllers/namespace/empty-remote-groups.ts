import { StatusError } from '@tributary/apimachinery';
import type { Leftovers, NamespacedResource, RemoteGroups } from '@tributary/client/controller';

export interface RemoteFindings {
  /** Who gave no answer, by group version. */
  readonly unreachable: ReadonlyMap<
    string,
    { readonly why: string; readonly resources: readonly NamespacedResource[] }
  >;
  /** What servers that answered did not do. */
  readonly failures: readonly string[];
}

interface RemoteContent {
  readonly namespace: string;
  /** All group versions of other servers, with the reason why one cannot be asked. */
  readonly others: ReadonlyMap<string, string | undefined>;
  /** What is known of their resources. */
  readonly remote: ReadonlyMap<string, readonly NamespacedResource[]>;
  readonly take: (resource: NamespacedResource, left: Leftovers) => void;
  readonly signal: AbortSignal;
}

const GROUPS_AT_ONCE = 8;
const UNKNOWN = 'its resources are not known yet';

/** Deletes what a namespace has on other servers. Who is known not to answer is not asked. */
export async function emptyRemoteGroups(
  groups: Pick<RemoteGroups, 'deleteContent'> | undefined,
  content: RemoteContent,
): Promise<RemoteFindings> {
  const unreachable = new Map<string, { why: string; resources: readonly NamespacedResource[] }>();
  const failures: string[] = [];
  const { others, remote, signal } = content;
  const emptyGroup = async (groupVersion: string, problem: string | undefined) => {
    const resources = remote.get(groupVersion);
    // Whoever has nothing that can be deleted is nobody to wait for: a server of figures, for instance.
    if (resources?.length === 0) return;
    const notAsked = problem ?? (resources === undefined ? UNKNOWN : undefined);
    const why = notAsked ?? (await emptyResources(resources ?? []));
    if (why !== undefined) unreachable.set(groupVersion, { why, resources: resources ?? [] });
  };
  /** Why there was no answer. Who does not answer once is not asked for the rest. */
  const emptyResources = async (resources: readonly NamespacedResource[]) => {
    for (const resource of resources) {
      try {
        const left = await groups?.deleteContent(resource, content);
        if (left !== undefined) content.take(resource, left);
      } catch (error) {
        signal.throwIfAborted();
        const words = error instanceof Error ? error.message : String(error);
        if (isNoAnswer(error)) return words;
        failures.push(words);
      }
    }
    return undefined;
  };
  const turn = others.entries();
  await Promise.all(
    Array.from({ length: GROUPS_AT_ONCE }, async () => {
      for (const [groupVersion, problem] of turn) await emptyGroup(groupVersion, problem);
    }),
  );
  return { unreachable, failures };
}

/** What a server refuses is its decision; everything else is one that does not work. */
function isNoAnswer(error: unknown): boolean {
  if (!(error instanceof StatusError)) return true;
  return error.code >= 500 || error.code === 429 || error.code < 400;
}
