/** The control plane against the real kube-apiserver. */
import { join } from 'node:path';
import { goldenDir, type Suite } from '../differential/suite.ts';
import { differences } from './differences.ts';
import { kinds } from './kinds.ts';
import { groups } from './rows/index.ts';
import { todoRows } from './todo.ts';

export const coreSuite: Suite = {
  name: 'core',
  subject: 'the control plane of `tributary up`',
  groups,
  kinds: Object.fromEntries(
    kinds.map(({ id, kind, apiVersion }) => [
      id,
      apiVersion === 'v1' ? kind : `${kind} ${apiVersion}`,
    ]),
  ),
  lists: { differences, todoRows, todoPaths: [] },
  responsesDir: join(goldenDir, 'core'),
  // Its etcd also has the writes of the server itself, and ours those of our controllers.
  sharedRevisions: true,
};
