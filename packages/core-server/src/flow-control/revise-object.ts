import type { ObjectMeta } from '@tributary/apimachinery';
import { isSemanticallyEqual } from '../rbac/semantic-equality.ts';

export const AUTO_UPDATE = 'apf.kubernetes.io/autoupdate-spec';

interface Configuration {
  readonly metadata: ObjectMeta;
  readonly spec: object;
}

/**
 * The update of a bootstrap object, or undefined when it is up to date. Mandatory objects always follow the server;
 * others do unless their annotation says otherwise, or they were changed without the annotation.
 */
export function reviseObject<T extends Configuration>(
  current: T,
  { bootstrap, mandatory }: { readonly bootstrap: T; readonly mandatory: boolean },
): T | undefined {
  const follows = mandatory || followsServer(current.metadata);
  const annotation = autoUpdateOf(current.metadata);
  const isAnnotated = annotation === follows;
  const isSame = !follows || isSemanticallyEqual(current.spec, specFor(current, bootstrap));
  if (isAnnotated && isSame) return undefined;
  const annotations = { ...current.metadata.annotations, [AUTO_UPDATE]: String(follows) };
  return {
    ...current,
    metadata: isAnnotated ? current.metadata : { ...current.metadata, annotations },
    ...(isSame ? {} : { spec: specFor(current, bootstrap) }),
  };
}

/** Whether an earlier release created the object and this one does not have it. */
export function isUnwanted({ metadata }: Configuration, wanted: ReadonlySet<string>): boolean {
  return !wanted.has(metadata.name ?? '') && autoUpdateOf(metadata) === true;
}

/** Operators may set the shares and the lendable percentage of the exempt level. */
function specFor({ metadata, spec }: Configuration, bootstrap: Configuration): object {
  const { exempt } = spec as { exempt?: object };
  if (metadata.name !== 'exempt' || exempt === undefined) return bootstrap.spec;
  return { ...bootstrap.spec, exempt };
}

function followsServer(metadata: ObjectMeta): boolean {
  return autoUpdateOf(metadata) ?? metadata.generation === 1;
}

const TEXTS: Readonly<Record<string, boolean | undefined>> = {
  ...Object.fromEntries(['1', 't', 'T', 'true', 'TRUE', 'True'].map((text) => [text, true])),
  ...Object.fromEntries(['0', 'f', 'F', 'false', 'FALSE', 'False'].map((text) => [text, false])),
};

/** Parses a boolean like Go; undefined when invalid. */
function autoUpdateOf({ annotations }: ObjectMeta): boolean | undefined {
  const text = annotations?.[AUTO_UPDATE];
  return text !== undefined && Object.hasOwn(TEXTS, text) ? TEXTS[text] : undefined;
}
