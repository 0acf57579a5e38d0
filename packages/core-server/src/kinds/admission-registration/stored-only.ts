import type { ObjectMeta } from '@tributary/apimachinery';

const RESERVED_SUFFIX = '.static.k8s.io';

/** What nobody here acts on must not look as if somebody did. */
export function storedOnlyWarnings(
  { metadata }: { readonly metadata: ObjectMeta },
  notDone: string | undefined,
): string[] {
  return [
    ...(metadata.name?.endsWith(RESERVED_SUFFIX) ? [RESERVED] : []),
    ...(notDone === undefined ? [] : [`tributary stores this and does not ${notDone}: ${WHO}`]),
  ];
}

const RESERVED = `metadata.name: names ending with "${RESERVED_SUFFIX}" are reserved for static manifest-based configurations and cannot be managed via the API`;
const WHO = 'only extension API servers that follow this kind themselves do';
