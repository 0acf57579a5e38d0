/** The contents of a cluster, to see that they have not changed. */
import { must, type Program } from './gateway-program.ts';

interface Listed {
  readonly items?: readonly {
    readonly aggregationRule?: object;
    readonly metadata: {
      uid?: string;
      resourceVersion?: string;
      name?: string;
      namespace?: string;
    };
  }[];
}

interface Resources {
  readonly resources: readonly { readonly name: string; readonly verbs: readonly string[] }[];
}

/**
 * The version of every object, by its path, without those that a cluster's own controllers write at any time: Leases and
 * aggregated ClusterRoles.
 */
export async function clusterContents(admin: Program): Promise<Readonly<Record<string, string>>> {
  const contents: Record<string, string> = {};
  for (const path of await listPaths(admin)) {
    const { items = [] } = (await must(admin.send('GET', path))) as Listed;
    for (const { metadata, aggregationRule } of items) {
      if (aggregationRule !== undefined) continue;
      const { namespace = '', name = '', uid = '', resourceVersion = '' } = metadata;
      contents[`${path}/${namespace}/${name}`] = `${uid} ${resourceVersion}`;
    }
  }
  return contents;
}

async function listPaths(admin: Program): Promise<string[]> {
  const { groups } = (await must(admin.send('GET', '/apis'))) as {
    readonly groups: readonly { readonly versions: readonly { readonly groupVersion: string }[] }[];
  };
  const versions = groups.flatMap((group) =>
    group.versions.map(({ groupVersion }) => groupVersion),
  );
  const paths = ['/api/v1', ...versions.map((groupVersion) => `/apis/${groupVersion}`)];
  const lists: string[] = [];
  for (const path of paths) {
    const { resources } = (await must(admin.send('GET', path))) as Resources;
    for (const { name, verbs } of resources) {
      if (verbs.includes('list') && name !== 'leases') lists.push(`${path}/${name}`);
    }
  }
  return lists;
}
