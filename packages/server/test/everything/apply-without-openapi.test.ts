/** Whether kubectl needs an OpenAPI document before it sends a server-side apply, by release. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { noSuchResource } from '@tributary/apimachinery';
import { openMemoryStorage } from '@tributary/storage';
import { kubectlVersions } from '../../../../test/harness/kubectl.ts';
import { missingMessage, skipOrFail } from '../../../../test/harness/prerequisites.ts';
import { temporaryDirectory } from '../../../../test/harness/temporary.ts';
import { createServer } from '../../src/index.ts';
import type { Handler } from '../../src/request/pipeline.ts';
import { statusResponse } from '../../src/request/status-response.ts';
import { openTestPort } from '../../src/testing/test-port.ts';
import { everything } from '../everything-api.ts';
import { GROUP } from './fixture.ts';

const manifest = JSON.stringify({
  apiVersion: `${GROUP}/v1`,
  kind: 'Widget',
  metadata: { name: 'a' },
  spec: { colour: 'green' },
});

const bug = (error: unknown) => assert.fail(String(error));
const admin = { name: 'admin', uid: '', groups: ['system:masters'], extra: {} };

/** kubectl validates by either document, and needs none when it does not validate. All releases at hand agree. */
const WAYS = [
  { hidden: ['/openapi/v3'], args: [], fails: undefined },
  {
    hidden: ['/openapi/v3', '/openapi/v2'],
    args: [],
    fails: /the server could not find the requested resource/,
  },
  { hidden: ['/openapi/v3', '/openapi/v2'], args: ['--validate=false'], fails: undefined },
] as const;

test('kubectl apply --server-side without OpenAPI documents', async (t) => {
  const releases = await kubectlVersions();
  if (releases.length === 0) return skipOrFail(t, missingMessage('kubectl'));
  const directory = await temporaryDirectory(t);
  for (const [index, { hidden, args, fails }] of WAYS.entries()) {
    await using storage = openMemoryStorage();
    const { handler } = createServer(everything, {
      storage,
      serving: { cert: '', key: '' }, // the port below has its own
      authenticator: () => ({ outcome: 'authenticated', user: admin }),
      reportBug: () => {}, // the store is closed under it: a server without a port has no end
    });
    const hiding: Handler = (request) =>
      hidden.some((path) => request.path.startsWith(path))
        ? statusResponse(noSuchResource())
        : handler(request);
    await using port = await openTestPort({ handler: hiding, token: 't', reportBug: bug });
    const kubeconfig = join(directory, `kubeconfig-${index}`);
    await writeFile(kubeconfig, port.kubeconfig);
    for (const { version, run } of releases) {
      const name = `kubectl ${version} without ${hidden.join(' and ')} ${args.join(' ')}`;
      await t.test(name, async () => {
        const { code, stderr } = await run(['apply', '--server-side', ...args, '-f', '-'], {
          kubeconfig,
          input: manifest,
        });
        if (fails === undefined) assert.deepEqual([code, stderr], [0, '']);
        else assert.match(stderr, fails);
      });
    }
  }
});
