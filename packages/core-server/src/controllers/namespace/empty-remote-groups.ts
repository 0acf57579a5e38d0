import { StatusError } from '@tributary/apimachinery';
import type { Leftovers, NamespacedResource, RemoteGroups } from '@tributary/client/controller';

export interface RemoteFindings {
  /** Groups that did not respond, by group version. */
  readonly unreachable: ReadonlyMap<
    string,
    { readonly why: string; readonly resources: readonly NamespacedResource[] }
  >;
  /** Errors of servers that responded. */
  readonly failures: readonly string[];
}

interface RemoteContent {
  readonly namespace: string;
  /** All group versions of other servers, with the error of unavailable ones. */
  readonly others: ReadonlyMap<string, string | undefined>;
  /** Their discovered resources. */
  readonly remote: ReadonlyMap<string, readonly NamespacedResource[]>;
  readonly take: (resource: NamespacedResource, left: Leftovers) => void;
  readonly signal: AbortSignal;
}

const GROUPS_AT_ONCE = 8;
const UNKNOWN = 'its resources are not known yet';

/** Deletes the content of a namespace on other servers, except on those known to be unavailable. */
export async function emptyRemoteGroups(
  groups: Pick<RemoteGroups, 'deleteContent'> | undefined,
  content: RemoteContent,
): Promise<RemoteFindings> {
  const unreachable = new Map<string, { why: string; resources: readonly NamespacedResource[] }>();
  const failures: string[] = [];
  const { others, remote, signal } = content;
  const emptyGroup = async (groupVersion: string, problem: string | undefined) => {
    const resources = remote.get(groupVersion);
    // Groups without deletable resources do not matter, such as metrics servers.
    if (resources?.length === 0) return;
    const notAsked = problem ?? (resources === undefined ? UNKNOWN : undefined);
    const why = notAsked ?? (await emptyResources(resources ?? []));
    if (why !== undefined) unreachable.set(groupVersion, { why, resources: resources ?? [] });
  };
  /** Returns the error of an unavailable server, which gets no further request. */
  const emptyResources = async (resources: readonly NamespacedResource[]) => {
    for (const resource of resources) {
      try {
        const left = await groups?.deleteContent(resource, content);
        if (left !== undefined) content.take(resource, left);
      } catch (error) {
        signal.throwIfAborted();
        const words = error instanceof Error ? error.message : String(error);
        if (isUnreachable(error)) return words;
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

/** A 4xx is a decision of the server; any other error means that it is unavailable. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof StatusError)) return true;
  return error.code >= 500 || error.code === 429 || error.code < 400;
}
