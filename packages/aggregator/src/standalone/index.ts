/** The aggregator in front of a cluster, and its two kinds of access: for one user, and for many. */
export { watchClusterUser as followClusterUser } from './cluster-user.ts';
export { USER_AGENT } from './cluster-view.ts';
export { type SharedAccessSettings, sharedAccess } from './shared-access.ts';
export { singleUserAccess } from './single-user-access.ts';
export { type StandaloneOptions, startStandalone } from './start-standalone.ts';
