/** The sample server alone. */
import { join } from 'node:path';
import { Target, wardle } from '../faults/target.ts';
import { type TestScope, temporaryDirectory } from '../harness/index.ts';
import type { Site } from './site.ts';

export async function startDirectSite(t: TestScope): Promise<Site> {
  const dataDir = join(await temporaryDirectory(t, 'informers-'), 'data');
  const target = await Target.create(t, { dataDir, program: wardle(dataDir) });
  let port: number | undefined;
  const start = async (): Promise<void> => {
    await target.start();
    port = Number(new URL(await target.url()).port);
  };
  await start();
  const { ca, cert, key } = target.credentials;
  const killAndStart = async (): Promise<void> => {
    port = undefined;
    await target.kill();
    await start();
  };
  return {
    entrances: [{ name: 'directly', ca, user: { cert, key }, port: () => port }],
    victims: [{ name: 'the server', killAndStart, died: target.died }],
    links: [],
  };
}
