import { badRequest, patchRejected, plainError } from '../errors/errors.ts';
import type { StatusError } from '../errors/status.ts';
import { goTypeName, printGo, printGoAsString } from '../values/go-print.ts';

/** Upstream's response to an error: a 400 with the message, a 422 without it, or a 500 with only the message. */
export type StrategicMergePatchErrorKind = 'badRequest' | 'rejected' | 'plain';

/** A strategic merge patch cannot be applied. The message is upstream's. */
export class StrategicMergePatchError extends Error {
  readonly kind: StrategicMergePatchErrorKind;

  constructor(kind: StrategicMergePatchErrorKind, message: string) {
    super(message);
    this.name = 'StrategicMergePatchError';
    this.kind = kind;
  }

  toStatusError(): StatusError {
    switch (this.kind) {
      case 'badRequest':
        return badRequest(this.message);
      case 'rejected':
        return patchRejected(this);
      case 'plain':
        return plainError(this.message);
    }
  }
}

export function badDocument(value: unknown): StrategicMergePatchError {
  const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  const message = `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;
  return new StrategicMergePatchError('badRequest', message);
}

export function badPrimitiveList(): StrategicMergePatchError {
  return new StrategicMergePatchError('badRequest', 'invalid patch format of primitive list');
}

export function badRetainKeys(): StrategicMergePatchError {
  return new StrategicMergePatchError('badRequest', 'invalid patch format of retainKeys');
}

export function badElementOrder(): StrategicMergePatchError {
  return new StrategicMergePatchError('badRequest', 'invalid patch format of setElementOrder list');
}

export function listOfLists(): StrategicMergePatchError {
  return new StrategicMergePatchError('rejected', 'lists of lists are not supported');
}

export function missingMergeKey(map: unknown, mergeKey: string): StrategicMergePatchError {
  const text = `map: ${printGo(map)} does not contain declared merge key: ${mergeKey}`;
  return new StrategicMergePatchError('plain', text);
}

export function wrongType(expected: 'map' | 'list', actual: unknown): StrategicMergePatchError {
  const type = expected === 'map' ? 'map[string]interface {}' : '[]interface {}';
  const received = actual === null ? '%!s(<nil>)' : goTypeName(actual);
  return plain(`expected a ${type}, but received a ${received}`);
}

export function unknownDirective(directive: unknown, map: unknown): StrategicMergePatchError {
  return plain(`unknown patch type: ${printGoAsString(directive)} in map: ${printGo(map)}`);
}

export function plain(message: string): StrategicMergePatchError {
  return new StrategicMergePatchError('plain', message);
}
