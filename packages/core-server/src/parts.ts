/** What an aggregator shares with the control plane it runs in. It may change with every release. */

export type {
  CoreExtension,
  ExtensionDependencies,
  ExtensionServer,
} from './assembly/core-extension.ts';
export type { RemoteGroups, UnreachableGroup } from './controllers/namespace/remote-groups.ts';
