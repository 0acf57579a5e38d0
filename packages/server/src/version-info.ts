import type { Route } from './router.ts';

export interface VersionInfo {
  readonly major: string;
  readonly minor: string;
  readonly gitVersion: string;
  readonly gitCommit: string;
  readonly gitTreeState: string;
  readonly buildDate: string;
  readonly goVersion: string;
  readonly compiler: string;
  readonly platform: string;
}

/** The Kubernetes release whose API behaviour this server has; clients decide by it what they may use. */
export const versionInfo: VersionInfo = {
  major: '1',
  minor: '36',
  gitVersion: 'v1.36.3+tributary',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: `node-${process.version}`,
  compiler: 'v8',
  platform: `${process.platform}/${process.arch}`,
};

export const versionRoute: Route = ({ path, method }) =>
  path === '/version' && method === 'GET'
    ? { kind: 'object', code: 200, object: versionInfo }
    : undefined;
