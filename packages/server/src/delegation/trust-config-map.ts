import type { KubeObject } from '@tributary/apimachinery';
import { parseBundle } from '../auth/certificate-pool.ts';
import type { RequestHeaderNames } from '../auth/request-header-names.ts';
import type { Reload } from '../auth/trust-source.ts';

export const TRUST_NAMESPACE = 'kube-system';
export const TRUST_NAME = 'extension-apiserver-authentication';

export type ConfigMap = KubeObject & { readonly data?: Readonly<Record<string, unknown>> };

/** The parts that flags do not configure. */
export interface WantedTrust {
  readonly clientCa: boolean;
  readonly requestHeader: boolean;
}

/** A part of the ConfigMap. An invalid part does not affect the others. */
export interface TrustPart {
  readonly name: string;
  /** Throws for invalid data. Undefined when the ConfigMap does not have this part; the last value remains. */
  read(data: Readonly<Record<string, unknown>>): Reload | undefined;
}

/** A missing bundle remains as it was; a missing list is an empty one. Both as upstream. */
export function trustParts(wanted: WantedTrust): readonly TrustPart[] {
  return [
    ...(wanted.clientCa ? [clientCa] : []),
    ...(wanted.requestHeader ? [requestHeaders, requestHeaderCa] : []),
  ];
}

const clientCa: TrustPart = {
  name: 'client CA',
  read: (data) => {
    const bundle = bundleOf(data, 'client-ca-file');
    return bundle === undefined ? undefined : { clientCa: bundle };
  },
};

const requestHeaderCa: TrustPart = {
  name: 'front proxy CA',
  read: (data) => {
    const bundle = bundleOf(data, 'requestheader-client-ca-file');
    return bundle === undefined ? undefined : { requestHeaderCa: bundle };
  },
};

const requestHeaders: TrustPart = {
  name: 'front proxy headers',
  read: (data) => ({ requestHeaders: namesOf(data) }),
};

function namesOf(data: Readonly<Record<string, unknown>>): RequestHeaderNames {
  const headers = (key: string) => listOf(data, key).map((name) => name.toLowerCase());
  return {
    allowedNames: listOf(data, 'requestheader-allowed-names'),
    usernameHeaders: headers('requestheader-username-headers'),
    uidHeaders: headers('requestheader-uid-headers'),
    groupHeaders: headers('requestheader-group-headers'),
    extraHeaderPrefixes: headers('requestheader-extra-headers-prefix'),
  };
}

function bundleOf(data: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const bundle = textOf(data, key);
  if (bundle === '') return undefined;
  if (parseBundle(bundle).length === 0) throw new Error(`${key} contains no certificate`);
  return bundle;
}

function listOf(data: Readonly<Record<string, unknown>>, key: string): readonly string[] {
  const text = textOf(data, key);
  if (text === '') return [];
  const list: unknown = JSON.parse(text);
  if (list === null) return [];
  if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list;
  throw new Error(`${key} is not a list of strings`);
}

function textOf(data: Readonly<Record<string, unknown>>, key: string): string {
  const text = Object.hasOwn(data, key) ? data[key] : '';
  if (typeof text !== 'string') throw new Error(`${key} is not a string`);
  return text;
}
