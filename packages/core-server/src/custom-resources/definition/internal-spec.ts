import { isDeepStrictEqual } from 'node:util';
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
  CustomResourceValidation,
  SelectableField,
} from '@tributary/api/apiextensions-v1';

/** The fields that versions may share. */
export interface VersionParts {
  readonly schema: CustomResourceValidation | undefined;
  readonly subresources: CustomResourceSubresources | undefined;
  readonly additionalPrinterColumns: readonly CustomResourceColumnDefinition[] | undefined;
  readonly selectableFields: readonly SelectableField[] | undefined;
}

export interface InternalVersion extends VersionParts {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated: boolean;
  readonly deprecationWarning: string | undefined;
}

/**
 * A spec in upstream's internal version, which its validation uses: fields that all versions share are at the top
 * level, and errors name that path.
 */
export interface InternalSpec extends VersionParts {
  /** The name of the first version; empty without any. */
  readonly version: string;
  /** Null when the client sent none. */
  readonly versions: readonly InternalVersion[] | null;
  readonly preserveUnknownFields: boolean;
}

const PARTS = [
  'schema',
  'subresources',
  'additionalPrinterColumns',
  'selectableFields',
] as const satisfies readonly (keyof VersionParts)[];

const NO_PARTS: VersionParts = {
  schema: undefined,
  subresources: undefined,
  additionalPrinterColumns: undefined,
  selectableFields: undefined,
};

export function internalSpec(spec: CustomResourceDefinitionSpec): InternalSpec {
  const { versions, preserveUnknownFields = false } = spec;
  const [first] = versions ?? [];
  const shared = first === undefined ? new Set<keyof VersionParts>() : sharedParts(versions ?? []);
  return {
    version: first?.name ?? '',
    ...NO_PARTS,
    ...Object.fromEntries([...shared].map((part) => [part, first?.[part]])),
    versions: versions === null ? null : versions.map((one) => internalVersion(one, shared)),
    preserveUnknownFields,
  };
}

function sharedParts(
  versions: readonly CustomResourceDefinitionVersion[],
): ReadonlySet<keyof VersionParts> {
  const [first, ...others] = versions;
  const isShared = (part: keyof VersionParts) =>
    others.every((other) => isDeepStrictEqual(other[part], first?.[part]));
  return new Set(PARTS.filter(isShared));
}

function internalVersion(
  version: CustomResourceDefinitionVersion,
  shared: ReadonlySet<keyof VersionParts>,
): InternalVersion {
  const own = PARTS.filter((part) => !shared.has(part)).map((part) => [part, version[part]]);
  const { name, served, storage, deprecated = false, deprecationWarning } = version;
  return {
    name,
    served,
    storage,
    deprecated,
    deprecationWarning,
    ...NO_PARTS,
    ...Object.fromEntries(own),
  };
}
