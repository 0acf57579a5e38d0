import { indentJson } from '../json-indent.ts';
import { type ObjectMediaType, objectMediaTypes } from '../negotiation.ts';
import type { ApiRequest } from '../pipeline.ts';
import { wantsPretty } from '../pretty.ts';

/** A document in every media type that can be asked for, made once. */
export type Representations = ReadonlyMap<ObjectMediaType, Representation>;

interface Representation {
  readonly plain: Uint8Array;
  readonly pretty: Uint8Array;
}

const encoders: Readonly<Record<ObjectMediaType, (document: object) => Representation>> = {
  'application/json': (document) => {
    const plain = Buffer.from(`${JSON.stringify(document)}\n`);
    return { plain, pretty: indentJson(plain) };
  },
};

export function represent(document: object): Representations {
  return new Map(objectMediaTypes.map((type) => [type, encoders[type](document)]));
}

export function chosenBytes(
  representations: Representations,
  mediaType: ObjectMediaType,
  request: ApiRequest,
): Uint8Array {
  const representation = representations.get(mediaType);
  if (representation === undefined) throw new Error(`no representation in ${mediaType}`);
  return wantsPretty(request) ? representation.pretty : representation.plain;
}
