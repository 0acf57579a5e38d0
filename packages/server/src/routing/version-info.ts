import { indentJson } from '../request/json-indent.ts';
import type { Route } from './router.ts';

/** The Kubernetes release whose API this server implements; clients select features by it. */
const versionInfo = {
  major: '1',
  minor: '37',
  emulationMajor: '1',
  emulationMinor: '37',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '36',
  gitVersion: 'v1.37.1+tributary',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: `node-${process.version}`,
  compiler: 'v8',
  platform: `${process.platform}/${process.arch}`,
};

const bytes = indentJson(Buffer.from(JSON.stringify(versionInfo)));

/** Always indented, as upstream. */
export const versionRoute: Route = ({ path }) =>
  path === '/version' || path === '/version/'
    ? { kind: 'bytes', code: 200, contentType: 'application/json', chunks: [bytes] }
    : undefined;
