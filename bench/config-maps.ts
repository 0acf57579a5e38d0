import type { LoadTarget } from './http-load.ts';
import { httpsSession } from './https-session.ts';

/** Less than the queue length of one client. */
const AT_ONCE = 32;
const VALUE = 'x'.repeat(800);

/** Creates ConfigMaps of about 1 KB in the namespace `default`. */
export async function createConfigMaps(
  target: Omit<LoadTarget, 'path'>,
  count: number,
): Promise<void> {
  await using session = await httpsSession(target);
  let made = 0;
  const maker = async () => {
    while (made < count) {
      const name = `bench-${String(made).padStart(6, '0')}`;
      made += 1;
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { VALUE } };
      await session.post('/api/v1/namespaces/default/configmaps', body);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, maker));
}
