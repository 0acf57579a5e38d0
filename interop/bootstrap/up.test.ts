import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { logShows, runSource, startProcess, temporaryDirectory } from '../../test/harness/index.ts';
import { installSuite } from './install-suite.ts';

const READY = /is ready at (https:\S+)/;

installSuite('tributary up', async (t) => {
  const directory = await temporaryDirectory(t);
  const { command, args } = runSource(join(import.meta.dirname, '../../packages/cli/src/main.ts'));
  const up = await startProcess(t, {
    name: 'tributary up',
    command,
    args: [...args, 'up', '--sample=none', '--secure-port=0', '--storage=memory'],
    cwd: directory,
    ready: logShows(READY),
  });
  const [, url = ''] = await up.waitForLog(READY);
  const data = join(directory, '.tributary');
  return {
    url,
    ca: await readFile(join(data, 'pki', 'server-ca.crt'), 'utf8'),
    kubeconfig: join(data, 'admin.kubeconfig'),
    endpointAddress: '127.0.0.1',
    aggregatesRoles: true,
  };
});
