import { badRequest, patchRejected, plainError } from '../errors/errors.ts';
import type { StatusError } from '../errors/status.ts';
import { goTypeName, printGo, printGoAsString } from '../values/go-print.ts';

/**
 * Which answer upstream has for a failure: a 400 with its text, the 422 that does not say why, or a 500 with the
 * bare text.
 */
export type StrategicMergePatchAnswer = 'badRequest' | 'rejected' | 'plain';

/** A strategic merge patch that cannot be applied. The message is upstream's. */
export class StrategicMergePatchError extends Error {
  readonly answer: StrategicMergePatchAnswer;

  constructor(answer: StrategicMergePatchAnswer, message: string) {
    super(message);
    this.name = 'StrategicMergePatchError';
    this.answer = answer;
  }

  /** The failure that a client sees. */
  toStatusError(): StatusError {
    switch (this.answer) {
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
  const wanted = expected === 'map' ? 'map[string]interface {}' : '[]interface {}';
  const received = actual === null ? '%!s(<nil>)' : goTypeName(actual);
  return plain(`expected a ${wanted}, but received a ${received}`);
}

export function unknownDirective(directive: unknown, map: unknown): StrategicMergePatchError {
  return plain(`unknown patch type: ${printGoAsString(directive)} in map: ${printGo(map)}`);
}

export function plain(message: string): StrategicMergePatchError {
  return new StrategicMergePatchError('plain', message);
}
