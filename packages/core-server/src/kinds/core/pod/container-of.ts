import type { Pod } from '@tributary/api/core-v1';
import { badRequest } from '@tributary/apimachinery';

/** The named container, or the only one; throws 400 without one. */
export function containerOf({ metadata, spec }: Pod, wanted: string): string {
  const { name: pod } = metadata;
  const { containers, initContainers, ephemeralContainers } = spec;
  const all = [initContainers, containers, ephemeralContainers].flatMap((list) =>
    (list ?? []).map(({ name }) => name),
  );
  if (wanted !== '') {
    if (all.includes(wanted)) return wanted;
    throw badRequest(`container ${wanted} is not valid for pod ${pod}`);
  }
  const [only, ...more] = containers ?? [];
  if (only !== undefined && more.length === 0) return only.name;
  const choice = only === undefined ? '' : `, choose one of: [${all.join(' ')}]`;
  throw badRequest(`a container name must be specified for pod ${pod}${choice}`);
}
