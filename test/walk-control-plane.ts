import { join } from 'node:path';
import {
  anyKubectl,
  missingMessage,
  runSource,
  type SkippableScope,
  skipOrFail,
  temporaryDirectory,
} from './harness/index.ts';
import { npxTributary, walk } from './walkthrough.ts';

/** Runs a page that begins with `npx tributary up`. */
export async function walkControlPlane(t: SkippableScope, page: string): Promise<void> {
  const kubectl = await anyKubectl();
  if (kubectl === undefined) return skipOrFail(t, missingMessage('kubectl'));
  const main = join(import.meta.dirname, '../packages/cli/src/main.ts');
  await walk(t, page, {
    folder: await temporaryDirectory(t),
    kubectl,
    programs: { npx: npxTributary() },
    isDone: () => false,
    server: (line) =>
      line === 'npx tributary up' ? runSource(main, ['up', '--secure-port=0']) : undefined,
  });
}
